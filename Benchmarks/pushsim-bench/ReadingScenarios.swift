import Experiments
import Glibc
import ScenarioDecoding

extension Options {
  var turns: Int { number("--turns", default: 1) }

  /// The scenario that the first operand names, with the settings and sizes given.
  var scenario: Scenario {
    let log = DiagnosticLog()
    let path = operands.first ?? "Scenarios/news_feed.yaml"
    guard var scenario = ScenarioDecoder.decode(path: path, settings: settings, files: files, log: log) else {
      fail(DiagnosticText.render(log))
    }
    scenario.devices = number("--devices", default: scenario.devices)
    scenario.replications = number("--replications", default: scenario.replications)
    return scenario
  }

  /// Profiles are looked for in the repository, from whose root the measurements are run.
  private var files: ScenarioFiles {
    ScenarioFiles(
      read: { path, _ in
        guard let file = fopen(path, "r") else { return .failure(.failed(String(cString: strerror(errno)))) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = fread(&chunk, 1, chunk.count, file)
          if count == 0 { return .success(bytes) }
          bytes += chunk[..<count]
        }
      },
      directories: ["Scenarios"], profiles: { _ in [] })
  }
}
