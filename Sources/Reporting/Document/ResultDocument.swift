import Experiments
public import ScenarioDecoding

/// A result as its file has it, and all that pages, summaries and tables are made of. Fields may be added, never renamed
/// (Documentation/ResultFiles.md).
public struct ResultDocument: Sendable {
  public static let format = "pushsim-result/1"
  static let note = "Apple publishes no delivery rate: every number here is an output of the model."

  var scenario = ""
  var question = ""
  /// By policy.
  var runs: [RunRecord] = []
  /// By strategy and metric, each later policy minus the first, whose names `baseline` has; nil with one policy.
  var policyDifferences: [ComparisonRecord]?
  var definitions = DefinitionsRecord()
  var reproduce: ReproduceRecord?
  /// Keys that were set and that the run does not read; nil: there are none.
  var idleSettings: [IdleSettingRecord]?

  public init(_ json: JSONValue) {
    scenario = json["scenario"]?.string ?? ""
    question = json["question"]?.string ?? ""
    let several = json["runs"]?.elements ?? []
    runs = (several.isEmpty ? [json] : several).compactMap { RunRecord($0) }
    policyDifferences = json["policy_differences"].flatMap { [ComparisonRecord]($0) }
    if let given = json["definitions"].flatMap({ DefinitionsRecord($0) }) { definitions = given }
    idleSettings = json["settings_without_effect"].flatMap { [IdleSettingRecord]($0) }
    reproduce = json["reproduce"].flatMap { ReproduceRecord($0) }
  }

  init() {}

  /// With one policy the run's fields stand in the file itself.
  public var json: JSONValue {
    let head = [
      JSONValue.Member("format", .string(Self.format)), .init("scenario", .string(scenario)),
      .init("question", .string(question)),
    ]
    var members: [JSONValue.Member] = head
    if runs.count == 1 {
      members += runs[0].members
    } else {
      members += [
        .init("runs", .array(runs.map { .object(head + $0.members) })),
        .init("policy_differences", policyDifferences.json),
      ]
    }
    members.append(.init("definitions", definitions.json))
    if let idleSettings { members.append(.init("settings_without_effect", idleSettings.json)) }
    if let reproduce { members.append(.init("reproduce", reproduce.json)) }
    return .object(members)
  }

  /// The runs with their places in the file.
  var placedRuns: [At<RunRecord>] {
    runs.count == 1 ? [At(runs[0], [])] : runs.enumerated().map { At($1, ["runs", "\($0)"]) }
  }
}

struct RunRecord: Record {
  var provenance = ProvenanceRecord()
  var note = ""
  var warmUp: WarmUpRecord?
  var strategies = Named<StrategyRecord>()
  var comparison = ComparisonSettingsRecord()
  var comparisons: [ComparisonRecord] = []
  var expectations: [ExpectationRecord] = []
  var chanceOfAnyWrongMiss: Double?
  var assumptions: [AssumptionRecord] = []
  var knownParameters: [AssumptionRecord] = []
  var assumptionsThatMatter: [String] = []
  var precision: PrecisionRecord?
  var selection: SelectionRecord?
  var pareto: ParetoRecord?
  var recommendation: [String]?
  var timelines: [JSONValue]?
  var uncertainty: UncertaintyRecord?
  var assumesNothing: Bool?

  static let fields: [Field<Self>] = [
    Field("provenance", \.provenance, "where the numbers come from"),
    Field("note", \.note, "what every number is"),
    Field("warm_up", \.warmUp, "whether the warm-up is long enough"),
    Field("strategies", \.strategies, "what each did, by name"),
    Field("comparison", \.comparison, "which differences the scenario asks for"),
    Field("comparisons", \.comparisons, "differences between strategies, paired by replication"),
    Field("expectations", \.expectations, "what the scenario claims and what became of it"),
    Field(
      optional: "chance_of_any_wrong_miss", \.chanceOfAnyWrongMiss,
      "at most the chance that some expectation is missed though all are true"),
    Field("assumptions", \.assumptions, "parameters that are assumed or could not be verified"),
    Field("known_parameters", \.knownParameters, "the other parameters"),
    Field(
      "assumptions_that_matter", \.assumptionsThatMatter, "those behind the commonest reasons of the run"),
    Field(optional: "precision", \.precision, "what became of the precision that the scenario asks for"),
    Field(optional: "selection", \.selection, "which strategy was selected"),
    Field(optional: "pareto", \.pareto, "which strategies nothing beats"),
    Field(optional: "recommendation", \.recommendation, "what follows from it, in sentences"),
    Field(optional: "timelines", \.timelines, "some days of single devices"),
    Field(optional: "uncertainty", \.uncertainty, "what is not known, carried through to the answer"),
    Field(
      optional: "assumes_nothing", \.assumesNothing,
      "true: no parameter that the run reads is assumed and has a prior, so that no `uncertainty` is to be had"
    ),
  ]
}

struct ProvenanceRecord: Record {
  var version = "–"
  var digest = ""
  var policy = "–"
  var policySettings: Named<String>?
  var population = ""
  var populationSettings: Named<String>?
  var seed: UInt64 = 0
  var devices: Int64 = 0
  var replications: Int64 = 0
  var duration: Seconds?
  var warmUp: Seconds?
  var confidence = 0.95

  static let fields: [Field<Self>] = [
    Field("pushsim", \.version, "version"), Field("scenario_sha256", \.digest, "digest of all files read"),
    Field("policy", \.policy),
    Field(optional: "policy_settings", \.policySettings, "what the scenario sets in it"),
    Field("population", \.population),
    Field(optional: "population_settings", \.populationSettings, "what the scenario sets in it"),
    Field("seed", \.seed),
    Field("devices", \.devices, "of a replication"), Field("replications", \.replications),
    Field("duration_s", \.duration, "the length that counts"),
    Field("warm_up_s", \.warmUp, "the length before it"),
    Field("confidence", \.confidence, "of the intervals"),
  ]
}

struct WarmUpRecord: Record {
  var given = Seconds(value: 0)
  var suggested: Seconds?
  var isAdequate: Bool?
  var strategy: String?
  var metric: String?

  static let fields: [Field<Self>] = [
    Field("given_s", \.given), Field("suggested_s", \.suggested), Field("adequate", \.isAdequate),
    Field(optional: "strategy", \.strategy), Field(optional: "metric", \.metric, "what settles last"),
  ]
}

struct DefinitionsRecord: Record {
  var metrics = Named<String>()
  var fates = Named<String>()
  var reasons = Named<String>()

  static let fields: [Field<Self>] = [
    Field("metrics", \.metrics), Field("fates", \.fates), Field("reasons", \.reasons),
  ]
}

struct IdleSettingRecord: Record {
  var path = ""
  var reason = ""

  static let fields: [Field<Self>] = [Field("path", \.path), Field("reason", \.reason, "what turns it off")]
}

struct ReproduceRecord: Record {
  var command = ""
  var scenarioFile = ""
  var scenarioText = ""

  static let fields: [Field<Self>] = [
    Field("command", \.command), Field("scenario_file", \.scenarioFile),
    Field("scenario_text", \.scenarioText),
  ]
}
