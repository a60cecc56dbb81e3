import Experiments
import OutputAnalysis
import PushsimTestSupport
import Reporting
import Testing

@Suite struct SweepReportTests {
  /// A sweep of three points whose every replication is known beforehand: one strategy bends, the other never changes.
  private func result(values: [String], numbers: [Double]?) throws -> SweepResult {
    let scenario = try Simulation.decode(
      """
      scenario: swept
      question: Where does it bend?
      content: {updates: {every: 6 h}}
      strategies: {hourly: {background_push: {send: {every: 1 h}}}, open: {sync_on_open: {}}}
      experiment: {devices: 3, duration: 1 d, warm_up: 0 s, replications: 3}
      """)
    let sweep = Sweep(
      base: scenario, inputs: [Sweep.Input(path: "a.b", values: values, numbers: numbers)],
      points: (0..<3).map { Sweep.Point(indices: [$0], scenario: scenario) })
    let bent = [0.10, 0.50, 0.55]
    let rows = (0..<3).map { point in
      [0.0, 0.01, 0.02].map { shift in
        scenario.series.map {
          ReplicationSample.Item($0.strategy == "hourly" ? bent[point] + shift : 0.5, of: 1)
        }
      }
    }
    return SweepResult(sweep, items: rows, metrics: ["fresh_open"])
  }

  @Test func `a table shows the points, the knee, and what does not change`() throws {
    let result = try result(values: ["10 min", "20 min", "30 min"], numbers: [600, 1200, 1800])
    let text = SweepReport.text(result, metrics: ["fresh_open"], width: 100)
    #expect(text.contains("  20 min     51.0 ±2.5\n"), "\(text)")
    #expect(text.contains("fresh_open: knee at 20 min (95 %: no other point comes near it)"), "\(text)")
    #expect(text.contains("the same at every point: open\n"), "\(text)")
    let curve = result.curves[0]
    // What all replications share leaves the change without an error.
    #expect(abs((curve.changes[2]?.mean ?? 0) - 0.45) < 1e-12)
    #expect((curve.changes[2]?.interval?.halfWidth ?? 1) < 1e-12)
  }

  @Test func `values that are no numbers have no knee, and are quoted in CSV`() throws {
    let result = try result(values: ["{x: 1, y: 2}", "a \"b\"", "c"], numbers: nil)
    let text = SweepReport.text(result, metrics: ["fresh_open"], width: 100)
    #expect(!text.contains("knee"))
    let lines = SweepReport.csv(result).split(separator: "\n")
    #expect(lines.count == 1 + 3 * 2)
    #expect(lines[1].hasPrefix("\"{x: 1, y: 2}\",guide,hourly,fresh_open,proportion,3,0.1"))
    #expect(lines[3].hasPrefix("\"a \"\"b\"\"\",guide,hourly,"))
  }
}
