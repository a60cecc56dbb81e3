import OutputAnalysis
import Testing

@testable import Experiments
@testable import Reporting

extension Pareto.Candidate {
  /// Of values that weigh the same.
  fileprivate init(name: String, freshness: [Double], energy: [Double]) {
    self.init(
      name: name, freshness: ReplicationSample(values: freshness), energy: ReplicationSample(values: energy))
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
      freshness: shared.indices.map { freshness + 0.02 * shared[$0] + 0.01 * own[$0 % own.count] },
      energy: shared.indices.map { energy + shared[$0] + own[$0 % own.count] })
  }
  private static let noise = [1.0, -1]
  private static let otherNoise = [1.0, 1, -1, -1]

  private func pareto(_ candidates: Pareto.Candidate...) throws -> Pareto { try pareto(candidates) }
  private func pareto(_ candidates: [Pareto.Candidate]) throws -> Pareto {
    try #require(Pareto(candidates, confidence: 0.95))
  }

  @Test func `of two strategies either each is better in something, or one beats the other`() throws {
    let choice = try pareto(strategy("hourly", 0.48, 3), strategy("each", 0.61, 12))
    #expect(choice.front.map(\.strategy) == ["each", "hourly"])
    #expect(choice.dominated.isEmpty && choice.ties.isEmpty)
    #expect(
      Recommendation.sentences(choice) == [
        "each is fresh at 61.0 % of opens for 12.0 J a day; hourly at 48.0 % for 3.00 J.",
        "each rather than hourly: 13.0 more of 100 opens fresh, for 9.00 J more a day.",
      ])
    let beaten = try pareto(strategy("hourly", 0.61, 3), strategy("each", 0.48, 12))
    #expect(beaten.front.map(\.strategy) == ["hourly"])
    #expect(
      Recommendation.sentences(beaten) == [
        "hourly is fresh at 61.0 % of opens for 3.00 J a day, and no other strategy is fresher or cheaper.",
        "each is beaten by hourly: less fresh and dearer.",
      ])
  }

  @Test func `what cannot be told apart is a tie, however the means lie`() throws {
    let tied = try pareto(
      strategy("a", 0.5, 10, own: Self.noise), strategy("b", 0.501, 10.1, own: Self.otherNoise))
    #expect(tied.front.map(\.strategy) == ["b", "a"])
    #expect(tied.ties == [["a", "b"]])
    #expect(
      Recommendation.sentences(tied) == [
        "b is fresh at 50.1 % of opens for 10.1 J a day; a at 50.0 % for 10.0 J.",
        "a and b cannot be told apart at this precision.",
      ])
    // The same difference is one when the replications agree on it.
    #expect(try pareto(strategy("a", 0.5, 10), strategy("b", 0.501, 10.1)).ties == [])
  }

  @Test func `strategies without any difference are a tie`() throws {
    let same = try pareto(strategy("a", 0.5, 10), strategy("b", 0.5, 10), strategy("c", 0.5, 10))
    #expect(same.front.count == 3 && same.ties == [["a", "b", "c"]])
    #expect(Recommendation.sentences(same).last == "a, b and c cannot be told apart at this precision.")
  }

  @Test func `a difference in one metric alone decides`() throws {
    let dearer = try pareto(strategy("a", 0.5, 10), strategy("b", 0.5, 11))
    #expect(dearer.dominated == [.init(strategy: "b", by: "a", isStaler: false, isDearer: true)])
    #expect(
      Recommendation.sentences(dearer).last
        == "b is beaten by a: dearer, and no difference in freshness at this precision.")
    let staler = try pareto(strategy("a", 0.5, 10), strategy("b", 0.4, 10))
    #expect(staler.dominated == [.init(strategy: "b", by: "a", isStaler: true, isDearer: false)])
    #expect(
      Recommendation.sentences(staler).last
        == "b is beaten by a: less fresh, and no difference in energy at this precision.")
  }

  @Test func `of three, one is beaten and its tie with another is said`() throws {
    let three = try pareto(
      strategy("a", 0.6, 12), strategy("b", 0.4, 20, own: Self.noise),
      strategy("c", 0.401, 20.1, own: Self.otherNoise))
    #expect(three.front.map(\.strategy) == ["a"])
    #expect(three.dominated.map(\.strategy) == ["b", "c"] && three.dominated.allSatisfy { $0.by == "a" })
    #expect(three.ties == [["b", "c"]])
    #expect(Recommendation.sentences(three).last == "b and c cannot be told apart at this precision.")
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
    let sentences = Recommendation.sentences(pareto)
    #expect(sentences.count == 8)
    #expect(sentences[0].split(separator: ";").count == 6)
    #expect(sentences[1] == "front5 rather than front0: 25.0 more of 100 opens fresh, for 20.0 J more a day.")
  }

  @Test func `ties that do not carry over stand in groups of their own`() throws {
    // b lies between a and c, too near to either to be told apart; a and c differ.
    let values = [1.0, -1, 1, -1, 1, -1, 1, -1]
    let a = Pareto.Candidate(
      name: "a", freshness: values.map { 0.5 + 0 * $0 }, energy: values.map { 10 + 0 * $0 })
    let b = Pareto.Candidate(
      name: "b", freshness: values.map { 0.51 + 0.05 * $0 }, energy: values.map { 10.1 + $0 })
    let c = Pareto.Candidate(
      name: "c", freshness: values.map { 0.52 + 0 * $0 }, energy: values.map { 10.2 + 0 * $0 })
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
      Pareto.Candidate(name: "a", freshness: one.map { 0.4 + 0.2 * $0 }, energy: one.map { 10 + 4 * $0 }),
      Pareto.Candidate(name: "b", freshness: two.map { 0.5 + 0.2 * $0 }, energy: one.map { 11 + 4 * $0 }),
      Pareto.Candidate(name: "c", freshness: two.map { 0.4 + 0.2 * $0 }, energy: two.map { 10 + 4 * $0 }),
      Pareto.Candidate(name: "d", freshness: one.map { 0.5 + 0.2 * $0 }, energy: two.map { 11 + 4 * $0 }))
    #expect(pareto.front.map(\.strategy) == ["b", "d", "a", "c"])
    #expect(pareto.dominated.isEmpty)
    #expect(pareto.ties == [["a", "c"], ["b", "d"]])
  }

  @Test func `one replication tells nothing apart, and one strategy is no choice`() throws {
    let one = try pareto(
      Pareto.Candidate(name: "a", freshness: [0.6], energy: [12]),
      Pareto.Candidate(name: "b", freshness: [0.4], energy: [20]))
    #expect(one.front.count == 2 && one.dominated.isEmpty && one.ties == [["a", "b"]])
    #expect(
      Recommendation.sentences(one).suffix(2) == [
        "One replication gives no precision: more of them would tell strategies apart.",
        "a and b cannot be told apart at this precision.",
      ])
    #expect(Pareto([strategy("a", 0.5, 10)], confidence: 0.95) == nil)
  }
}
