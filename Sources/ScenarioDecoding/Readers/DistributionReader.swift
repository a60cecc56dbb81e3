public import Distributions
internal import Glibc
public import Quantities

extension ValueReader {
  /// A distribution, written by family and parameters, or one quantity for a constant.
  ///
  /// - Parameters:
  ///   - dimension: what the drawn values measure.
  ///   - support: the values that may be drawn, in SI units. A family whose ends the author sets may not reach beyond;
  ///     of any other what lies beyond is cut to the support's end, as `min` and `max` do, unless it is the most of it.
  /// - Returns: nil, and a diagnostic in the log, if the text is no such distribution.
  public func distribution(_ dimension: Dimension, support: ClosedRange<Double> = .anything) -> Distribution?
  {
    if node.scalar != nil { return quantity(dimension, support).map(Distribution.constant) }
    guard let distribution = DistributionReader(self, dimension).read() else { return nil }
    return fit(distribution, dimension, support)
  }

  private func fit(_ distribution: Distribution, _ dimension: Dimension, _ support: ClosedRange<Double>)
    -> Distribution?
  {
    let drawn = distribution.support
    // A few roundings: `log_uniform: [1 /day, 1 /h]` may end a bit beyond its own end.
    let slack = 1e-9 * min(support.upperBound, 1)
    let isBelow = drawn.lowerBound < support.lowerBound - slack
    let isAbove = drawn.upperBound > support.upperBound * (1 + 1e-9)
    guard isBelow || isAbove else { return distribution }
    // Of these families the author wrote the ends; of the others the ends come with the family, and cutting them is
    // what the author would do. Not if most of it is cut: that is a slip.
    let endsAreWritten = ["constant", "uniform", "log_uniform", "discrete", "empirical"]
    let isMostlyOutside = !support.contains(distribution.quantile(0.5))
    if isMostlyOutside || endsAreWritten.contains(distribution.family) {
      context.log.add(
        Messages.outsideSupport(
          label, node, dimension, drawn: drawn, support: support, isMostlyOutside: isMostlyOutside))
      return nil
    }
    // A tail that no run will ever see is not worth a clamp in every draw.
    let negligible = 1e-12
    let low = isBelow && distribution.cdf(support.lowerBound) > negligible ? support.lowerBound : -.infinity
    let high =
      isAbove && distribution.cdf(support.upperBound) < 1 - negligible ? support.upperBound : .infinity
    guard low.isFinite || high.isFinite else { return distribution }
    return try? .capped(distribution, low: low, high: high)
  }
}

/// The families that are made of data or of other distributions, which the decoder knows by name.
package enum CompositeFamily: String, CaseIterable {
  case discrete
  case empirical
  case mixture
}

/// The keys that modify any family.
package enum DistributionModifier: String, CaseIterable {
  case min
  case max
  case truncate
}

extension CompositeFamily {
  /// A row of `discrete`.
  package static func weighted(_ dimension: Dimension) -> KeyTable {
    KeyTable([
      .required("value", .quantity(dimension), "the value"),
      .required("weight", weight, "its weight relative to the others"),
    ])
  }

  /// A row of `mixture`.
  package static func part(_ dimension: Dimension) -> KeyTable {
    KeyTable([
      .required("weight", weight, "the weight of this part relative to the others"),
      .required("of", .distribution(dimension), "the distribution of this part"),
    ])
  }

  /// A number, or a proportion.
  package static let weight = ValueForm.either([
    .quantity(.count, .notNegative), .quantity(.proportion, .notNegative),
  ])
}

extension Distribution {
  /// The families that can carry the dimension, in the order of the documentation; without those made of data.
  package static func families(carrying dimension: Dimension) -> [FamilyDescription] {
    families.filter { dimension == .count || dimension == .proportion || !$0.isCount }
  }
}

extension FamilyDescription {
  /// The symbols that `unit` takes, which says what a logarithm is of; empty where it has no place.
  package func logarithmUnits(_ dimension: Dimension) -> [String] {
    parameters.contains { $0.role == .logarithm } ? dimension.units.map(\.symbol) : []
  }
}

private struct DistributionReader {
  let reader: ValueReader
  let dimension: Dimension
  var log: DiagnosticLog { reader.context.log }

  init(_ reader: ValueReader, _ dimension: Dimension) {
    self.reader = reader
    self.dimension = dimension
  }

  /// Families that can carry the dimension, in the order of the documentation.
  private static func families(_ dimension: Dimension) -> [String] {
    Distribution.families(carrying: dimension).map(\.name) + CompositeFamily.allCases.map(\.rawValue)
  }

  func read() -> Distribution? {
    let families = Self.families(dimension)
    guard let entries = reader.node.entries else {
      log.add(Messages.wrongForm(reader.label, reader.node, expected: expected))
      return nil
    }
    var family: YAMLEntry?
    var modifiers: [YAMLEntry] = []
    for entry in entries {
      if DistributionModifier(rawValue: entry.key.text) != nil {
        modifiers.append(entry)
      } else if !families.contains(entry.key.text) {
        let isCount = Distribution.families.contains { $0.name == entry.key.text }
        log.add(
          isCount
            ? Messages.countFamily(entry.key, reader.label, dimension)
            : Messages.unknownFamily(entry.key, reader.label, valid: families))
        return nil
      } else if family != nil {
        log.add(Messages.twoFamilies(entry.key, reader.label, first: family!.key))
        return nil
      } else {
        family = entry
      }
    }
    guard let family else {
      log.add(Messages.wrongForm(reader.label, reader.node, expected: expected))
      return nil
    }
    guard let base = base(family, &modifiers) else { return nil }
    return modify(base, modifiers)
  }

  private var expected: String {
    "\(Messages.phrase(dimension, in: .anything)), or a distribution such as `\(dimension.exampleOfDistribution)`"
  }

  /// The distribution without modifiers; those among the family's parameters are added to `modifiers`.
  private func base(_ entry: YAMLEntry, _ modifiers: inout [YAMLEntry]) -> Distribution? {
    let body = ValueReader(entry.value, label: Messages.quoted(entry.key.text), context: reader.context)
    switch CompositeFamily(rawValue: entry.key.text) {
    case .discrete: return discrete(body)
    case .empirical: return empirical(body)
    case .mixture: return mixture(body)
    case nil: break
    }
    guard let family = Distribution.families.first(where: { $0.name == entry.key.text }) else { return nil }
    var parameters: [String: YAMLNode] = [:]
    if family.name == "constant", body.node.scalar != nil {
      parameters["value"] = body.node
    } else if family.parameterSets == [["low", "high"]], body.node.items != nil {
      guard let ends = body.list(count: 2...2) else { return nil }
      parameters = ["low": ends[0].node, "high": ends[1].node]
    } else if let entries = body.node.entries {
      let valid = validNames(family)
      var isSound = true
      for entry in entries {
        if DistributionModifier(rawValue: entry.key.text) != nil {
          modifiers.append(entry)
        } else if valid.contains(entry.key.text) || family.role(of: entry.key.text) != nil {
          parameters[entry.key.text] = entry.value
        } else {
          log.add(Messages.unknownKey(entry.key, in: body.label, valid: valid))
          isSound = false
        }
      }
      guard isSound else { return nil }
    } else {
      log.add(Messages.wrongForm(body.label, body.node, expected: "a mapping with \(family.expectation)"))
      return nil
    }
    return named(family, parameters, body)
  }

  private func validNames(_ family: FamilyDescription) -> [String] {
    let named = family.parameters.map(\.name)
    let quantiles = family.quantileCount > 0 ? ["median", "p95"].filter { !named.contains($0) } : []
    let unit = family.logarithmUnits(dimension).isEmpty ? [] : ["unit"]
    return named + quantiles + unit + DistributionModifier.allCases.map(\.rawValue)
  }

  /// One of the families of ``Distribution/make(family:parameters:)``.
  private func named(_ family: FamilyDescription, _ nodes: [String: YAMLNode], _ body: ValueReader)
    -> Distribution?
  {
    var nodes = nodes
    var logUnit = 0.0
    if let node = nodes.removeValue(forKey: "unit") {
      let unit = ValueReader(node, label: "`unit`", context: reader.context)
      guard let index = unit.choice(dimension.units.map(\.symbol)) else { return nil }
      logUnit = Glibc.log(dimension.units[index].si(1))
      if nodes["zeta"] == nil {
        log.add(Messages.unitWithoutLogarithm(node))
        return nil
      }
    }
    var parameters: [String: Double] = [:]
    var isSound = true
    for (name, node) in nodes.sorted(by: { $0.key < $1.key }) {
      guard let role = family.role(of: name) else { continue }
      let value = ValueReader(node, label: Messages.quoted(name), context: reader.context)
      switch role {
      case .sameDimension: parameters[name] = value.quantity(dimension)
      case .pure: parameters[name] = value.quantity(.count)
      case .proportion: parameters[name] = value.quantity(.proportion, 0...1, allowsBareProportion: true)
      case .logarithm: parameters[name] = value.quantity(.count).map { $0 + logUnit }
      }
      if parameters[name] == nil { isSound = false }
    }
    guard isSound else { return nil }
    if family.name == "beta", nodes["scale"] == nil, dimension != .proportion, dimension != .count {
      log.add(Messages.betaWithoutScale(body.node, dimension))
      return nil
    }
    return make(body, nodes) { () throws(DistributionError) in
      try Distribution.make(family: family.name, parameters: parameters)
    }
  }

  /// Runs a constructor and puts what it objects to where the parameter stands.
  private func make(
    _ body: ValueReader, _ nodes: [String: YAMLNode] = [:],
    construct: () throws(DistributionError) -> Distribution
  ) -> Distribution? {
    do throws(DistributionError) {
      return try construct()
    } catch {
      log.add(
        Messages.distributionRule(
          error, body.label, body.node, parameter: error.parameter.flatMap { nodes[$0] }))
      return nil
    }
  }

  private func modify(_ base: Distribution, _ modifiers: [YAMLEntry]) -> Distribution? {
    var result = base
    var places: [DistributionModifier: YAMLKey] = [:]
    var ends: [DistributionModifier: (value: Double, node: YAMLNode)] = [:]
    for entry in modifiers.sorted(by: { $0.key.span.start < $1.key.span.start }) {
      guard let modifier = DistributionModifier(rawValue: entry.key.text) else { continue }
      if let first = places[modifier] {
        log.add(Messages.duplicateKey(entry.key.text, entry.key.span, first: first.span))
        return nil
      }
      places[modifier] = entry.key
      let value = ValueReader(entry.value, label: Messages.quoted(entry.key.text), context: reader.context)
      if modifier == .truncate {
        guard let list = value.list(count: 2...2), let low = list[0].quantity(dimension),
          let high = list[1].quantity(dimension)
        else { return nil }
        do throws(DistributionError) {
          result = try .truncated(result, low: low, high: high)
        } catch {
          // The rule's numbers would be in SI units.
          log.add(
            low < high
              ? Messages.emptyTruncation(value.node) : Messages.endsInWrongOrder(value.label, value.node))
          return nil
        }
      } else {
        guard let end = value.quantity(dimension) else { return nil }
        ends[modifier] = (end, value.node)
      }
    }
    let low = ends[.min]?.value ?? -.infinity
    let high = ends[.max] ?? (.infinity, reader.node)
    guard !ends.isEmpty else { return result }
    guard low <= high.value else {
      log.add(Messages.capInWrongOrder(high.node))
      return nil
    }
    return make(
      reader,
      construct: { () throws(DistributionError) in
        try .capped(result, low: low, high: high.value)
      })
  }

  // MARK: Data and mixtures

  /// Whether weights mean what they say: as soon as one is written as a share, they are to be 100 % together.
  private func checkShares(_ weights: [Double], _ readers: [ValueReader?], _ body: ValueReader) -> Bool {
    let hasShare = readers.contains { reader in
      reader?.node.scalar.flatMap { try? Quantity.parse($0) }?.dimension == .proportion
    }
    let sum = weights.reduce(0, +)
    guard hasShare, !sharesAreWhole(sum) else { return true }
    log.add(
      Messages.sharesDoNotAddUp(
        body.node.span.firstLine, body.label, sum: sum,
        help: "weights without `%` count relative to each other"))
    return false
  }

  /// A weight: a number, or a proportion.
  private func weight(_ reader: ValueReader?) -> Double? {
    guard let reader else { return nil }
    if let text = reader.node.scalar, (try? Quantity.parse(text))?.dimension == .proportion {
      return reader.quantity(.proportion, .notNegative)
    }
    return reader.quantity(.count, .notNegative)
  }

  private func discrete(_ body: ValueReader) -> Distribution? {
    var values: [Double?] = []
    var readers: [ValueReader?] = []
    if let entries = body.node.entries {
      for entry in entries {
        let key = YAMLNode(.scalar(entry.key.text, isQuoted: entry.key.isQuoted), span: entry.key.span)
        values.append(
          ValueReader(key, label: "a value of `discrete`", context: reader.context).quantity(dimension))
        readers.append(
          ValueReader(
            entry.value, label: "the weight of \(Messages.quoted(entry.key.text))", context: reader.context))
      }
    } else {
      guard let items = body.list(count: 1...Int.max) else { return nil }
      for item in items {
        let row = item.mapping(CompositeFamily.weighted(dimension))
        values.append(row?.value("value")?.quantity(dimension))
        readers.append(row?.value("weight"))
      }
    }
    let weights = readers.map(weight)
    guard !values.isEmpty else {
      log.add(Messages.emptyDistribution(body.label, body.node))
      return nil
    }
    let soundValues = values.compactMap(\.self)
    let soundWeights = weights.compactMap(\.self)
    guard soundValues.count == values.count, soundWeights.count == weights.count,
      checkShares(soundWeights, readers, body)
    else { return nil }
    return make(body) { () throws(DistributionError) in
      try .discrete(values: soundValues, weights: soundWeights)
    }
  }

  private func mixture(_ body: ValueReader) -> Distribution? {
    guard let items = body.list(count: 1...Int.max) else { return nil }
    var readers: [ValueReader?] = []
    let parts = items.map { item -> (weight: Double, distribution: Distribution)? in
      let row = item.mapping(CompositeFamily.part(dimension))
      readers.append(row?.value("weight"))
      let weight = weight(row?.value("weight"))
      let distribution = row?.value("of")?.distribution(dimension)
      guard let weight, let distribution else { return nil }
      return (weight, distribution)
    }
    let soundParts = parts.compactMap(\.self)
    guard soundParts.count == parts.count, checkShares(soundParts.map(\.weight), readers, body) else {
      return nil
    }
    return make(body) { () throws(DistributionError) in try .mixture(soundParts) }
  }

  private func empirical(_ body: ValueReader) -> Distribution? {
    guard body.node.entries != nil else {
      guard let items = body.list(count: 1...Int.max) else { return nil }
      let values = items.map { $0.quantity(dimension) }
      let sound = values.compactMap(\.self)
      guard sound.count == values.count else { return nil }
      return make(body) { () throws(DistributionError) in try .empirical(sound) }
    }
    guard let column = CSVColumn.read(body, dimension, context: reader.context) else { return nil }
    let values = column.map(\.value)
    return make(body) { () throws(DistributionError) in try .empirical(values) }
  }
}

extension Dimension {
  /// A distribution as an author would write it.
  fileprivate var exampleOfDistribution: String {
    switch self {
    case .count: "{poisson: {mean: 3}}"
    case .proportion: "{beta: {a: 2, b: 8}}"
    default: "{exponential: {mean: \(example)}}"
    }
  }
}
