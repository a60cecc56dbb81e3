import OutputAnalysis
import ScenarioDecoding
import Testing

@testable import Experiments
@testable import Reporting

extension Pareto.Candidate {
  /// Of values that weigh the same.
  fileprivate init(name: String, gain: [Double], energy: [Double]) {
    self.init(
      name: name, gain: ReplicationSample(values: gain), energy: ReplicationSample(values: energy))
  }
}

/// Fronts that are known beforehand, of eight replications each.
@Suite struct ParetoTests {
  /// A strategy whose values move with those of all others, as on shared lives, and by `own` on their own.
  private func strategy(_ name: String, _ freshness: Double, _ energy: Double, own: [Double] = [0])
    -> Pareto.Candidate
  {
    let shared = [3.0, -1, 2, -4, 0, 1, -2, 1]
    return Pareto.Candidate(
      name: name,
      gain: shared.indices.map { freshness + 0.02 * shared[$0] + 0.01 * own[$0 % own.count] },
      energy: shared.indices.map { energy + shared[$0] + own[$0 % own.count] })
  }
  private static let noise = [1.0, -1]
  private static let otherNoise = [1.0, 1, -1, -1]

  private func pareto(_ candidates: Pareto.Candidate...) throws -> Pareto { try pareto(candidates) }
  private func pareto(_ candidates: [Pareto.Candidate]) throws -> Pareto {
    try #require(Pareto(candidates, confidence: 0.95))
  }

  /// What a result with this front says of it.
  private func sentences(_ pareto: Pareto, _ candidates: [Pareto.Candidate]) -> [String] {
    var run = RunRecord()
    func metric(_ values: [Double], _ unit: Metric.Unit) -> MetricRecord {
      MetricRecord(
        estimate: values.reduce(0, +) / Double(values.count), low: values.count > 1 ? 0 : nil,
        high: values.count > 1 ? 1 : nil, unit: unit.rawValue)
    }
    run.strategies = Named(
      candidates.map { candidate in
        var strategy = StrategyRecord()
        strategy.metrics = Named([
          (Pareto.benefit, metric(candidate.gain.values.compactMap(\.self), .proportion)),
          (Pareto.cost, metric(candidate.energy.values.compactMap(\.self), .joulesPerDeviceDay)),
        ])
        return (candidate.name, strategy)
      })
    run.pareto = ParetoRecord(pareto)
    return Answer(RunView(ResultDocument(.null), At(run, []), suffix: ""))?.recommendation ?? []
  }

  private func sentences(_ candidates: Pareto.Candidate...) throws -> [String] {
    sentences(try pareto(candidates), candidates)
  }

  @Test func `of two strategies either each is better in something, or one beats the other`() throws {
    let choice = try pareto(strategy("hourly", 0.48, 3), strategy("each", 0.61, 12))
    #expect(choice.front.map(\.strategy) == ["each", "hourly"])
    #expect(choice.dominated.isEmpty && choice.ties.isEmpty)
    #expect(
      try sentences(strategy("hourly", 0.48, 3), strategy("each", 0.61, 12)) == [
        "each: 61 of 100 opens find the newest content, for 12.0 J a day. hourly: 48.",
        "each rather than hourly: 13.0 more of 100 opens fresh, for 9.00 J more a day, 0.69 J for each.",
      ])
    let beaten = try pareto(strategy("hourly", 0.61, 3), strategy("each", 0.48, 12))
    #expect(beaten.front.map(\.strategy) == ["hourly"])
    #expect(
      try sentences(strategy("hourly", 0.61, 3), strategy("each", 0.48, 12)) == [
        "hourly: 61 of 100 opens find the newest content, for 3.00 J a day; no other strategy is fresher or cheaper.",
        "each is beaten by hourly: less fresh and dearer.",
      ])
  }

  @Test func `what cannot be told apart is a tie, however the means lie`() throws {
    let tied = try pareto(
      strategy("a", 0.5, 10, own: Self.noise), strategy("b", 0.501, 10.1, own: Self.otherNoise))
    #expect(tied.front.map(\.strategy) == ["b", "a"])
    #expect(tied.ties == [["a", "b"]])
    #expect(
      try sentences(strategy("a", 0.5, 10, own: Self.noise), strategy("b", 0.501, 10.1, own: Self.otherNoise))
        .last
        == "a and b cannot be told apart at this precision.")
    // The same difference is one when the replications agree on it.
    #expect(try pareto(strategy("a", 0.5, 10), strategy("b", 0.501, 10.1)).ties == [])
  }

  @Test func `strategies without any difference are a tie`() throws {
    let same = try pareto(strategy("a", 0.5, 10), strategy("b", 0.5, 10), strategy("c", 0.5, 10))
    #expect(same.front.count == 3 && same.ties == [["a", "b", "c"]])
  }

  @Test func `a difference in one metric alone decides`() throws {
    let dearer = try pareto(strategy("a", 0.5, 10), strategy("b", 0.5, 11))
    #expect(dearer.dominated == [.init(strategy: "b", by: "a", isLess: false, isDearer: true)])
    #expect(
      try sentences(strategy("a", 0.5, 10), strategy("b", 0.5, 11)).last
        == "b is beaten by a: dearer, and no fresher.")
    let staler = try pareto(strategy("a", 0.5, 10), strategy("b", 0.4, 10))
    #expect(staler.dominated == [.init(strategy: "b", by: "a", isLess: true, isDearer: false)])
    #expect(
      try sentences(strategy("a", 0.5, 10), strategy("b", 0.4, 10)).last
        == "b is beaten by a: less fresh, and no cheaper.")
  }

  @Test func `of three, one is beaten and its tie with another is said`() throws {
    let three = try pareto(
      strategy("a", 0.6, 12), strategy("b", 0.4, 20, own: Self.noise),
      strategy("c", 0.401, 20.1, own: Self.otherNoise))
    #expect(three.front.map(\.strategy) == ["a"])
    #expect(three.dominated.map(\.strategy) == ["b", "c"] && three.dominated.allSatisfy { $0.by == "a" })
    #expect(three.ties == [["b", "c"]])
  }

  @Test func `of twelve, six form the front, and each of the others is beaten by one of them`() throws {
    // Better by a step in both for the odd ones' front; each even one costs more for less.
    let twelve = (0..<12).map { index in
      let step = Double(index / 2)
      return index.isMultiple(of: 2)
        ? strategy("front\(index / 2)", 0.3 + 0.05 * step, 5 + 4 * step)
        : strategy("beaten\(index / 2)", 0.28 + 0.05 * step, 6 + 4 * step)
    }
    let pareto = try pareto(twelve)
    #expect(pareto.front.map(\.strategy) == (0..<6).reversed().map { "front\($0)" })
    #expect(pareto.dominated.map(\.strategy) == (0..<6).map { "beaten\($0)" })
    #expect(pareto.dominated.map(\.by) == (0..<6).map { "front\($0)" })
    #expect(pareto.ties.isEmpty)
    let sentences = sentences(pareto, twelve)
    // The answer, five steps along the front, six that are beaten.
    #expect(sentences.count == 12)
    #expect(
      sentences[1]
        == "front1 rather than front0: 5.0 more of 100 opens fresh, for 4.00 J more a day, 0.80 J for each."
        || sentences[1].hasSuffix("the best buy."), "\(sentences[1])")
    #expect(sentences[5].hasPrefix("front5 rather than front4: 5.0 more"))
  }

  @Test func `ties that do not carry over stand in groups of their own`() throws {
    // b lies between a and c, too near to either to be told apart; a and c differ.
    let values = [1.0, -1, 1, -1, 1, -1, 1, -1]
    let a = Pareto.Candidate(
      name: "a", gain: values.map { 0.5 + 0 * $0 }, energy: values.map { 10 + 0 * $0 })
    let b = Pareto.Candidate(
      name: "b", gain: values.map { 0.51 + 0.05 * $0 }, energy: values.map { 10.1 + $0 })
    let c = Pareto.Candidate(
      name: "c", gain: values.map { 0.52 + 0 * $0 }, energy: values.map { 10.2 + 0 * $0 })
    let pareto = try pareto(a, b, c)
    #expect(pareto.ties == [["a", "b"], ["b", "c"]])
    #expect(pareto.front.map(\.strategy) == ["c", "b", "a"])
  }

  @Test func `strategies that beat each other in a circle are all on the front`() throws {
    // a is cheaper than b, b fresher than c, c cheaper than d, and d fresher than a; each pair moves together where it
    // differs, and the others' energy and freshness are too uncertain to compare.
    let one = [1.0, -1, 1, -1, 1, -1, 1, -1]
    let two = [1.0, 1, -1, -1, 1, 1, -1, -1]
    let pareto = try pareto(
      Pareto.Candidate(name: "a", gain: one.map { 0.4 + 0.2 * $0 }, energy: one.map { 10 + 4 * $0 }),
      Pareto.Candidate(name: "b", gain: two.map { 0.5 + 0.2 * $0 }, energy: one.map { 11 + 4 * $0 }),
      Pareto.Candidate(name: "c", gain: two.map { 0.4 + 0.2 * $0 }, energy: two.map { 10 + 4 * $0 }),
      Pareto.Candidate(name: "d", gain: one.map { 0.5 + 0.2 * $0 }, energy: two.map { 11 + 4 * $0 }))
    #expect(pareto.front.map(\.strategy) == ["b", "d", "a", "c"])
    #expect(pareto.dominated.isEmpty)
    #expect(pareto.ties == [["a", "c"], ["b", "d"]])
  }

  @Test func `one replication tells nothing apart, and one strategy is no choice`() throws {
    let one = try pareto(
      Pareto.Candidate(name: "a", gain: [0.6], energy: [12]),
      Pareto.Candidate(name: "b", gain: [0.4], energy: [20]))
    #expect(one.front.count == 2 && one.dominated.isEmpty && one.ties == [["a", "b"]])
    #expect(
      try sentences(
        Pareto.Candidate(name: "a", gain: [0.6], energy: [12]),
        Pareto.Candidate(name: "b", gain: [0.4], energy: [20])
      ).suffix(2) == [
        "One replication gives no precision: more of them would tell strategies apart.",
        "a and b cannot be told apart at this precision.",
      ])
    #expect(Pareto([strategy("a", 0.5, 10)], confidence: 0.95) == nil)
  }
}
