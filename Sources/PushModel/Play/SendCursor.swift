import Distributions
import Quantities

/// The send times of one strategy to one device, one after the other.
struct SendCursor {
  private let schedule: SendSchedule
  private let device: UInt32
  private let streams: StreamFamily
  private let lane: UInt32
  private let utcOffset: SimDuration
  private var poisson: RandomStream
  /// The number of the next send, or of the next candidate day.
  private var index = 0
  private var day: Int64 = 0
  /// The next send; distant future when there is none.
  private(set) var time = SimTime.distantFuture

  init(
    _ schedule: SendSchedule, device: UInt32, streams: StreamFamily, lane: UInt32, utcOffset: SimDuration,
    updates: [SimTime]
  ) {
    self.schedule = schedule
    self.device = device
    self.streams = streams
    self.lane = lane
    self.utcOffset = utcOffset
    poisson = streams.stream(device: device, .send(0), lane: lane)
    // West of the server the local day zero starts late, east of it early.
    if case .atLocal = schedule { day = utcOffset > .zero ? 0 : -1 }
    advance(updates)
  }

  /// Moves on to the next send.
  mutating func advance(_ updates: [SimTime]) {
    switch schedule {
    case .every(let interval, let phase, let jitter):
      time = SimTime.zero + phase + interval * Int64(index)
      if jitter > .zero {
        var stream = streams.stream(
          device: device, .send(UInt32(truncatingIfNeeded: index)), lane: lane)
        time += jitter * stream.uniform()
      }
      index += 1
    case .poisson(let rate):
      let from = index == 0 ? SimTime.zero : time
      time = rate > 0 ? from + SimDuration(seconds: poisson.unitExponential() / rate) : .distantFuture
      index += 1
    case .eachUpdate:
      time = index < updates.count ? updates[index] : .distantFuture
      index += 1
    case .at(let times):
      time = index < times.count ? .zero + times[index] : .distantFuture
      index += 1
    case .atLocal(let times): advance(daily: times, offset: utcOffset)
    case .atServer(let times): advance(daily: times, offset: .zero)
    // Follows from what else is sent: see `Play+Timers.swift`.
    case .unacknowledged: break
    }
  }

  private mutating func advance(daily times: [SimDuration], offset: SimDuration) {
    guard !times.isEmpty else { return }
    repeat {
      if index == times.count {
        index = 0
        day += 1
      }
      time = .zero + SimDuration.days(day) + times[index] - offset
      index += 1
    } while time < .zero
  }
}
