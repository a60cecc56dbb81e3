public import Quantities

/// A reason why a run cannot go on; fatal to the replication.
public enum SimulationError: Error, Hashable, Sendable {
  /// There were more events at one instant than the cap, as by two rules that wake each other without delay; `event`
  /// would have been the next.
  case tooManyEventsAtOneInstant(cap: Int, event: String, at: SimTime)
}

extension SimulationError: CustomStringConvertible {
  /// The error in words, with simulated times in seconds.
  public var description: String {
    switch self {
    case .tooManyEventsAtOneInstant(let cap, let event, let time):
      "more than \(cap) events at the instant \(inSeconds(time)); the next was `\(event)`"
    }
  }
}

/// A time to the microsecond, such as "3.000001 s"; the ``Quantities/SimTime/seconds`` are rounded.
private func inSeconds(_ time: SimTime) -> String {
  let (whole, rest) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
  var text = (time.microseconds < 0 ? "-" : "") + "\(whole)"
  if rest > 0 {
    var decimals = String(String(1_000_000 + rest).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    text += "." + decimals
  }
  return text + " s"
}
