import ExperimentDesign
import Experiments
import PushModel
import Quantities

/// What the uncertainty of parameters does to the answer, as text and as JSON.
enum UncertaintyReport {
  /// The metrics of the summary; the result file has all.
  private static let shown = Metric.main.map(\.name)

  /// Empty when the scenario did not ask.
  static func text(_ run: PolicyRun, _ scenario: Scenario, width: Int) -> String {
    guard let settings = scenario.experiment.uncertainty else { return "" }
    guard let result = run.uncertainty else {
      return "uncertainty: no parameter of this scenario is both assumed and given a prior\n\n"
    }
    let share = NumberText.percent(result.confidence, decimals: 0)
    var text = TextSummary.wrapped(
      "what nobody outside Apple knows, carried through to the answer: \(settings.samples) sets of "
        + "\(result.parameters.count) parameter\(result.parameters.count == 1 ? "" : "s") drawn from what is plausible, \(settings.replications) replications each",
      width: width)
    for name in shown
    where result.strategies.contains(where: { $0.metrics.contains { $0.metric.name == name } }) {
      var table = TextTable([
        TextTable.Column(name, .left, mayShrink: true), TextTable.Column("mean", .right),
        TextTable.Column("\(share) of the sets", .right), TextTable.Column("ignorance ±", .right),
        TextTable.Column("chance ±", .right), TextTable.Column("ignorance", .right),
      ])
      for (strategy, metrics) in result.strategies {
        guard let metric = metrics.first(where: { $0.metric.name == name }) else { continue }
        let unit = metric.metric.unit
        table.add([
          strategy, NumberStyle(unit).text(metric.effects.mean),
          NumberStyle(unit).text(metric.low) + " to " + NumberStyle(unit).text(metric.high),
          NumberStyle(unit).bare(metric.effects.settingVariance.squareRoot()),
          NumberStyle(unit).bare(metric.effects.chanceVariance.squareRoot()),
          metric.effects.settingShare.map { NumberText.percent($0, decimals: 0) } ?? "–",
        ])
      }
      text += table.text(width: width, indentation: 2)
    }
    text += TextSummary.wrapped(
      "of the sets: the interval in which the answer lies, were it known without chance. ignorance ±, chance ±: "
        + "standard deviations of the answer because the parameters are not known, and because a set's mean is of so "
        + "few replications; only the second falls with more replications. ignorance: its share of the variance.",
      width: width)
    for sentence in rankings(result, scenario) {
      text += TextSummary.wrapped("  " + sentence, width: width, hanging: 4)
    }
    return text + "\n"
  }

  /// A sentence each, on the first metric of the summary: differences to the baseline, or all pairs of a few.
  private static func rankings(_ result: UncertaintyResult, _ scenario: Scenario) -> [String] {
    guard let name = shown.first(where: { name in result.rankings.contains { $0.metric.name == name } })
    else {
      return []
    }
    let baseline = scenario.experiment.baseline
    let pairs = result.rankings.filter { $0.metric.name == name }
    let wanted = pairs.filter { baseline == nil || $0.first == baseline || $0.second == baseline }
    return (wanted.isEmpty ? pairs : wanted).prefix(10).map { pair in
      let isFirst = pair.firstIsMore >= 0.5
      let (more, less) = isFirst ? (pair.first, pair.second) : (pair.second, pair.first)
      let sign = isFirst ? 1.0 : -1
      let ends = [sign * pair.low, sign * pair.high].sorted()
      let unit = pair.metric.unit
      var sentence =
        "\(name): \(more) has more than \(less) in "
        + NumberText.percent(isFirst ? pair.firstIsMore : 1 - pair.firstIsMore, decimals: 0)
        + " of the sets, by "
        + NumberStyle(unit).difference(sign * pair.effects.mean) + " on average ("
        + NumberStyle(unit).difference(ends[0]) + " to " + NumberStyle(unit).difference(ends[1]) + ")"
      if pair.undecided > 0 {
        sentence +=
          "; in \(NumberText.percent(pair.undecided, decimals: 0)) chance may have made the difference"
      }
      return sentence + "."
    }
  }

  static func json(_ result: UncertaintyResult) -> JSONValue {
    .object([
      ("samples", .integer(result.settings.samples)),
      ("replications", .integer(result.settings.replications)),
      ("confidence", .number(result.confidence)),
      ("design", .string(result.isSobol ? "scrambled_sobol" : "latin_hypercube")),
      ("parameters", .array(result.parameters.map(parameter))),
      (
        "strategies",
        .object(
          result.strategies.map { strategy in
            (strategy.name, .object(strategy.metrics.map { ($0.metric.name, metric($0)) }))
          })
      ),
      ("rankings", .array(result.rankings.map(ranking))),
    ])
  }

  static func parameter(_ parameter: UncertainParameter) -> JSONValue {
    .object([
      ("parameter", .string(parameter.path)),
      ("value", .string(parameter.setting.text)),
      ("prior", parameter.setting.priorText.map(JSONValue.string) ?? .null),
      ("evidence", .string(parameter.setting.evidence.rawValue)),
    ])
  }

  private static func metric(_ metric: UncertainMetric) -> JSONValue {
    .object(effects(metric.effects, low: metric.low, high: metric.high))
  }

  private static func effects(_ effects: CrossedEffects, low: Double, high: Double) -> [(String, JSONValue)] {
    [
      ("mean", .number(effects.mean)),
      ("standard_error", .number(effects.standardError)),
      ("low", .number(low)),
      ("high", .number(high)),
      ("chance_variance", .number(effects.chanceVariance)),
      ("ignorance_variance", .number(effects.settingVariance)),
      ("ignorance_share", effects.settingShare.map(JSONValue.number) ?? .null),
    ]
  }

  private static func ranking(_ ranking: UncertainRanking) -> JSONValue {
    .object([
      ("metric", .string(ranking.metric.name)),
      ("strategy", .string(ranking.first)),
      ("other", .string(ranking.second)),
      ("share_higher", .number(ranking.firstIsMore)),
      ("share_undecided", .number(ranking.undecided)),
      ("difference", .object(effects(ranking.effects, low: ranking.low, high: ranking.high))),
    ])
  }
}
