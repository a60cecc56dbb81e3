import Experiments
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Reporting
import ScenarioDecoding
import Testing

private let yaml = """
  scenario: precise
  question: How many replications does it take?
  content: {updates: {poisson: {rate: 24 /day}}}
  strategies:
    hourly: {background_push: {send: {every: 1 h}}}
    rarely: {background_push: {send: {every: 6 h}}}
    none: {sync_on_open: {}}
  experiment: {devices: 10, duration: 1 d, warm_up: 0 s, replications: 3}
  """

private func run(_ settings: String..., threads: Int = 1) throws -> ExperimentResult {
  try Simulation.run(yaml, set: settings, threads: threads)
}

private func values(_ result: ExperimentResult, _ metric: String, _ strategy: Int = 0) throws -> [Double] {
  try #require(result.runs[0].strategies[strategy].metric(metric)).values.compactMap(\.self)
}

struct PrecisionTests {
  private let precision = "experiment.precision={metric: delivered, strategy: hourly, half_width: 4 %}"

  @Test
  func `replications go on until the interval is as narrow as asked`() throws {
    let result = try run(precision)
    let precision = try #require(result.runs[0].precision)
    #expect(precision.isReached)
    let count = result.scenario.experiment.replications
    #expect(count > 15 && count < 500)
    let delivered = try #require(result.runs[0].strategies[0].metric("delivered"))
    #expect(delivered.values.count == count)
    let halfWidth = try #require(delivered.halfWidth)
    let widest = try #require(precision.halfWidth)
    #expect(halfWidth <= 0.04 && (widest - halfWidth).magnitude < 1e-12)
    // What it reports is the wider interval of a number that the values decided, and not more than that.
    let student = try #require(MeanEstimate(values(result, "delivered")).interval)
    #expect((halfWidth / student.halfWidth - SequentialPrecision.widening).magnitude < 1e-9)
    // Half of them would not have done.
    let half = MeanEstimate(try values(result, "delivered").prefix(count / 2).map(\.self))
    #expect(try #require(half.interval).halfWidth * SequentialPrecision.widening > 0.04)
  }

  @Test
  func `threads change nothing, and batches draw what one run draws`() throws {
    func text(threads: Int) throws -> String {
      try ResultDocument(run(precision, threads: threads)).json.text
    }
    let first = try text(threads: 1)
    for threads in [2, 3] { #expect(try text(threads: threads) == first) }
    let result = try run(precision)
    let count = result.scenario.experiment.replications
    let fixed = try run("experiment.replications=\(count)")
    for strategy in 0..<3 {
      #expect(try values(result, "fresh_open", strategy) == values(fixed, "fresh_open", strategy))
    }
    #expect(result.runs[0].strategies[0].total.sent == fixed.runs[0].strategies[0].total.sent)
  }

  @Test
  func `all strategies have to be precise where none is named, and a miss is said`() throws {
    let all = try run(
      "experiment.precision={metric: fresh_open, half_width: 0.1 %, min_replications: 12, max_replications: 20}"
    )
    let precision = try #require(all.runs[0].precision)
    #expect(precision.items.map(\.strategy) == ["hourly", "rarely", "none"])
    #expect(!precision.isReached)
    #expect(all.scenario.experiment.replications == 20)
    let text = TextSummary.text(ResultDocument(all), width: 110)
    #expect(text.contains("Precision of fresh open, ±0.10 points: not reached after 20 replications"))
    // `delivered` is no metric of a strategy without pushes, which must not keep the others going.
    let pushes = try run("experiment.precision={metric: delivered, relative: 30 %}")
    #expect(try #require(pushes.runs[0].precision).items.map(\.strategy) == ["hourly", "rarely"])
    #expect(pushes.runs[0].precision?.isReached == true)
  }

  @Test
  func `a fixed number of replications is kept, with the precision it comes to`() throws {
    var scenario = try Simulation.decode(yaml, set: [precision])
    scenario.fixReplications(scenario.replications)
    let result = try Simulation.run(scenario)
    #expect(result.scenario.experiment.replications == 3)
    #expect(result.runs[0].precision?.isReached == false)
    let sample = try #require(result.runs[0].strategies[0].metric("delivered")).sample
    let interval = try #require(MeanEstimate(sample)?.interval)
    #expect(try #require(result.runs[0].precision?.halfWidth) == interval.halfWidth)
  }
}

struct SelectionTests {
  @Test
  func `the best strategy is selected, the others are left out on the way`() throws {
    let result = try run("experiment.selection={metric: fresh_open, indifference: 3 %}")
    let selection = try #require(result.runs[0].selection)
    #expect(selection.best == "hourly")
    #expect(selection.eliminated.map(\.strategy).sorted() == ["none", "rarely"])
    #expect(selection.eliminated.allSatisfy { $0.replications <= result.scenario.experiment.replications })
    #expect(selection.ties.isEmpty)
    let least = try run(
      "experiment.selection={metric: fresh_open, indifference: 3 %, best: lowest, confidence: 99 %}")
    #expect(least.runs[0].selection?.best == "none")
  }

  @Test
  func `what makes no difference is a tie, and what cannot be told is said`() throws {
    let same = "strategies.again={background_push: {send: {every: 1 h}}}"
    let tie = try #require(
      run(same, "experiment.selection={metric: fresh_open, indifference: 3 %}").runs[0].selection)
    #expect([tie.best] + tie.ties.map(Optional.some) == ["hourly", "again"])
    let result = try run(
      "strategies.nearly={background_push: {send: {every: 61 min}}}",
      "experiment.selection={metric: fresh_open, indifference: 0.01 %, max_replications: 12}")
    let selection = try #require(result.runs[0].selection)
    #expect(selection.best == nil)
    #expect(selection.survivors.contains("hourly") && selection.survivors.contains("nearly"))
    #expect(result.scenario.experiment.replications == 12)
    #expect(
      TextSummary.text(ResultDocument(result), width: 500).contains(
        "after 12 replications it is undecided which of hourly"))
  }
}

struct ComparisonTests {
  @Test
  func `joint intervals hold for all comparisons of a metric`() throws {
    let result = try run("experiment.comparison={against: all_pairs}")
    // Not a share, of which few devices would have wider limits than Student's.
    let pairs = result.runs[0].comparisons.filter { $0.metric == "energy_j_per_device_day" }
    #expect(
      pairs.map { "\($0.strategy) - \($0.baseline)" } == [
        "rarely - hourly", "none - hourly", "none - rarely",
      ])
    for pair in pairs {
      let own = try #require(pair.high) - #require(pair.low)
      let joint = try #require(pair.jointHigh) - #require(pair.jointLow)
      // Of three comparisons, each at 98.33 %.
      let ratio =
        studentQuantile(confidence: 1 - 0.05 / 3, degreesOfFreedom: 2)
        / studentQuantile(confidence: 0.95, degreesOfFreedom: 2)
      #expect((joint / own - ratio).magnitude < 1e-9)
    }
    // The baseline is what the others are compared with, wherever it stands.
    let based = try run("experiment.comparison={against: all_pairs}", "experiment.baseline=none")
    #expect(
      based.runs[0].comparisons.filter { $0.metric == "fresh_open" }.map { "\($0.strategy) - \($0.baseline)" }
        == ["hourly - none", "rarely - none", "rarely - hourly"])
  }

  @Test
  func `the result says how much pairing is worth`() throws {
    let result = try run("experiment.baseline=none", "experiment.replications=8")
    let comparison = try #require(
      result.runs[0].comparisons.first { $0.metric == "fresh_open" && $0.strategy == "hourly" })
    func linearised(_ strategy: Int) throws -> [Double] {
      try #require(result.runs[0].strategies[strategy].metric("fresh_open")?.sample.linearised)
    }
    let (a, b) = (try linearised(0), try linearised(2))
    let apart = try #require(Moments(a).variance) + #require(Moments(b).variance)
    let together = try #require(Moments(zip(a, b).map { $0 - $1 }).variance)
    let reduction = try #require(comparison.varianceReduction)
    #expect((reduction - apart / together).magnitude < 1e-9 * reduction)
    #expect(comparison.equivalentIndependentReplications == reduction * Double(a.count))
  }
}
