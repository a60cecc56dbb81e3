public import Experiments
public import Foundation
public import PushModel
public import PushPolicy
import ScenarioDecoding

/// Reads scenarios written in a test, with the shipped populations and policies, and runs them.
public enum Simulation {
  public static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The shipped scenarios, from the root of the package; profiles are none.
  public static func shippedScenarios() throws -> [String] {
    let scenarios = packageRoot.appending(path: "Scenarios")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: scenarios.path)
    return paths.filter {
      $0.hasSuffix(".yaml") && !$0.hasPrefix("policies/") && !$0.hasPrefix("populations/")
    }
    .map { "Scenarios/" + $0 }.sorted()
  }

  /// A scenario that must be without mistakes.
  ///
  /// - Parameter settings: as arguments of `--set`.
  public static func decode(_ yaml: String, set settings: [String] = []) throws -> Scenario {
    try decode(SourceText(name: "test.yaml", text: yaml), settings)
  }

  /// A shipped scenario.
  ///
  /// - Parameter path: from the root of the package.
  public static func load(_ path: String, set settings: [String] = []) throws -> Scenario {
    let bytes = try Data(contentsOf: packageRoot.appending(path: path))
    return try decode(SourceText(name: path, bytes: Array(bytes)), settings)
  }

  /// A shipped policy profile: `guide` or `evidence`. Read once, for tests that ask many times.
  public static func policy(_ name: String) throws -> Policy {
    guard let policy = try shippedPolicies.get()[name] else { throw CocoaError(.fileNoSuchFile) }
    return policy
  }

  private static let shippedPolicies = Result {
    var policies: [String: Policy] = [:]
    for name in ["guide", "evidence"] {
      let scenario = try load("Scenarios/news_feed.yaml", set: ["policy=\(name)"])
      policies[name] = scenario.input.policies[0].parameters.values
    }
    return policies
  }

  public static func run(_ yaml: String, set settings: [String] = [], threads: Int = 1) throws
    -> ExperimentResult
  {
    try run(decode(yaml, set: settings), threads: threads)
  }

  public static func run(_ scenario: Scenario, threads: Int = 1) throws -> ExperimentResult {
    try Runner(scenario, threads: threads).run()
  }

  /// What happens to one device under the scenario's first policy.
  public static func trace(
    _ yaml: String, set settings: [String] = [], strategy: Int = 0, device: UInt32 = 0, replication: Int = 0
  ) throws -> DeviceTrace {
    try trace(decode(yaml, set: settings), strategy: strategy, device: device, replication: replication)
  }

  public static func trace(
    _ scenario: Scenario, strategy: Int = 0, device: UInt32 = 0, replication: Int = 0
  ) throws -> DeviceTrace {
    try DeviceWorker.trace(
      scenario.input, replication: replication, device: device, policy: 0, strategy: strategy)
  }

  private static func decode(_ source: SourceText, _ settings: [String]) throws -> Scenario {
    let log = DiagnosticLog()
    let files = ScenarioFiles(
      read: { path, _ in
        // A relative path is one from the root of the package.
        let url = URL(filePath: path, relativeTo: packageRoot)
        guard let data = try? Data(contentsOf: url) else { return .failure(.failed("no such file")) }
        return .success(Array(data))
      },
      directories: [packageRoot.appending(path: "Scenarios").path], profiles: { _ in [] })
    let scenario = ScenarioDecoder.decode(source, settings: settings, files: files, log: log)
    guard let scenario else { throw ScenarioMistakes(text: DiagnosticText.render(log)) }
    return scenario
  }
}

/// What is wrong with a scenario.
public struct ScenarioMistakes: Error, CustomStringConvertible {
  public let text: String
  public var description: String { text }
}
