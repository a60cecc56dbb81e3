import ExperimentDesign
import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding

extension UncertaintyRecord {
  init(_ result: UncertaintyResult) {
    samples = Int64(result.settings.samples)
    replications = Int64(result.settings.replications)
    confidence = UncertaintyResult.share
    devices = Int64(result.devices)
    design = result.isSobol ? "scrambled_sobol" : "latin_hypercube"
    parameters = result.parameters.map(Parameter.init)
    strategies = Named(
      result.strategies.map { strategy in
        (
          strategy.name,
          Named(
            strategy.metrics.map { metric in
              var effects = Effects(metric.effects, mean: metric.mean, low: metric.low, high: metric.high)
              if metric.metric.display != nil {
                effects.influences = metric.influences.map {
                  UncertaintyRecord.Influence($0, result.parameters[$0.input])
                }
              }
              return (metric.metric.name, effects)
            })
        )
      })
    rankings = result.rankings.map {
      Ranking(
        metric: $0.metric.name, strategy: $0.first, other: $0.second, shareHigher: $0.firstIsMore,
        shareUndecided: $0.undecided,
        difference: Effects($0.effects, mean: $0.mean, low: $0.low, high: $0.high))
    }
    orders = result.orders.map {
      Order(metric: $0.metric.name, order: $0.order, shareSame: $0.holds, shareSameFirst: $0.firstHolds)
    }
  }
}

extension UncertaintyRecord.Parameter {
  init(_ item: UncertainParameter) {
    parameter = item.path
    value = item.setting.text
    prior = item.setting.priorText
    evidence = item.setting.evidence.rawValue
  }
}

extension UncertaintyRecord.Influence {
  init(_ influence: RankInfluence, _ parameter: UncertainParameter) {
    self.parameter = parameter.path
    share = influence.share
    low = influence.low
    high = influence.high
  }
}

extension UncertaintyRecord.Effects {
  init(_ effects: CrossedEffects, mean: Double, low: Double, high: Double) {
    self.mean = mean
    standardError = effects.standardError
    self.low = low
    self.high = high
    chanceVariance = effects.chanceVariance
    ignoranceVariance = effects.settingVariance
    ignoranceShare = effects.settingShare
  }
}
