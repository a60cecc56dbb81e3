import Glibc

/// One line on standard error that says how far the work is, how fast it goes and how long it will take. A terminal
/// shows it anew ten times a second; a log gets a line every half minute.
///
/// To be owned by the one thread that collects results.
struct ProgressLine {
  private enum Place { case nowhere, terminal, log }

  /// How many units there are; at least 1.
  var total: Int
  /// In the plural, as in `devices`.
  var unit: String
  private let start: Double
  private let place: Place
  private var lastDrawn: Double

  /// - Parameter isWanted: false for `--quiet`.
  init(total: Int, unit: String, isWanted: Bool = true) {
    self.total = max(1, total)
    self.unit = unit
    start = Self.monotonicSeconds()
    place =
      !isWanted ? .nowhere : Terminal.understandsControlSequences(.standardError) ? .terminal : .log
    lastDrawn = place == .log ? start : -.infinity
  }

  /// Draws the line, if it is time.
  mutating func update(done: Int) {
    guard place != .nowhere else { return }
    let now = Self.monotonicSeconds()
    guard now - lastDrawn >= (place == .log ? 30 : 0.1) else { return }
    lastDrawn = now
    let text = Self.text(done: done, total: total, unit: unit, elapsed: now - start)
    if place == .log { return Terminal.report("pushsim: \(text)\n") }
    // One column stays free: a full line would wrap, and then it could not be erased.
    Terminal.report("\r\(text.prefix(Terminal.width(of: .standardError) - 1))\u{1B}[K")
  }

  /// Erases the line, so that what follows starts at the margin.
  mutating func finish() {
    guard place == .terminal else { return }
    if lastDrawn > 0 { Terminal.report("\r\u{1B}[K") }
    lastDrawn = -.infinity
  }

  /// What the line says, `elapsed` seconds after the start.
  static func text(done: Int, total: Int, unit: String, elapsed: Double) -> String {
    var text = "\(done * 100 / total) %  \(done) of \(total) \(unit)"
    // The first moments say nothing about the rate.
    guard done > 0, elapsed >= 0.5 else { return text }
    let rate = Double(done) / elapsed
    text += "  \(rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)")/s"
    return text + "  \(duration(seconds: Double(total - done) / rate)) left"
  }

  /// As `8 s`, `2 min 05 s` or `1 h 05 min`.
  private static func duration(seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    func twoDigits(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
    return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60)) min"
  }

  /// Run time, not simulated time: it reaches no result.
  private static func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }
}
