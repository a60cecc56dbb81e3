import Distributions
import Experiments
import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding
import Testing

private let sound = SourceText(
  name: "night.yaml",
  text: """
    scenario: night
    question: How many pushes arrive at night?
    strategies:
      hourly: {background_push: {send: {every: 1 h}}}
    """)

private let groups = ShareGroup.all(
  Population.keys.compactMap { if case .parameter(let key) = $0 { key } else { nil } })
private let policyGroups = ShareGroup.all(Policy.keys)

/// The shares of a group as a scenario with settings has them, by the name of each; empty if it is refused.
private func shares(_ group: ShareGroup, of table: String, settings: [String]) -> (
  values: [Double], diagnostics: String
) {
  let (scenario, log) = decode(sound, settings: settings.map { "\(table).\($0)" })
  guard let scenario else { return ([], DiagnosticText.render(log)) }
  let values = group.paths.compactMap { path -> Double? in
    if table == "policy" {
      let key = Policy.keys.first { $0.path == path }
      guard case .number(_, _, let field)? = key?.kind else { return nil }
      return scenario.input.policies[0].parameters.values[keyPath: field]
    }
    for row in Population.keys {
      guard case .parameter(let key) = row, key.path == path, case .number(_, _, let field) = key.kind
      else { continue }
      return scenario.input.population.parameters.values[keyPath: field]
    }
    return nil
  }
  return (values, DiagnosticText.render(log))
}

private let all = groups.map { ($0, "population") } + policyGroups.map { ($0, "policy") }

struct SharesTests {
  /// A share that is not in a group would be normalised by whoever reads it, in silence.
  @Test func `every group of shares is known as one`() {
    #expect(
      groups.map(\.rest) == [
        "classes.rest", "device_use.shares.rest", "settings.force_quit.shares.rest",
        "connectivity.time_share.rest", "mix.device.rest", "mix.iphone_os.rest", "mac.low_power_mode.rest",
      ])
    #expect(policyGroups.map(\.rest) == ["launch_spacing.burst_of_rest"])
    #expect(groups[0].names == ["dormant", "light", "regular", "heavy"])
    #expect(groups[5].names == ["27", "26", "18", "older"])
    #expect(policyGroups[0].names == ["1", "2", "4", "9"])
  }

  @Test(arguments: all)
  func `a share alone is refused with the sum, and helped by one more word`(group: ShareGroup, table: String)
  {
    let before = shares(group, of: table, settings: []).values
    #expect(before.count == group.paths.count)
    #expect((before.reduce(0, +) - 1).magnitude < 1e-9)
    // The last share grows by 15 points.
    let new = before[before.count - 1] + 0.15
    let setting = "\(group.paths[before.count - 1])=\(Quantity.format(new, .proportion))"
    let alone = shares(group, of: table, settings: [setting])
    #expect(alone.values.isEmpty)
    #expect(
      alone.diagnostics.contains("the shares of `\(group.label)` do not add up"), "\(alone.diagnostics)")
    #expect(alone.diagnostics.contains("got: 115 %: "), "\(alone.diagnostics)")
    #expect(alone.diagnostics.hasPrefix("--set:1:"))
    #expect(alone.diagnostics.contains("--set \(table).\(group.rest)=scaled"))

    let scaled = shares(group, of: table, settings: [setting, "\(group.rest)=scaled"])
    #expect(scaled.diagnostics == "")
    #expect((scaled.values.last! - new).magnitude < 1e-12)
    #expect((scaled.values.reduce(0, +) - 1).magnitude < 1e-12)
    for (value, old) in zip(scaled.values, before).dropLast() {
      #expect((value - old * (1 - new) / (1 - before.last!)).magnitude < 1e-12)
    }

    let taken = shares(group, of: table, settings: [setting, "\(group.rest)=\(group.names[0])"])
    #expect(taken.diagnostics == "")
    #expect((taken.values[0] - (before[0] - 0.15)).magnitude < 1e-12)
    #expect(Array(taken.values[1..<before.count - 1]) == Array(before[1..<before.count - 1]))
  }

  @Test(arguments: all)
  func `shares that are all 0 are refused, also with a word for the rest`(group: ShareGroup, table: String) {
    let zero = group.paths.map { "\($0)=0 %" }
    for settings in [zero, zero + ["\(group.rest)=scaled"]] {
      let (values, diagnostics) = shares(group, of: table, settings: settings)
      #expect(values.isEmpty)
      #expect(diagnostics.contains("got: 0 %"), "\(diagnostics)")
    }
    let (values, diagnostics) = shares(group, of: table, settings: ["\(group.paths[0])=-10 %"])
    #expect(values.isEmpty && diagnostics.contains("-10 %"))
  }

  @Test func `one setting of the command line can say it all`() {
    let (values, diagnostics) = shares(
      groups[0], of: "population", settings: ["classes={heavy.share: 40 %, rest: scaled}"])
    #expect(diagnostics == "")
    #expect((values[3] - 0.4).magnitude < 1e-12 && (values[0] - 0.5 / 0.95 * 0.6).magnitude < 1e-12)
  }

  @Test func `more than 100 % is not scaled away, and a share that is given takes no rest`() {
    let much = shares(
      groups[0], of: "population",
      settings: ["classes.heavy.share=70 %", "classes.light.share=40 %", "classes.rest=scaled"])
    #expect(much.diagnostics.contains("do not add up"))
    let given = shares(
      groups[0], of: "population", settings: ["classes.heavy.share=40 %", "classes.rest=heavy"])
    #expect(given.diagnostics.contains("`classes.rest` names `heavy`, whose share is given"))
    let word = shares(groups[0], of: "population", settings: ["classes.rest=hevy"])
    #expect(word.diagnostics.contains("did you mean `heavy`?"))
  }

  /// What a profile's author scales stays as scaled when a scenario names one more share.
  @Test func `a profile may say what becomes of the rest, and a scenario may set a share beside it`() throws {
    let text = """
      scenario: night
      question: How many?
      population: {base: mine.yaml, set: {classes.dormant.share: 10 %}}
      strategies: {hourly: {background_push: {send: {every: 1 h}}}}
      """
    let mine = "population: mine\nbase: consumer_default\nclasses: {heavy.share: 40 %, rest: scaled}\n"
    let (scenario, log) = decode(
      SourceText(name: "night.yaml", text: text), memory: ["mine.yaml": mine])
    #expect(DiagnosticText.render(log) == "")
    let classes = try #require(scenario).input.population.parameters.values.classes
    #expect(classes.dormant == 0.1 && classes.heavy == 0.4)
    #expect((classes.light - 0.5 * 31 / 45).magnitude < 1e-12)
    let setting = scenario?.input.population.parameters.settings.first { $0.path == "classes.light.share" }
    #expect(setting?.text == "34.44 %")
    #expect(setting?.prior == nil && setting?.isOverride == true)
  }

  @Test(arguments: [
    ("cpu.episode_load={discrete: {50 %: 50 %, 90 %: 30 %}}", "got: 80 %"),
    ("cpu.episode_load={discrete: [{value: 50 %, weight: 0.2}, {value: 90 %, weight: 70 %}]}", "got: 90 %"),
    ("cpu.episode_load={mixture: [{weight: 70 %, of: 50 %}, {weight: 20 %, of: 90 %}]}", "got: 90 %"),
    ("app_use.diurnal_weights=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "are all 0"),
  ])
  func `weights in per cent are 100 % together, and hours are not all 0`(setting: String, words: String) {
    let (scenario, log) = decode(sound, settings: ["population.\(setting)"])
    #expect(scenario == nil)
    #expect(DiagnosticText.render(log).contains(words), "\(DiagnosticText.render(log))")
  }

  @Test(arguments: [
    "{discrete: {50 %: 3, 90 %: 1}}", "{discrete: {50 %: 75 %, 90 %: 25 %}}",
    "{discrete: [{value: 50 %, weight: 0.75}, {value: 90 %, weight: 25 %}]}",
  ])
  func `weights without per cent count relative to each other`(text: String) throws {
    let (scenario, log) = decode(sound, settings: ["population.cpu.episode_load=\(text)"])
    #expect(DiagnosticText.render(log) == "")
    let load = try #require(scenario).input.population.parameters.values.cpu.episodeLoad
    #expect((load.mean - 0.6).magnitude < 1e-12)
  }

  @Test func `how a handler ends may leave the rest to one way`() throws {
    let (scenario, log) = decode(sound, settings: ["app.handler.result={failed: 5 %, rest: new_data}"])
    #expect(DiagnosticText.render(log) == "")
    let results = try #require(scenario).input.app.results
    #expect(results.newData == 0.95 && results.failed == 0.05)
    let (_, short) = decode(sound, settings: ["app.handler.result={failed: 5 %}"])
    #expect(DiagnosticText.render(short).contains("add `rest: new_data` to give it what is left"))
    let (_, both) = decode(
      sound, settings: ["app.handler.result={failed: 5 %, new_data: 10 %, rest: new_data}"])
    #expect(DiagnosticText.render(both).contains("whose share is given"))
  }

  @Test func `a population that draws its users anew all the time is refused`() {
    let (_, log) = decode(sound, settings: ["population.app_use.persistence_days=0"])
    #expect(DiagnosticText.render(log).contains("10 min"), "\(DiagnosticText.render(log))")
  }
}
