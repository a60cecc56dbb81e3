public import Experiments
import PushModel
import Quantities

/// What a sweep varies, with the places where it was written.
struct SweptInput {
  var path: [YAMLKey]
  /// What to put at the path, one after the other; at least one.
  var values: [YAMLNode]

  var name: String { path.map(\.text).joined(separator: ".") }

  /// The value as an author would write it.
  func text(_ index: Int) -> String { values[index].flowText }

  func setting(_ index: Int) -> Setting { Setting(path: path, value: values[index]) }

  /// What results call the input.
  var described: Sweep.Input {
    let quantities = values.map { $0.scalar.flatMap { try? Quantity.parse($0) } }
    let dimension = quantities[0]?.dimension
    let isNumeric = quantities.allSatisfy { $0 != nil && $0?.dimension == dimension }
    return Sweep.Input(
      path: name, values: values.indices.map { values[$0].scalar ?? text($0) },
      numbers: isNumeric ? quantities.compactMap { $0?.value } : nil, dimension: isNumeric ? dimension : nil)
  }
}

/// Reads `sweep:` of a scenario and `--over` of the command line.
struct SweepDecoder {
  let context: DecodingContext

  /// The inputs of the scenario's `sweep:`.
  func inputs(_ node: YAMLNode) -> [SweptInput] {
    let reader = ValueReader(node, label: "`sweep`", context: context)
    guard let entries = reader.named() else { return [] }
    var inputs: [SweptInput] = []
    for (key, value) in entries {
      guard let path = path(key), let values = values(value) else { continue }
      inputs.append(SweptInput(path: path, values: values))
    }
    if inputs.count == entries.count { check(inputs, node.span.firstLine) }
    return inputs
  }

  /// The inputs of `PATH=V1,V2,…`, each an argument of `--over`.
  func inputs(over arguments: [String]) -> [SweptInput] {
    var inputs: [SweptInput] = []
    for argument in arguments {
      // Brackets make a list of the values; those who write a list or a range themselves have them already.
      var text = argument
      if let equals = argument.firstIndex(of: "=") {
        let value = argument[argument.index(after: equals)...].drop { $0 == " " }
        if !value.hasPrefix("["), !value.hasPrefix("{") || !value.contains("from") {
          text = argument[...equals] + "[\(value)]"
        }
      }
      guard let setting = Setting(text, name: "--over", log: context.log),
        let values = values(
          ValueReader(
            setting.value, label: Messages.quoted(setting.path.map(\.text).joined(separator: ".")),
            context: context))
      else { continue }
      inputs.append(SweptInput(path: setting.path, values: values))
    }
    if inputs.count == arguments.count, let last = inputs.last?.path.first?.span { check(inputs, last) }
    return inputs
  }

  /// A dotted key as a path, each part with its place.
  private func path(_ key: YAMLKey) -> [YAMLKey]? {
    let parts = key.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains(""), parts.count <= YAMLComposer.depthLimit else {
      context.log.add(Messages.emptyPath(key.span, path: key.text))
      return nil
    }
    var column = key.span.start.column
    return parts.map { part in
      let count = part.unicodeScalars.count
      defer { column += count + 1 }
      guard !key.isQuoted else { return YAMLKey(part, span: key.span) }
      let start = SourcePosition(line: key.span.start.line, column: column)
      return YAMLKey(part, span: key.span.source.span(start, length: count))
    }
  }

  /// The values of a list, or those evenly spread over a range.
  private func values(_ reader: ValueReader) -> [YAMLNode]? {
    if reader.node.entries != nil { return reader.mapping(ScenarioKeys.sweptRange).flatMap(spread) }
    guard let items = reader.list(count: 1...Sweep.mostPoints) else { return nil }
    for item in items where item.node.isNull {
      context.log.add(Messages.missingValue(item.label, item.node.span, expected: "a value"))
      return nil
    }
    var seen: [String: SourceSpan] = [:]
    for item in items {
      let text = item.node.flowText
      if let first = seen[text] {
        context.log.add(Messages.sweptValueTwice(text, item.node.span, first: first))
        return nil
      }
      seen[text] = item.node.span
    }
    return items.map(\.node)
  }

  private func spread(_ mapping: MappingReader) -> [YAMLNode]? {
    func end(_ key: String) -> Quantity? {
      guard let text = mapping.text(key), let node = mapping.value(key)?.node else { return nil }
      if let quantity = try? Quantity.parse(text) { return quantity }
      context.log.add(Messages.endIsNoQuantity(Messages.quoted(key), node))
      return nil
    }
    guard let from = end("from"), let to = end("to"), let steps = mapping.integer("steps") else { return nil }
    guard from.dimension == to.dimension, from.value != to.value else {
      context.log.add(Messages.endsDoNotSpan(mapping.node))
      return nil
    }
    return (0..<steps).map { step in
      let t = Double(step) / Double(steps - 1)
      let text = Quantity.format(from.value + t * (to.value - from.value), from.dimension)
      return YAMLNode(.scalar(text, isQuoted: false), span: mapping.node.span)
    }
  }

  /// Keys that have to be the same at every point.
  private static let fixed = ["seed", "replications", "confidence", "baseline"]

  private func check(_ inputs: [SweptInput], _ span: SourceSpan) {
    guard (1...Sweep.mostInputs).contains(inputs.count) else {
      context.log.add(Messages.wrongNumberOfInputs(inputs.count, span))
      return
    }
    for input in inputs {
      let names = input.path.map(\.text)
      if names[0] == "sweep"
        || names[0] == "experiment" && (names.count == 1 || Self.fixed.contains(names[1]))
      {
        context.log.add(Messages.cannotBeSwept(input.name, input.path[0].span))
      }
    }
    if inputs.count == 2 {
      let (first, second) = (inputs[0].path.map(\.text), inputs[1].path.map(\.text))
      if first.starts(with: second) || second.starts(with: first) {
        context.log.add(
          Messages.sweptTwice(inputs[1].name, inputs[1].path[0].span, first: inputs[0].path[0].span))
      }
    }
    // Two lists of a thousand values are a million: no overflow.
    let points = inputs.reduce(1) { $0 * $1.values.count }
    if points > Sweep.mostPoints { context.log.add(Messages.tooManyPoints(points, span)) }
  }
}

extension ScenarioDecoder {
  /// Reads a scenario at every point of a sweep, so that every mistake is known before anything runs.
  ///
  /// - Parameters:
  ///   - path: the scenario's file.
  ///   - settings: the arguments of `--set`, in order; a point's values are set after them.
  ///   - policies: the arguments of `--policy`, in order; none: the scenario's policies.
  ///   - over: the arguments of `--over`, in order; if there are any, the scenario's own `sweep:` is not looked at.
  ///   - log: gets every mistake; a sweep is returned only if there is none.
  public static func sweep(
    path: String, settings: [String], policies: [String] = [], over: [String], files: ScenarioFiles,
    log: DiagnosticLog
  ) -> Sweep? {
    guard let source = DecodingContext(log: log, read: files.read).source(path, origin: .scenario),
      let base = decode(source, settings: settings, policies: policies, files: files, log: log)
    else { return nil }
    let decoder = SweepDecoder(context: DecodingContext(log: log, read: files.read))
    var inputs: [SweptInput] = []
    if over.isEmpty {
      // Without a mistake, since it has been read.
      guard var root = YAMLComposer.compose(source, log: DiagnosticLog()) else { return nil }
      for setting in settings.compactMap({ Setting($0, log: log) }) where setting.path[0].text == "sweep" {
        root.apply(setting, log: log)
      }
      guard let node = root["sweep"] else {
        log.add(Messages.noSweep(source.name))
        return nil
      }
      inputs = decoder.inputs(node)
    } else {
      inputs = decoder.inputs(over: over)
    }
    guard !log.hasErrors else { return nil }
    var points: [Sweep.Point] = []
    for indices in combinations(inputs.map(\.values.count)) {
      let varied = zip(inputs, indices)
      let own = DiagnosticLog()
      let scenario = decode(
        source, settings: settings, policies: policies,
        varied: varied.map { ($0.setting($1), "\($0.name)=\($0.text($1))") },
        files: files, log: own)
      // What is wrong at every point is said once.
      for diagnostic in own.diagnostics { log.add(diagnostic) }
      if let scenario { points.append(Sweep.Point(indices: indices, scenario: scenario)) }
    }
    return log.hasErrors ? nil : Sweep(base: base, inputs: inputs.map(\.described), points: points)
  }

  /// All tuples of numbers below the counts, the last one counting fastest.
  private static func combinations(_ counts: [Int]) -> [[Int]] {
    counts.reduce([[]]) { tuples, count in tuples.flatMap { tuple in (0..<count).map { tuple + [$0] } } }
  }
}
