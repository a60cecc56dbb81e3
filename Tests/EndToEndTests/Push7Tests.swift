import Foundation
import Testing

/// The implementations of the reference model push7 simulate the same rules, so what the benchmark compares is speed.
///
/// Each runs a number of independent batches, and the means over batches are compared by Welch's t. A quantity differs
/// by more than the bound of 6 standard errors with probability below 10⁻⁴ (t with at least 11 degrees of freedom); of
/// the nine comparisons one fails by chance in fewer than 1 of 1000 choices of seeds. The seeds are fixed.
@Suite("The reference model push7")
struct Push7Tests {
  private struct Outcome: Decodable {
    var events: Double
    var deviceDays: Double
    var deliveredShare: Double
    var meanLatency: Double

    enum CodingKeys: String, CodingKey {
      case events
      case deviceDays = "device_days"
      case deliveredShare = "delivered_share"
      case meanLatency = "mean_latency_s"
    }
  }

  private static let batches = 12

  private static func outcomes(_ program: URL, _ arguments: [String], devices: Int) throws -> [Outcome] {
    try (1...batches).map { seed in
      let result = try runProgram(
        program, arguments + ["--devices", "\(devices)", "--days", "7", "--seed", "\(seed)"])
      try #require(result.status == 0, "\(program.lastPathComponent): \(result.stderr)")
      return try JSONDecoder().decode(Outcome.self, from: Data(result.stdout.utf8))
    }
  }

  private static func swift() throws -> [Outcome] {
    try outcomes(products.appendingPathComponent("pushsim-bench"), ["push7"], devices: 60)
  }

  private func expectAgreement(_ a: [Outcome], _ b: [Outcome], _ name: String) {
    let quantities: [(name: String, of: (Outcome) -> Double)] = [
      ("delivered share", \.deliveredShare), ("mean latency", \.meanLatency),
      ("events per device-day", { $0.events / $0.deviceDays }),
    ]
    for quantity in quantities {
      let (left, right) = (moments(a.map(quantity.of)), moments(b.map(quantity.of)))
      let error = (left.squaredError + right.squaredError).squareRoot()
      #expect(
        abs(left.mean - right.mean) <= 6 * error,
        "\(quantity.name): Swift \(left.mean), \(name) \(right.mean), standard error \(error)")
    }
  }

  private func moments(_ values: [Double]) -> (mean: Double, squaredError: Double) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1) / count)
  }

  private static var hasCompiler: Bool { succeeds(["cc", "--version"]) }
  private static var hasSimPy: Bool { succeeds([python, "-c", "import simpy"]) }

  /// That of the benchmark's environment, once `make bench` has made it.
  private static var python: String {
    let own = packageRoot.appendingPathComponent(".build/bench/venv/bin/python").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
  }

  private static func succeeds(_ command: [String]) -> Bool {
    (try? runProgram(URL(fileURLWithPath: "/usr/bin/env"), command).status) == 0
  }

  @Test(
    "C does what Swift does", .enabled(if: hasCompiler, "there is no C compiler"),
    arguments: [[], ["-DBEST"]])
  func agreesWithC(flags: [String]) throws {
    let program = FileManager.default.temporaryDirectory.appendingPathComponent("push7-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: program) }
    let source = packageRoot.appendingPathComponent("Benchmarks/push7.c").path
    let built = try runProgram(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["cc", "-O2"] + flags + [source, "-o", program.path, "-lgsl", "-lgslcblas", "-lm"])
    try #require(built.status == 0, "\(built.stderr)")
    expectAgreement(try Self.swift(), try Self.outcomes(program, [], devices: 60), "C \(flags)")
  }

  @Test(
    "SimPy does what Swift does", .enabled(if: hasSimPy, "SimPy is not installed; `make bench` installs it"))
  func agreesWithSimPy() throws {
    let script = packageRoot.appendingPathComponent("Benchmarks/push7_simpy.py").path
    let simpy = try Self.outcomes(URL(fileURLWithPath: "/usr/bin/env"), [Self.python, script], devices: 20)
    expectAgreement(try Self.swift(), simpy, "SimPy")
  }
}
