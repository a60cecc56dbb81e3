import Quantities

/// A piece of a sentence or of a cell, of which each output makes its own.
indirect enum Span {
  case text(String)
  /// Something that a scenario names.
  case name(String)
  /// A path or a key.
  case code(String)
  case value(Value)
  case strong(Words)
  /// What stands back, such as a count behind its share.
  case faint(Words)
  case tag(String, Mood)
  /// A link within the page.
  case link(String, to: String)
  /// A bar behind a share, for pages.
  case meter(Double)
  /// A line of its own in a cell.
  case line(Words)

  enum Mood: String { case plain = "", good, bad }
}

/// A number with its place in the result, and its interval if it has one.
struct Value {
  var number: At<Double>
  var low: At<Double>?
  var high: At<Double>?
  var style: NumberStyle
  /// Whether it tells two values apart, and shows its sign.
  var isDifference = false
  /// Stands behind the number and says what it leaves out.
  var mark = ""
  /// Where what is assumed may move it: the interval is of chance alone.
  var plausible: (low: At<Double>, high: At<Double>)?

  var text: String { (isDifference ? style.difference(number.value) : style.text(number.value)) + mark }

  var ends: (low: String, high: String)? {
    guard let low, let high else { return nil }
    return isDifference ? style.differences(low.value, high.value) : style.interval(low.value, high.value)
  }

  var plausibleEnds: (low: String, high: String)? {
    guard let (low, high) = plausible else { return nil }
    return isDifference ? style.differences(low.value, high.value) : style.interval(low.value, high.value)
  }

  /// What stands in brackets behind the number; empty where nothing does.
  var brackets: String {
    let chance = ends.map { "\($0.low) to \($0.high)" }
    guard let range = plausibleEnds else { return chance.map { " (\($0))" } ?? "" }
    return " (\(range.low) to \(range.high)" + (half.map { "; chance ± \(style.size($0))" } ?? "") + ")"
  }

  /// From the number to the farther end of its interval.
  var half: Double? {
    low.flatMap { low in high.map { max($0.value - number.value, number.value - low.value) } }
  }
}

/// Text with numbers, names and marks in it.
struct Words: ExpressibleByStringInterpolation {
  var spans: [Span] = []

  init() {}
  init(_ spans: [Span]) { self.spans = spans }
  init(_ text: String) { spans = text.isEmpty ? [] : [.text(text)] }
  init(stringLiteral value: String) { self.init(value) }
  init(stringInterpolation: StringInterpolation) { spans = stringInterpolation.spans }

  var isEmpty: Bool { spans.isEmpty }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var spans: [Span] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { spans.append(.text(literal)) } }
    mutating func appendInterpolation(_ text: String) { spans.append(.text(text)) }
    mutating func appendInterpolation(_ number: Int) { spans.append(.text("\(number)")) }
    mutating func appendInterpolation(_ words: Words) { spans += words.spans }
    mutating func appendInterpolation(name: String) { spans.append(.name(name)) }
    mutating func appendInterpolation(code: String) { spans.append(.code(code)) }
    mutating func appendInterpolation(strong: Words) { spans.append(.strong(strong)) }
    mutating func appendInterpolation(faint: Words) { spans.append(.faint(faint)) }
    mutating func appendInterpolation(_ text: String, to place: String) {
      spans.append(.link(text, to: place))
    }
  }

  static func + (left: Words, right: Words) -> Words { Words(left.spans + right.spans) }

  static func joined(_ parts: [Words], by separator: String) -> Words {
    Words(Array(parts.map(\.spans).joined(separator: separator.isEmpty ? [] : [.text(separator)])))
  }

  /// The text alone.
  var plain: String {
    spans.map { span in
      switch span {
      case .text(let text), .name(let text), .code(let text), .tag(let text, _), .link(let text, _): text
      case .value(let value): value.text + value.brackets
      case .strong(let words), .faint(let words): words.plain
      case .line(let words): ": " + words.plain
      case .meter: ""
      }
    }.joined()
  }

  /// In a column that says the unit: bare values, with half their intervals.
  var bare: String {
    guard spans.count == 1, case .value(let value) = spans[0], !value.isDifference else { return plain }
    return value.style.bare(
      value.number.value, half: value.half, plausible: value.plausible.map { ($0.low.value, $0.high.value) })
      + value.mark
  }

  /// The style of its value, if it is one value and no more.
  var style: NumberStyle? {
    guard spans.count == 1, case .value(let value) = spans[0], !value.isDifference else { return nil }
    return value.style
  }
}

/// What a file may have for a number.
protocol Measured { var measure: Double? { get } }
extension Double: Measured { var measure: Double? { self } }
extension Int64: Measured { var measure: Double? { Double(self) } }
extension Seconds: Measured { var measure: Double? { value } }
extension Optional: Measured where Wrapped: Measured { var measure: Double? { self?.measure } }

extension At where Value: Measured {
  var number: At<Double>? { value.measure.map { At<Double>($0, path) } }

  /// The number as text that knows its place; a dash where there is none.
  func words(_ style: NumberStyle) -> Words {
    number.map { Words([.value(Reporting.Value(number: $0, style: style))]) } ?? "–"
  }

  /// A count and its share of a whole.
  func share<Whole: Measured>(of whole: Whole, meter: Bool = false) -> Words {
    guard let count = value.measure else { return "–" }
    guard let whole = whole.measure, whole > 0 else { return words(.count) }
    let bar: [Span] = meter ? [.meter(count / whole)] : []
    return "\(NumberText.percent(count / whole))\(faint: Words([.text(" ")]) + words(.count))" + Words(bar)
  }
}

extension At where Value == MetricRecord {
  /// The estimate with its interval.
  ///
  /// - Parameter mark: says what the number leaves out.
  func words(mark: String = "") -> Words {
    guard let number = self.estimate.number else { return "–" }
    return Words([
      .value(
        Reporting.Value(
          number: number, low: self.low.number, high: self.high.number, style: value.style, mark: mark,
          plausible: plausibleRange))
    ])
  }

  private var plausibleRange: (low: At<Double>, high: At<Double>)? {
    self.plausibleLow.number.flatMap { low in self.plausibleHigh.number.map { (low, $0) } }
  }
}

extension At where Value == ComparisonRecord {
  /// The difference with its interval.
  func words(jointly: Bool = false, _ style: NumberStyle? = nil) -> Words {
    guard let number = self.difference.number else { return "–" }
    let style = style ?? NumberStyle(metric: value.metric)
    return Words([
      .value(
        Reporting.Value(
          number: number, low: jointly ? self.jointLow.number : self.low.number,
          high: jointly ? self.jointHigh.number : self.high.number, style: style, isDifference: true,
          plausible: self.plausibleLow.number.flatMap { low in self.plausibleHigh.number.map { (low, $0) } }))
    ])
  }
}

extension At where Value == UncertaintyRecord.Effects {
  func words(_ style: NumberStyle, isDifference: Bool = false) -> Words {
    guard let number = self.mean.number else { return "–" }
    return Words([
      .value(
        Reporting.Value(
          number: number, low: self.low.number, high: self.high.number, style: style,
          isDifference: isDifference))
    ])
  }
}

/// What results call things, in words.
enum Wording {
  /// `not_wakeable` as words.
  static func words(_ name: String) -> String {
    name.split(separator: "_", omittingEmptySubsequences: false).map { word in
      switch word {
      case "apns": "APNs"
      case "cpu": "CPU"
      case "iphone": "iPhone"
      case "ipad": "iPad"
      case "mac": "Mac"
      default: String(word)
      }
    }.joined(separator: " ")
  }

  /// The name of a metric as words: `delivered_within_5min` is delivered within 5 min.
  static func metric(_ name: String) -> String {
    var words = name.split(separator: "_").map(String.init)
    if let unit = words.firstIndex(of: "per"), unit > 0, words[unit...] == ["per", "device", "day"] {
      words.replaceSubrange(unit..., with: ["per", "device", "and", "day"])
      if words[unit - 1] == "j" { words.remove(at: unit - 1) }
    }
    if words.count > 1, words.last == "s" { words.removeLast() }
    return words.map { word in
      let digits = word.prefix { $0.isNumber }
      return digits.isEmpty || digits.count == word.count ? word : "\(digits) \(word.dropFirst(digits.count))"
    }.joined(separator: " ")
  }

  /// With a capital at its begin and a stop at its end.
  static func sentence(_ text: String) -> String {
    capital(text) + (text.hasSuffix(".") ? "" : ".")
  }

  static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  static func list(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names.last!
  }

  /// Why a push ended, for somebody who does not know the policy's factors.
  static func reason(_ name: String) -> String { reasons[name] ?? words(name) }

  private static let reasons = [
    "usage_history": "app seldom used", "force_quit": "force-quit", "refresh_switch": "refresh off",
    "low_power_mode": "Low Power Mode", "hourly_budget": "budget used up", "battery_level": "battery low",
    "cpu_load": "processor busy", "network": "offline", "power_nap": "asleep",
    "first_unlock": "not unlocked yet",
    "boot_window": "just started", "herd_window": "after an outage",
    "launch_spacing": "too soon after another",
    "device_pool": "other apps' share", "fetch_feedback": "no new data before", "score": "low score",
    "sustained_excess": "sender blocked", "voip_rate": "too many calls",
    "voip_report": "no call reported before",
    "background_mode": "no background mode", "payload": "cannot wake", "expired": "expired",
    "newer_push": "replaced by a newer push", "older_push": "kept an older push",
    "not_installed": "app removed", "token_inactive": "token gone", "410 Unregistered": "token gone",
    "notifications_disabled": "notifications off", "priority_ignored": "priority ignored",
    "push_type_ignored": "push type ignored", "extension_terminated": "extension ended",
  ]

  /// What became of a call that did not ring.
  static func call(_ name: String) -> String {
    switch name {
    case "silent": "no call shown"
    case "timed_out": "not in time"
    case let name where name.hasPrefix("killed"): "app ended by the system"
    default: words(name)
    }
  }

  /// Under which rules, for somebody who does not know the profiles.
  static func policy(_ name: String) -> String {
    switch name {
    case "guide": "as the guides say"
    case "evidence": "as developers observe"
    default: "under the policy \(name)"
    }
  }

  /// `{uniform: [12 h, 48 h]}` as `12 h to 48 h`; other families as they are written.
  static func prior(_ text: String) -> String {
    for family in ["uniform", "log_uniform"] where text.hasPrefix("{\(family): [") && text.hasSuffix("]}") {
      return text.dropFirst(family.count + 4).dropLast(2).split(separator: ",").map {
        $0.trimmingPrefix(while: { $0 == " " })
      }.joined(separator: " to ")
    }
    return text
  }

  /// A length as a scenario gives it, in whole words where it is one of days.
  static func span(_ seconds: Double?) -> String {
    guard let seconds else { return "–" }
    let days = seconds / 86_400
    guard days >= 1, days == days.rounded() else { return Quantity.format(seconds, .time) }
    return days == 1 ? "1 day" : "\(NumberText.grouped(days)) days"
  }

  /// Of a hundred: whole from ten on, else with a decimal.
  static func ofHundred(_ share: Double) -> String {
    let hundredth = share * 100
    return NumberText.fixed(hundredth, hundredth < 9.95 && hundredth > 0.05 ? 1 : 0)
  }

  /// A small share in percent, with two digits that say something.
  static func charge(_ share: Double) -> String {
    let percent = share * 100
    let decimals = percent >= 10 ? 0 : percent >= 1 ? 1 : percent >= 0.095 ? 2 : percent >= 0.0005 ? 3 : 0
    return NumberText.fixed(percent, decimals) + " %"
  }
}
