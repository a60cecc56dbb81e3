import Quantities

/// The level of the battery of the device at hand, asked for in the order of time.
///
/// `Play` gives it a life's segments and takes them away again; sends ask it.
struct BatteryGauge: Sendable {
  private var segments: [BatterySegment] = []
  /// The segment at hand, and where the next begins.
  private var index = -1
  private var segment = BatterySegment(time: .zero, level: 1, slope: 0)
  private var until = SimTime.distantFuture

  /// - Parameter segments: a life's; without any the battery is full.
  mutating func begin(_ segments: [BatterySegment]) {
    self.segments = segments
    index = -1
    segment = BatterySegment(time: .zero, level: 1, slope: 0)
    until = segments.isEmpty ? .distantFuture : .distantPast
  }

  /// In tenths of a full charge, from 0 to 9.
  @inline(__always)
  mutating func tenth(at now: SimTime) -> Int {
    while until <= now {
      index += 1
      segment = segments[index]
      until = index + 1 < segments.count ? segments[index + 1].time : .distantFuture
    }
    return min(9, Int(segment.level(at: now) * 10))
  }

  /// Gives the segments back, so that the next life is laid down in place.
  mutating func end() { segments = [] }
}
