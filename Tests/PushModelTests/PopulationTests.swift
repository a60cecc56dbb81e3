import Distributions
import PushModel
import Quantities
import Testing

struct PopulationTests {
  @Test
  func `the default file gives every parameter and nothing else`() throws {
    let (parameters, diagnostics) = try DefaultPopulation.read()
    #expect(diagnostics == "")
    #expect(parameters.settings.map(\.path) == Population.keys.map(\.path))
  }

  @Test
  func `every row of the default file names its evidence and its source`() throws {
    for setting in try DefaultPopulation.parameters.get().settings {
      #expect(setting.evidence != .given, "\(setting.path)")
      #expect(!setting.source.isEmpty, "\(setting.path)")
    }
  }

  @Test
  func `every assumed number has a prior`() throws {
    let settings = try DefaultPopulation.parameters.get().settings
    for (key, setting) in zip(Population.keys, settings) {
      guard case .parameter(let parameter) = key, case .number = parameter.kind else { continue }
      if setting.evidence.isAssumption { #expect(setting.prior != nil, "\(setting.path)") }
    }
  }

  @Test
  func `a value lies between its prior's tenth and ninetieth percentile`() throws {
    let parameters = try DefaultPopulation.parameters.get()
    for (key, setting) in zip(Population.keys, parameters.settings) {
      guard case .parameter(let parameter) = key, case .number(_, let range, let field) = parameter.kind,
        let prior = setting.prior
      else { continue }
      let value = parameters.values[keyPath: field]
      #expect(range.contains(value), "\(setting.path)")
      // A value at the end of its range cannot lie in the middle.
      if value > range.lowerBound, value < range.upperBound {
        #expect(prior.quantile(0.1) <= value && value <= prior.quantile(0.9), "\(setting.path)")
      }
    }
  }

  @Test
  func `no two rows share a path`() {
    let paths = Population.keys.map(\.path)
    #expect(Set(paths).count == paths.count)
  }
}
