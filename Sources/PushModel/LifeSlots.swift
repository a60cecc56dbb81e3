internal import Quantities

/// `seconds` after `time`, for spans that are not negative; beyond 200,000 years, never.
///
/// Rounds half up, which takes one instruction where `rounded()` takes a call.
@inline(__always)
func after(_ time: SimTime, _ seconds: Double) -> SimTime {
  seconds < 6e12
    ? SimTime(microseconds: time.microseconds &+ Int64(seconds * 1e6 + 0.5)) : .distantFuture
}

/// The next event of each ``LifeProcess``; an idle process has the distant future.
struct LifeSlots {
  private var times = InlineArray<16, Int64>(repeating: .max)

  @inline(__always)
  mutating func set(_ process: LifeProcess, _ time: SimTime) {
    times[Int(process.rawValue)] = time.microseconds
  }
  @inline(__always)
  mutating func clear(_ process: LifeProcess) { times[Int(process.rawValue)] = .max }
  @inline(__always)
  func time(of process: LifeProcess) -> SimTime { SimTime(microseconds: times[Int(process.rawValue)]) }

  /// The process of the earliest event, the first at equal times. Pairs first: on ties the lower index wins in each.
  var next: LifeProcess {
    @inline(__always) get {
      let a = earlier(earlier(0, 1), earlier(2, 3))
      let b = earlier(earlier(4, 5), earlier(6, 7))
      let c = earlier(earlier(8, 9), earlier(10, 11))
      let d = earlier(earlier(12, 13), earlier(14, 15))
      let winner = earlier(earlier(a, b), earlier(c, d))
      // The raw values are 0...15 without a gap, so each of these indices is a process.
      return unsafeBitCast(UInt8(truncatingIfNeeded: winner), to: LifeProcess.self)
    }
  }

  @inline(__always)
  private func earlier(_ i: Int, _ j: Int) -> Int { times[j] < times[i] ? j : i }
}
