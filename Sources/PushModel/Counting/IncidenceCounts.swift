import Quantities

/// Cells of the time from the send of a push to its end. Their upper limits are round times at about equal distances on a
/// logarithmic scale; a time at a limit belongs to the cell below it.
public struct EndCells: Sendable {
  /// The upper limits; what takes longer than the last is in one more cell. Unit: seconds.
  public static let limits: [Double] = [
    0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45,
    60, 90, 120, 180, 300, 420, 600, 900, 1200, 1800, 2700,
    3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 64_800,
    86_400, 129_600, 172_800, 259_200, 432_000, 604_800, 864_000, 1_209_600, 1_814_400, 2_592_000, 3_888_000,
    5_184_000, 7_776_000, 15_552_000, 31_536_000,
  ]
  public static var count: Int { 53 }

  /// Unit: microseconds; the last is beyond all times.
  private let upper: [Int64]
  /// By the number of significant bits of a time in microseconds: the first cell that may hold it.
  private let first: [UInt8]

  init() {
    precondition(EndCells.limits.count + 1 == EndCells.count, "\(EndCells.limits.count) limits")
    let upper = EndCells.limits.map { Int64(($0 * 1e6).rounded()) } + [.max]
    self.upper = upper
    first = (0...64).map { bits in
      let least = bits == 0 ? 0 : bits == 64 ? Int64.max : Int64(1) << Int64(bits - 1)
      return UInt8(upper.firstIndex { $0 >= least }!)
    }
  }

  /// The cell of a time, which is not negative.
  func cell(of time: SimDuration) -> Int {
    let microseconds = time.microseconds
    var cell = Int(first[64 - microseconds.leadingZeroBitCount])
    while upper[cell] < microseconds { cell += 1 }
    return cell
  }
}

/// How long after its send each push met its end, by fate; and of segments, how long after it was delivered, met another
/// end, or was last seen on its way. Whole numbers in ``EndCells``, so that memory does not grow with the pushes.
public struct IncidenceCounts: Sendable {
  /// Pushes that are looked at apart.
  public enum Segment: Hashable, Sendable {
    case userClass(UserClass)
    case deviceKind(DeviceKind)
    /// A quarter of the day, by the local hour of the send: 0 starts at midnight.
    case quarter(Int)

    public static let all =
      UserClass.allCases.map(Segment.userClass) + DeviceKind.allCases.map(Segment.deviceKind)
      + (0..<4).map(Segment.quarter)
  }

  // Computed, not stored: on the way of every push, known when it is compiled.
  private static var fates: Int { 10 }
  private static var quarters: Int { 4 }
  private static var kinds: Int { 3 }
  private static var classes: Int { 4 }

  /// By class, device kind, fate, quarter of the day and cell, so that a push is one count; empty until there is something
  /// to count.
  private var counts: [Int64] = []

  public init() {}

  /// Whether no push has been counted.
  public var isEmpty: Bool { counts.isEmpty }

  @inline(__always)
  private static func row(_ userClass: Int, _ kind: Int, _ fate: Int, _ quarter: Int) -> Int {
    (((userClass &* kinds &+ kind) &* fates &+ fate) &* quarters &+ quarter) &* EndCells.count
  }

  @inline(__always)
  mutating func count(_ fate: Fate, cell: Int, userClass: Int, kind: Int, hour: Int) {
    if counts.isEmpty { allocate() }
    counts[Self.row(userClass, kind, Int(fate.rawValue), hour / 6) &+ cell] &+= 1
  }

  @inline(never)
  private mutating func allocate() {
    counts = [Int64](repeating: 0, count: Self.row(Self.classes, 0, 0, 0))
  }

  mutating func add(_ other: IncidenceCounts) {
    if other.counts.isEmpty { return }
    if counts.isEmpty {
      counts = other.counts
      return
    }
    for index in counts.indices { counts[index] &+= other.counts[index] }
  }

  /// By cell; of ``Fate/pending``, for how long they had been on their way.
  public subscript(_ fate: Fate) -> [Int64] {
    sum([Int(fate.rawValue)], classes: 0..<Self.classes, kinds: 0..<Self.kinds, quarters: 0..<Self.quarters)
  }

  /// By cell: delivered, ended otherwise, still on their way.
  public subscript(_ segment: Segment) -> (delivered: [Int64], otherwise: [Int64], pending: [Int64]) {
    func sum(_ fates: [Fate]) -> [Int64] {
      var (classes, kinds, quarters) = (0..<Self.classes, 0..<Self.kinds, 0..<Self.quarters)
      switch segment {
      case .userClass(let value): classes = Int(value.rawValue)..<(Int(value.rawValue) + 1)
      case .deviceKind(let value): kinds = Int(value.rawValue)..<(Int(value.rawValue) + 1)
      case .quarter(let value): quarters = value..<(value + 1)
      }
      return self.sum(fates.map { Int($0.rawValue) }, classes: classes, kinds: kinds, quarters: quarters)
    }
    let others = Fate.allCases.filter { $0 != .delivered && $0 != .pending }
    return (sum([.delivered]), sum(others), sum([.pending]))
  }

  private func sum(
    _ fates: [Int], classes: Range<Int>, kinds: Range<Int>, quarters: Range<Int>
  ) -> [Int64] {
    var cells = [Int64](repeating: 0, count: EndCells.count)
    guard !isEmpty else { return cells }
    for userClass in classes {
      for kind in kinds {
        for fate in fates {
          for quarter in quarters {
            let start = Self.row(userClass, kind, fate, quarter)
            for cell in cells.indices { cells[cell] += counts[start + cell] }
          }
        }
      }
    }
    return cells
  }
}

/// What happened on each day of the run, the warm-up included: by it one sees whether the start still shows.
public struct DailyCounts: Sendable {
  /// The raw value is the index within a day.
  public enum Item: Int, Sendable, CaseIterable {
    /// Pushes, by the day of their send.
    case sent, deliveredWithin5min
    case opens, freshOpens
    /// Launches in the background.
    case wakes
  }

  private var counts = CountsByDay()

  public init() {}

  /// The number of days from the start of the run to the last on which something happened.
  public var days: Int { counts.days }

  /// By day of the run, counted from its start and in its time.
  public subscript(_ item: Item, day day: Int) -> Int64 { counts[item.rawValue, day: day] }

  @inline(__always)
  mutating func count(_ item: Item, at time: SimTime) { counts.count(item.rawValue, at: time) }

  mutating func add(_ other: DailyCounts) { counts.add(other.counts) }
}

/// Pushes by the local hour of the send and the level of the battery at it, in tenths of a full charge.
public struct HourBatteryCounts: Sendable {
  /// Of an hour: ten tenths, each with two numbers.
  private var counts = InlineArray<480, Int64>(repeating: 0)

  public init() {}

  /// - Parameters:
  ///   - hour: from 0 to 23.
  ///   - tenth: from 0 (below 10 %) to 9 (90 % and more).
  public func sent(hour: Int, tenth: Int) -> Int64 { counts[(hour * 10 + tenth) * 2] }
  public func deliveredWithin5min(hour: Int, tenth: Int) -> Int64 { counts[(hour * 10 + tenth) * 2 + 1] }

  /// - Parameter place: ten times the hour, and the tenth.
  mutating func countSent(_ place: Int) { counts[2 * place] += 1 }

  /// Of a push whose send has been counted.
  mutating func countWithin5min(_ place: Int) { counts[2 * place + 1] += 1 }

  mutating func add(_ other: borrowing HourBatteryCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}
