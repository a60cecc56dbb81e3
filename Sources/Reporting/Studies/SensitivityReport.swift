import ExperimentDesign
public import Experiments
import OutputAnalysis
import PushModel
import Quantities
public import ScenarioDecoding

/// What an answer depends on, as text and as JSON.
public enum SensitivityReport {
  public static let format = "pushsim-sensitivity/1"

  // MARK: Text

  /// - Parameters:
  ///   - only: the strategies shown; empty: all.
  ///   - width: the terminal's, in columns.
  public static func text(_ result: SensitivityResult, only: [String] = [], width: Int) -> String {
    let scenario = result.scenario
    let strategies = shown(result, only)
    let unit = result.settings.metric.unit
    var text = TextRenderer.wrapped("\(scenario.name): \(scenario.question)", width: width) + "\n"
    text += TextRenderer.wrapped(
      "sensitivity of \(result.settings.metric.name) to \(parameters(result.parameters.count)) with a plausible range, "
        + "policy \(PolicyWords.text(scenario.input.policies[0])): \(result.points) points of "
        + "\(result.settings.replications) replications of \(NumberText.grouped(Int64(scenario.experiment.devices))) "
        + "devices, all on the same random numbers.\nEvery number is an output of the model: Apple publishes no "
        + "delivery rate.", width: width)
    text += "\nat the scenario's values\n"
    for index in strategies {
      let base = result.base[index]
      text += "  \(result.strategies[index]): \(NumberStyle(unit).text(base.mean))"
      if let half = base.interval?.halfWidth { text += " ±\(NumberStyle(unit).bare(half))" }
      text += "\n"
    }
    text += tornado(result, strategies, width) + morris(result, strategies, width)
    text += sobol(result, strategies, width) + "\nwhat would change the conclusion\n"
    for sentence in sentences(result, only: only) {
      text += TextRenderer.wrapped("  " + sentence, width: width, hanging: 4)
    }
    return text
  }

  private static func parameters(_ count: Int) -> String { "\(count) parameter\(count == 1 ? "" : "s")" }

  private static func shown(_ result: SensitivityResult, _ only: [String]) -> [Int] {
    result.strategies.indices.filter { only.isEmpty || only.contains(result.strategies[$0]) }
  }

  /// Parameters of a table; the result file has all.
  private static let mostShown = 15

  private static func tornado(_ result: SensitivityResult, _ strategies: [Int], _ width: Int) -> String {
    guard let bars = result.tornado, !bars.isEmpty else { return "" }
    let unit = result.settings.metric.unit
    var text = ""
    for strategy in strategies {
      let ranked = bars.filter { $0.size(strategy) > 0 }.sorted { $0.size(strategy) > $1.size(strategy) }
      let clear = ranked.filter { !$0.isWithinChance(strategy) }
      text +=
        "\n\(result.strategies[strategy]): one parameter at a time, from 5 % to 95 % of what is plausible\n"
      var table = TextTable([
        TextTable.Column("parameter", .left, mayShrink: true), TextTable.Column("value", .right),
        TextTable.Column("from", .right), TextTable.Column("", .right), TextTable.Column("to", .right),
        TextTable.Column("", .right),
      ])
      for bar in clear.prefix(mostShown) {
        let parameter = result.parameters[bar.parameter]
        table.add([
          parameter.path, parameter.text(parameter.value), parameter.text(bar.low.value),
          effect(bar.low.effects[strategy], unit), parameter.text(bar.high.value),
          effect(bar.high.effects[strategy], unit),
        ])
      }
      if !clear.isEmpty { text += table.text(width: width, indentation: 2) }
      var rest: [String] = []
      if clear.count > mostShown { rest.append("\(clear.count - mostShown) more have smaller effects") }
      let unclear = ranked.count - clear.count
      if unclear > 0 { rest.append("\(unclear) have no effect beyond chance") }
      if bars.count > ranked.count { rest.append("\(bars.count - ranked.count) have no effect at all") }
      if !rest.isEmpty {
        text += TextRenderer.wrapped(
          "  Of \(bars.count) parameters " + rest.joined(separator: ", ") + ".", width: width)
      }
    }
    return text
  }

  private static func effect(_ estimate: MeanEstimate?, _ unit: Metric.Unit) -> String {
    guard let estimate else { return "–" }
    let half = estimate.interval.map { " ±" + NumberStyle(unit).bare($0.halfWidth) } ?? ""
    return NumberStyle(unit).difference(estimate.mean) + half
  }

  private static func morris(_ result: SensitivityResult, _ strategies: [Int], _ width: Int) -> String {
    guard let morris = result.morris else { return "" }
    let unit = result.settings.metric.unit
    var text = ""
    for strategy in strategies {
      let effects = morris[strategy]
      let ranked = effects.indices.sorted {
        (effects[$1].meanSize ?? 0, $0) < (effects[$0].meanSize ?? 0, $1)
      }
      let clear = ranked.filter { effects[$0].isAboveChance }
      text += "\n\(result.strategies[strategy]): all parameters at once (Morris), effects over that range\n"
      var table = TextTable([
        TextTable.Column("parameter", .left, mayShrink: true), TextTable.Column("mean size", .right),
        TextTable.Column("from", .right), TextTable.Column("to", .right), TextTable.Column("mean", .right),
        TextTable.Column("spread", .right), TextTable.Column("chance", .right),
      ])
      for parameter in clear.prefix(mostShown) {
        let effect = effects[parameter]
        func number(_ value: Double?) -> String { value.map { NumberStyle(unit).bare($0) } ?? "–" }
        table.add([
          result.parameters[parameter].path, number(effect.meanSize),
          number(effect.meanSizeInterval?.lowerBound),
          number(effect.meanSizeInterval?.upperBound), number(effect.mean), number(effect.standardDeviation),
          number(effect.chanceSize),
        ])
      }
      if !clear.isEmpty { text += table.text(width: width, indentation: 2) }
      text += TextRenderer.wrapped(
        "  \(clear.count) of \(effects.count) parameters have effects beyond chance. spread: how much an effect depends "
          + "on where the others are. chance: the largest mean size that chance alone is likely to give.",
        width: width)
    }
    return text
  }

  private static func sobol(_ result: SensitivityResult, _ strategies: [Int], _ width: Int) -> String {
    guard let sobol = result.sobol else { return "" }
    guard !result.indexed.isEmpty else {
      return "\nshares of the variance (Sobol indices): no parameter has an effect beyond chance\n"
    }
    var text = ""
    for strategy in strategies {
      text += "\n\(result.strategies[strategy]): shares of the variance (Sobol indices)\n"
      guard let indices = sobol[strategy] else {
        text += "  The metric does not vary beyond chance.\n"
        continue
      }
      let ranked = indices.indices.sorted { (indices[$1].total, $0) < (indices[$0].total, $1) }
      var table = TextTable([
        TextTable.Column("parameter", .left, mayShrink: true), TextTable.Column("alone", .right),
        TextTable.Column("from to", .right), TextTable.Column("with others", .right),
        TextTable.Column("from to", .right),
      ])
      func range(_ range: ClosedRange<Double>) -> String {
        NumberText.fixed(range.lowerBound, 2) + " to " + NumberText.fixed(range.upperBound, 2)
      }
      for index in ranked {
        table.add([
          result.parameters[result.indexed[index]].path, NumberText.fixed(indices[index].first, 2),
          range(indices[index].firstInterval), NumberText.fixed(indices[index].total, 2),
          range(indices[index].totalInterval),
        ])
      }
      text += table.text(width: width, indentation: 2)
    }
    if !result.leftOut.isEmpty {
      text += TextRenderer.wrapped(
        "\(result.leftOut.count) parameters with smaller effects were left at the scenario's values.",
        width: width)
    }
    return text
  }

  /// The answer in words: what is decided, what would turn it round and where, what cannot be told.
  ///
  /// - Parameter only: strategies of which one has to be in each pair; empty: all pairs.
  public static func sentences(_ result: SensitivityResult, only: [String] = []) -> [String] {
    let unit = result.settings.metric.unit
    let name = result.settings.metric.name
    let wanted = Set(shown(result, only))
    let pairs = result.comparisons.indices.filter {
      let pair = result.comparisons[$0]
      return wanted.contains(pair.first) || wanted.contains(pair.second)
    }
    guard !pairs.isEmpty else { return ["There is no other strategy with this metric to compare with."] }
    var sentences: [String] = []
    var robust = 0
    for index in pairs {
      let pair = result.comparisons[index]
      let (a, b) = (result.strategies[pair.first], result.strategies[pair.second])
      let flips = result.flips.filter { $0.first == pair.first && $0.second == pair.second }
      let share =
        result.firstIsMore.isEmpty || result.firstIsMore[index].isNaN ? nil : result.firstIsMore[index]
      var sentence: String
      switch pair.sign {
      case 0: sentence = "\(a) and \(b) cannot be told apart at the scenario's values"
      case let sign:
        let (more, less) = sign > 0 ? (a, b) : (b, a)
        sentence =
          "\(more) has more \(name) than \(less), by \(NumberStyle(unit).difference(pair.difference.magnitude)) "
          + "±\(NumberStyle(unit).bare(pair.halfWidth))"
      }
      if flips.isEmpty {
        if pair.sign != 0, result.tornado != nil { robust += 1 }
      } else {
        sentence += pair.sign == 0 ? "; which has more depends: " : "; your conclusion changes if "
        sentence += flips.map { describe($0, result, sign: pair.sign) }.joined(separator: ", or if ")
      }
      if let share, result.sobol != nil {
        let high = pair.sign < 0 ? 1 - share : share
        sentence +=
          "; with \(parameters(result.indexed.count)) drawn at once \(pair.sign < 0 ? b : a) has more in "
          + "\(NumberText.percent(high, decimals: 0)) of \(2 * result.settings.samples) draws"
      }
      // Where nothing turns a decided pair round and it was not drawn at once, the sum below says so.
      if !flips.isEmpty || share != nil || pair.sign == 0 { sentences.append(sentence + ".") }
    }
    if robust > 0 {
      sentences.append(
        "\(robust) of \(pairs.count) comparisons: no single parameter, moved from 5 % to 95 % of what is plausible with "
          + "the others left, turns it round for sure at this precision.")
    }
    return sentences
  }

  private static func describe(_ flip: RankFlip, _ result: SensitivityResult, sign: Int) -> String {
    let parameter = result.parameters[flip.parameter]
    let (a, b) = (result.strategies[flip.first], result.strategies[flip.second])
    // The side on which the conclusion is another; without one, the lower.
    let isBelow = sign == 0 || (sign > 0) != flip.firstIsMoreBelow
    let more = isBelow == flip.firstIsMoreBelow ? a : b
    return
      "\(parameter.path) is \(isBelow ? "below" : "above") about \(parameter.text(flip.at)): then \(more) has "
      + "more (the turn lies between \(parameter.text(flip.between.lowerBound)) and "
      + "\(parameter.text(flip.between.upperBound)), where chance hides it)"
  }

  // MARK: JSON

  /// - Parameter only: as of ``text(_:only:width:)``.
  public static func json(_ result: SensitivityResult, only: [String] = []) -> JSONValue {
    let scenario = result.scenario
    let strategies = shown(result, only)
    func byStrategy(_ value: (Int) -> JSONValue) -> JSONValue {
      .object(strategies.map { (result.strategies[$0], value($0)) })
    }
    var members: [(String, JSONValue)] = [
      ("format", .string(format)),
      ("scenario", .string(scenario.name)),
      ("question", .string(scenario.question)),
      (
        "provenance",
        .object(
          [
            ("pushsim", .string(pushsimVersion)), ("scenario_sha256", .string(scenario.digest)),
          ] + PolicyWords.members(scenario.input.policies[0]) + [
            ("seed", .unsigned(scenario.input.seed)),
            ("devices", .integer(scenario.experiment.devices)),
            ("replications", .integer(result.settings.replications)),
            ("method", .string(result.settings.method.rawValue)),
            ("trajectories", .integer(result.settings.trajectories)),
            ("samples", .integer(result.settings.samples)), ("points", .integer(result.points)),
            ("confidence", .number(scenario.experiment.confidence)),
          ])
      ),
      ("note", .string("Apple publishes no delivery rate: every number here is an output of the model.")),
      ("metric", .string(result.settings.metric.name)),
      ("unit", .string(result.settings.metric.unit.rawValue)),
      ("parameters", .array(result.parameters.map { UncertaintyRecord.Parameter($0).json })),
      ("base", byStrategy { estimate(result.base[$0]) }),
    ]
    if let tornado = result.tornado {
      members.append(
        (
          "tornado",
          .array(
            tornado.map { bar in
              let parameter = result.parameters[bar.parameter]
              func end(_ end: TornadoEnd) -> JSONValue {
                .object([
                  ("value", .string(parameter.text(end.value))), ("value_si", .number(end.value)),
                  ("effects", byStrategy { end.effects[$0].map(estimate) ?? .null }),
                ])
              }
              return .object([
                ("parameter", .string(parameter.path)), ("low", end(bar.low)), ("high", end(bar.high)),
                ("within_chance", byStrategy { .bool(bar.isWithinChance($0)) }),
              ])
            })
        ))
    }
    if let morris = result.morris {
      members.append(
        (
          "morris",
          byStrategy { strategy in
            .array(zip(result.parameters, morris[strategy]).map { effects($0, $1) })
          }
        ))
    }
    if let sobol = result.sobol {
      members.append(
        (
          "sobol",
          byStrategy { strategy in
            sobol[strategy].map { indices in
              .array(zip(result.indexed, indices).map { index(result.parameters[$0], $1) })
            } ?? .null
          }
        ))
      members.append(("left_out", .array(result.leftOut.map { .string(result.parameters[$0].path) })))
    }
    members.append(("rankings", .array(rankings(result, strategies))))
    members.append(("conclusion", .array(sentences(result, only: only).map(JSONValue.string))))
    return .object(members)
  }

  private static func estimate(_ estimate: MeanEstimate) -> JSONValue {
    .object([
      ("mean", .number(estimate.mean)),
      ("low", estimate.interval.map { .number($0.lower) } ?? .null),
      ("high", estimate.interval.map { .number($0.upper) } ?? .null),
    ])
  }

  private static func number(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }

  private static func effects(_ parameter: UncertainParameter, _ effects: ElementaryEffects) -> JSONValue {
    .object([
      ("parameter", .string(parameter.path)),
      ("mu", number(effects.mean)),
      ("mu_low", number(effects.meanInterval?.lower)),
      ("mu_high", number(effects.meanInterval?.upper)),
      ("mu_star", number(effects.meanSize)),
      ("mu_star_low", number(effects.meanSizeInterval?.lowerBound)),
      ("mu_star_high", number(effects.meanSizeInterval?.upperBound)),
      ("sigma", number(effects.standardDeviation)),
      ("mu_star_of_chance", number(effects.chanceSize)),
      ("above_chance", .bool(effects.isAboveChance)),
    ])
  }

  private static func index(_ parameter: UncertainParameter, _ indices: SobolIndices) -> JSONValue {
    .object([
      ("parameter", .string(parameter.path)),
      ("first", .number(indices.first)),
      ("first_low", .number(indices.firstInterval.lowerBound)),
      ("first_high", .number(indices.firstInterval.upperBound)),
      ("total", .number(indices.total)),
      ("total_low", .number(indices.totalInterval.lowerBound)),
      ("total_high", .number(indices.totalInterval.upperBound)),
    ])
  }

  private static func rankings(_ result: SensitivityResult, _ strategies: [Int]) -> [JSONValue] {
    result.comparisons.indices.compactMap { index in
      let pair = result.comparisons[index]
      guard strategies.contains(pair.first) || strategies.contains(pair.second) else { return nil }
      let flips = result.flips.filter { $0.first == pair.first && $0.second == pair.second }
      return .object([
        ("strategy", .string(result.strategies[pair.first])),
        ("other", .string(result.strategies[pair.second])),
        ("difference", .number(pair.difference)),
        ("low", .number(pair.difference - pair.halfWidth)),
        ("high", .number(pair.difference + pair.halfWidth)),
        ("share_higher", result.firstIsMore.isEmpty ? .null : .number(result.firstIsMore[index])),
        (
          "flips",
          .array(
            flips.map { flip in
              let parameter = result.parameters[flip.parameter]
              return .object([
                ("parameter", .string(parameter.path)),
                ("at", .string(parameter.text(flip.at))), ("at_si", .number(flip.at)),
                (
                  "between",
                  .array(
                    [flip.between.lowerBound, flip.between.upperBound].map { .string(parameter.text($0)) })
                ),
                ("between_si", .array([.number(flip.between.lowerBound), .number(flip.between.upperBound)])),
                (
                  "higher_below", .string(result.strategies[flip.firstIsMoreBelow ? flip.first : flip.second])
                ),
              ])
            })
        ),
      ])
    }
  }
}
