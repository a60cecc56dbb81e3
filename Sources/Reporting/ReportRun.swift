import Experiments

/// The results under one policy, as a page reads them: from the JSON of a result and nothing else.
struct ReportRun {
  let value: JSONValue
  /// The whole file, which says what is common to all runs.
  let root: JSONValue
  /// Where the run stands in the file; empty for a file with one run.
  let path: [String]
  /// Tells the identifiers of one run's elements from another's.
  let suffix: String
  let strategies: [(name: String, value: JSONValue)]

  init(_ value: JSONValue, in root: JSONValue, path: [String], suffix: String) {
    self.value = value
    self.root = root
    self.path = path
    self.suffix = suffix
    strategies = (value["strategies"]?.members ?? []).map { ($0.key, $0.value) }
  }

  /// The runs of a result, one per policy.
  static func all(_ result: JSONValue) -> [ReportRun] {
    guard let runs = result["runs"]?.elements, !runs.isEmpty else {
      return [ReportRun(result, in: result, path: [], suffix: "")]
    }
    return runs.enumerated().map { ReportRun($1, in: result, path: ["runs", "\($0)"], suffix: "-\($0 + 1)") }
  }

  /// The same run in a page about two results, its numbers' places beginning with a name.
  func moved(below name: String) -> ReportRun {
    ReportRun(value, in: root, path: [name] + path, suffix: suffix)
  }

  var policy: String { value["provenance"]?["policy"]?.string ?? "–" }

  /// The strategies that sent pushes.
  var senders: [(name: String, value: JSONValue)] {
    strategies.filter { ($0.value["sent"]?.count ?? 0) > 0 }
  }

  func metric(_ strategy: JSONValue, _ name: String) -> Estimate? { Estimate(strategy["metrics"]?[name]) }

  func has(_ metric: String) -> Bool { strategies.contains { self.metric($0.value, metric) != nil } }

  /// The metric that says most about what the scenario asks: what it names itself, else what its users notice.
  var headline: String? {
    let asked = ["selection", "precision"].compactMap { value[$0]?["metric"]?.string }
    return (asked + Metric.headlines.map(\.name)).first(where: has)
  }

  /// What a strategy sends pushes by; empty if the file does not say.
  func pushMechanisms(_ strategy: JSONValue) -> [String] {
    (strategy["mechanisms"]?.members ?? []).filter { $0.value["sent"] != nil }.map(\.key)
  }

  /// What a metric, a fate or a reason means, in a line, if the file says so.
  func meaning(_ kind: String, _ name: String) -> String? { root["definitions"]?[kind]?[name]?.string }

  /// Whether the scenario asks for differences whose intervals hold together.
  var jointly: Bool { value["comparison"]?["confidence"]?.string == "joint" }

  var confidence: String {
    NumberText.percent(value["provenance"]?["confidence"]?.double ?? 0.95, decimals: 0)
  }
}

/// An estimate with its interval, if there are at least two replications.
struct Estimate {
  var estimate: Double
  var low: Double?
  var high: Double?
  var unit: String

  init?(_ value: JSONValue?) {
    guard let value, let estimate = value["estimate"]?.double else { return nil }
    self.estimate = estimate
    low = value["low"]?.double
    high = value["high"]?.double
    unit = value["unit"]?.string ?? ""
  }
}

extension ReportRun {
  /// A number of the file with its place there, so that a reader, or a test, can look it up.
  func number(_ keys: [String], _ style: NumberStyle) -> Markup {
    guard let value = at(keys)?.double else { return "–" }
    return placed(keys, style.text(value))
  }

  private func placed(_ keys: [String], _ text: String) -> Markup {
    "<span data-path=\"\(Self.dotted(path + keys))\">\(text)</span>"
  }

  /// ` (low to high)` of what has these two, or nothing.
  func interval(_ keys: [String], _ style: NumberStyle) -> Markup {
    guard let low = at(keys + ["low"])?.double, let high = at(keys + ["high"])?.double else { return "" }
    let ends = style.interval(low, high)
    return bracket(keys, ends)
  }

  private func bracket(
    _ keys: [String], _ ends: (low: String, high: String),
    _ names: (low: String, high: String) = ("low", "high")
  ) -> Markup {
    " <span class=\"ci\">(\(placed(keys + [names.low], ends.low)) to \(placed(keys + [names.high], ends.high)))</span>"
  }

  /// A difference and its interval.
  ///
  /// - Parameter names: of the interval's ends.
  func differenceAndInterval(
    _ keys: [String], _ style: NumberStyle, _ names: (low: String, high: String) = ("low", "high")
  ) -> Markup {
    guard let value = at(keys + ["difference"])?.double else { return "–" }
    let middle = placed(keys + ["difference"], style.difference(value))
    guard let low = at(keys + [names.low])?.double, let high = at(keys + [names.high])?.double else {
      return middle
    }
    let ends = style.differences(low, high)
    return middle + bracket(keys, ends, names)
  }

  func at(_ keys: [String]) -> JSONValue? {
    var found: JSONValue? = value
    for key in keys {
      guard let here = found else { return nil }
      if case .array(let elements) = here {
        found = Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        found = here[key]
      }
    }
    return found
  }

  /// Keys joined by dots; a dot of a key comes after a backslash.
  static func dotted(_ keys: [String]) -> String {
    keys.map { key in
      var text = ""
      for character in key {
        if character == "." || character == "\\" { text.append("\\") }
        text.append(character)
      }
      return text
    }.joined(separator: ".")
  }

  /// An estimate of a strategy and its interval.
  func estimate(_ strategy: String, _ metric: String) -> Markup {
    let keys = ["strategies", strategy, "metrics", metric]
    guard let found = Estimate(at(keys)) else { return "–" }
    let style = NumberStyle(unit: found.unit)
    return number(keys + ["estimate"], style) + interval(keys, style)
  }
}
