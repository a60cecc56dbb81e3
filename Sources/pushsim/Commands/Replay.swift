import DeviceLogs
import Experiments
import PushModel
import Reporting
import ScenarioDecoding

/// Runs the scripted lives of a log under policies.
enum Replay {
  static func run(_ diagnosis: Diagnosis, policies: [String]) throws -> [DiagnosisReplay] {
    var replays: [DiagnosisReplay] = []
    for script in diagnosis.scripts {
      for policy in policies {
        for variant in script.variants {
          let log = DiagnosticLog()
          let source = SourceText(
            name: "the log's scenario", bytes: Array(script.yaml(policies: [policy], variant: variant).utf8))
          let scenario = ScenarioDecoder.decode(source, files: ScenarioLoading.files(for: "."), log: log)
          guard let scenario else { throw ScenarioLoading.failure(log) }
          let trace = try DeviceWorker.trace(
            scenario.input, replication: 0, device: 0, policy: 0, strategy: 0)
          replays.append(DiagnosisReplay(diagnosis, script, variant, policy: policy, trace: trace))
        }
      }
    }
    return replays
  }

  /// The timeline of the only app that has one, as a scenario.
  static func scenario(_ diagnoses: [Diagnosis], policies: [String]) throws -> String {
    let scripts = diagnoses.flatMap(\.scripts)
    guard let script = scripts.first else {
      throw CommandFailure(
        .badScenario, "no push of the log can be replayed: the scheduler was asked for none")
    }
    guard scripts.count == 1 else {
      throw CommandFailure(
        .badScenario,
        "the log has pushes of several apps\n  help: choose one with `--app`, such as `--app \(script.app)`")
    }
    return script.yaml(policies: policies)
  }
}
