public import Experiments
import Quantities

/// A claim about a metric as a command line states it, such as `fresh_open of push_hourly >= 60 %`, or
/// `fresh_open < baseline - 2 %`.
///
///     condition  = metric [ "of" strategy ] comparison bound
///     comparison = ">=" | "<=" | ">" | "<"
///     bound      = quantity | "baseline" [ "+" quantity | "-" quantity | "*" number ]
///
/// A quantity has the metric's unit; of a share, `2 %` are two points of a hundred. What the baseline is, the command says.
public struct Condition: Sendable, Equatable {
  public enum Comparison: String, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
  }

  /// As it was written.
  public let text: String
  public let metric: String
  /// Nil: of every strategy that has the metric.
  public let strategy: String?
  public let comparison: Comparison
  /// The bound is ``factor`` times the baseline plus ``offset``, which is in the metric's unit; without a baseline the
  /// factor is 0.
  public let factor: Double
  public let offset: Double

  /// Nil, with what is wrong in the log, if the text is no condition.
  ///
  /// - Parameters:
  ///   - option: where the text comes from, as messages name it.
  ///   - allowsBaseline: whether there is one.
  public static func parse(_ text: String, option: String, allowsBaseline: Bool, log: DiagnosticLog)
    -> Condition?
  {
    ConditionReader(text, option: option, allowsBaseline: allowsBaseline, log: log).read()
  }

  /// Whether the claim is true, of a value that lies between two; undecided where only a part of that makes it true.
  ///
  /// - Parameters:
  ///   - low: nil: nothing is known.
  ///   - bound: what the value is compared with.
  public func outcome(low: Double?, high: Double?, bound: Double) -> ExpectationResult.Outcome {
    guard let low, let high else { return .undecided }
    func holds(_ value: Double) -> Bool {
      switch comparison {
      case .atLeast: value >= bound
      case .atMost: value <= bound
      case .above: value > bound
      case .below: value < bound
      }
    }
    return holds(low) ? holds(high) ? .met : .undecided : holds(high) ? .undecided : .missed
  }

  /// The claim about a strategy as an expectation of a run, which knows no difference between `>` and `>=`.
  public func expectation(of strategy: String) -> Expectation {
    let isLeast = comparison == .atLeast || comparison == .above
    return Expectation(
      strategy: strategy, metric: metric, low: isLeast ? offset : -.infinity,
      high: isLeast ? .infinity : offset, source: nil)
  }
}

private struct ConditionReader {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private let source: SourceText
  private let allowsBaseline: Bool
  private let log: DiagnosticLog

  init(_ text: String, option: String, allowsBaseline: Bool, log: DiagnosticLog) {
    self.text = text
    scalars = Array(text.unicodeScalars)
    source = SourceText(name: option, text: text, origin: .commandLine)
    self.allowsBaseline = allowsBaseline
    self.log = log
  }

  func read() -> Condition? {
    guard let first = scalars.firstIndex(where: { "<>=\u{2264}\u{2265}".unicodeScalars.contains($0) }) else {
      return fail(
        scalars.count..<scalars.count, "a comparison is missing",
        "`>=`, `<=`, `>` or `<`, as in `fresh_open >= 60 %`",
        got: text.isEmpty ? "nothing" : "`\(text)`")
    }
    var end = first + 1
    if end < scalars.count, scalars[end] == "=" { end += 1 }
    let sign = string(first..<end).replacing("\u{2264}", with: "<=").replacing("\u{2265}", with: ">=")
    guard let comparison = Condition.Comparison(rawValue: sign) else {
      return fail(
        first..<end, "`\(sign)` compares nothing", "`>=`, `<=`, `>` or `<`", got: "`\(sign)`",
        help: "no interval lies at one point")
    }
    guard let (metric, strategy) = subject(trimmed(0..<first)) else { return nil }
    guard let (factor, offset) = bound(trimmed(end..<scalars.count), metric) else { return nil }
    return Condition(
      text: text, metric: metric.name, strategy: strategy, comparison: comparison, factor: factor,
      offset: offset)
  }

  private func subject(_ range: Range<Int>) -> (Metric, strategy: String?)? {
    var name = range
    var strategy: Range<Int>?
    if let place = string(range).firstRange(of: " of ") {
      let before = string(range)[..<place.lowerBound].unicodeScalars.count
      name = trimmed(range.lowerBound..<range.lowerBound + before)
      strategy = trimmed(range.lowerBound + before + 4..<range.upperBound)
    }
    let known = Metric.all.map(\.name)
    guard !name.isEmpty else {
      fail(name, "a metric is missing", "one such as `fresh_open`", got: "nothing before the comparison")
      return nil
    }
    guard let metric = Metric.named(string(name)) else {
      log.add(Messages.unknownMetric(string(name), span(name), known: known))
      return nil
    }
    if let strategy, strategy.isEmpty {
      fail(strategy, "a strategy is missing", "its name behind `of`", got: "nothing")
      return nil
    }
    return (metric, strategy.map(string))
  }

  private func bound(_ range: Range<Int>, _ metric: Metric) -> (factor: Double, offset: Double)? {
    let word = "baseline"
    guard string(range).hasPrefix(word) else {
      return quantity(range, metric, isAlone: true).map { (0, $0) }
    }
    guard allowsBaseline else {
      fail(
        range, "there is no baseline here", "a value such as `\(metric.unit.measure.dimension.example)`",
        got: "`\(string(range))`", help: "`pushsim compare --fail-if` compares with a baseline")
      return nil
    }
    let rest = trimmed(range.lowerBound + word.count..<range.upperBound)
    guard let sign = rest.first.map({ scalars[$0] }) else { return (1, 0) }
    let operand = trimmed(rest.lowerBound + 1..<rest.upperBound)
    switch sign {
    case "+": return quantity(operand, metric).map { (1, $0) }
    case "-", "\u{2212}": return quantity(operand, metric).map { (1, -$0) }
    case "*", "\u{D7}":
      if let factor = Double(string(operand)), factor > 0, factor.isFinite { return (factor, 0) }
      fail(operand, "this is no factor", "a number above 0, such as `1.1`", got: "`\(string(operand))`")
    default:
      fail(
        rest, "this cannot follow `baseline`", "`+` or `-` and a value, or `*` and a number",
        got: "`\(string(rest))`")
    }
    return nil
  }

  /// - Parameter isAlone: whether a baseline could stand in its place.
  private func quantity(_ range: Range<Int>, _ metric: Metric, isAlone: Bool = false) -> Double? {
    let (dimension, limit) = metric.unit.measure
    let given = string(range)
    let quantity = try? Quantity.parse(given)
    let isBare = dimension == .proportion && quantity?.dimension == .count && quantity!.value <= 1
    if let quantity, quantity.dimension == dimension || isBare, (0...limit).contains(quantity.value) {
      return quantity.value
    }
    let range = range.isEmpty ? scalars.count..<scalars.count : range
    let other = isAlone && allowsBaseline ? ", or `baseline`" : ""
    let completion =
      quantity.flatMap { $0.dimension == .count ? $0.value : nil }.map {
        ValueReader.completions($0, dimension, 0...limit)
      } ?? []
    fail(
      range, "this is no value of `\(metric.name)`",
      "\(dimension.nounPhrase) such as `\(dimension.example)`, at most \(Quantity.format(limit, dimension))\(other)",
      got: given.isEmpty ? "nothing" : "`\(given)`",
      help: completion.isEmpty
        ? nil : "did you mean \(completion.map { "`\($0)`" }.joined(separator: " or "))?")
    return nil
  }

  // MARK: Places

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, scalars[start].properties.isWhitespace { start += 1 }
    while end > start, scalars[end - 1].properties.isWhitespace { end -= 1 }
    return start..<end
  }

  private func span(_ range: Range<Int>) -> SourceSpan {
    SourceSpan(
      source: source, start: SourcePosition(line: 1, column: range.lowerBound + 1),
      end: SourcePosition(line: 1, column: range.upperBound + 1))
  }

  @discardableResult private func fail(
    _ range: Range<Int>, _ message: String, _ expected: String, got: String, help: String? = nil
  ) -> Condition? {
    log.add(Diagnostic(span(range), message, expected: expected, got: got, help: help))
    return nil
  }
}
