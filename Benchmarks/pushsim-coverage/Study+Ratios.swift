import Distributions
import OutputAnalysis

/// Shares of rare things, and ratios of sums: what a run of pushsim reports of pushes, opens and joules.
extension Study {
  /// What one replication of 100 devices says of a share, with a device as the independent unit.
  private static func share(
    _ stream: inout RandomStream, _ probability: Double, devices: Int = 100, sends: Int = 1
  ) -> ReplicationSample.Item {
    var events = 0
    // All sends of a device end alike: the worst that can be.
    for _ in 0..<devices where stream.bernoulli(probability) { events += sends }
    return ReplicationSample.Item(Double(events), of: Double(devices * sends), units: Double(devices))
  }

  private func sample(
    _ count: Int, _ kind: ReplicationSample.Kind, _ stream: (Int) -> RandomStream,
    _ one: (inout RandomStream) -> ReplicationSample.Item
  ) -> ReplicationSample {
    ReplicationSample(
      (0..<count).map {
        var own = stream($0)
        return one(&own)
      }, kind: kind)
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }

  // MARK: Rare things

  func rare() -> [Coverage] {
    rareShares() + falseClaims() + [rareAlike(), rareRate()] + rareDifferences()
      + [rarePrecision(), rareSelection()]
  }

  private func rareShares() -> [Coverage] {
    [0.001, 0.01, 0.05, 0.999].flatMap { probability in
      [3, 5, 10].map { count in
        let text = Self.percent(probability)
        return row("rare share", "\(text) of 100 devices, \(count) times", .atLeast) { stream in
          let sample = self.sample(count, .share, stream) { Self.share(&$0, probability) }
          return (MeanEstimate(sample)!.interval!.contains(probability), count)
        }
      }
    }
  }

  /// Right: not met. What is true is missed no oftener than its interval leaves it out.
  private func falseClaims() -> [Coverage] {
    [3, 10].flatMap { count in
      [
        row("a false claim, at most 0.05 %", "0.1 % of 100 devices, \(count) times", .atLeast) { stream in
          let sample = self.sample(count, .share, stream) { Self.share(&$0, 0.001) }
          return (MeanEstimate(sample)!.interval!.upper > 0.0005, count)
        },
        row("a false claim, at least 99.95 %", "99.9 % of 100 devices, \(count) times", .atLeast) { stream in
          let sample = self.sample(count, .share, stream) { Self.share(&$0, 0.999) }
          return (MeanEstimate(sample)!.interval!.lower < 0.9995, count)
        },
      ]
    }
  }

  private func rareAlike() -> Coverage {
    row("rare share", "0.5 % of 100 devices, 20 sends of each end alike", .atLeast) { stream in
      let sample = self.sample(5, .share, stream) { Self.share(&$0, 0.005, sends: 20) }
      return (MeanEstimate(sample)!.interval!.contains(0.005), 5)
    }
  }

  private func rareRate() -> Coverage {
    row("rare rate", "one wake in 200 device days, of 100", .atLeast) { stream in
      let sample = self.sample(5, .rate, stream) { Self.share(&$0, 0.005) }
      return (MeanEstimate(sample)!.interval!.contains(0.005), 5)
    }
  }

  /// Two strategies on the same devices: 30 % have the event with both, and few with one of them only.
  private func rareDifferences() -> [Coverage] {
    [3, 10].map { count in
      row(
        "paired difference of shares", "0.2 % of 100 devices have the first only, 0.1 % the second", .atLeast
      ) { stream in
        var (a, b) = (ReplicationSample(kind: .share), ReplicationSample(kind: .share))
        for number in 0..<count {
          var own = stream(number)
          var (first, second) = (0, 0)
          for _ in 0..<100 {
            let place = own.uniform()
            if place < 0.302 { first += 1 }
            if place < 0.3 || (0.302..<0.303).contains(place) { second += 1 }
          }
          a.append(ReplicationSample([.init(Double(first), of: 100, units: 100)]))
          b.append(ReplicationSample([.init(Double(second), of: 100, units: 100)]))
        }
        return (MeanEstimate.pairedDifference(a, b)!.interval!.contains(0.001), count)
      }
    }
  }

  private func rarePrecision() -> Coverage {
    let rule = SequentialPrecision(.absolute(0.002), maximum: 10_000)
    return row(
      "mean, after stopping at a precision", "0.1 % of 100 devices, ± 0.2 %", .atLeast,
      trials: max(1, trials / 5)
    ) { stream in
      var sample = ReplicationSample(kind: .share)
      while case .more(let next) = rule.step(sample) {
        for number in sample.count..<next {
          var own = stream(number)
          sample.append(ReplicationSample([Self.share(&own, 0.001)]))
        }
      }
      let interval = MeanEstimate(sample, widening: SequentialPrecision.widening)!.interval!
      return (interval.contains(0.001), sample.count)
    }
  }

  private func rareSelection() -> Coverage {
    row(
      "selection of the best", "0.1 % or 0.6 % of 100 devices, a just noticeable difference apart", .atLeast,
      trials: max(1, trials / 5)
    ) { stream in
      var procedure = KimNelson(systems: 2, indifference: 0.005, kind: .share)
      var number = 0
      while procedure.best == nil {
        var own = stream(number)
        procedure.add([Self.share(&own, 0.001), Self.share(&own, 0.006)])
        number += 1
      }
      return (procedure.best == 1, procedure.count)
    }
  }

  // MARK: Ratios of sums

  /// 50 devices of which one in ten is used a lot, and finds fresh content oftener: opens, those that found it, devices with
  /// an open, and joules.
  private static func opens(
    _ stream: inout RandomStream
  ) -> (opens: Double, fresh: Double, users: Double, joules: Double) {
    var sum = (opens: 0.0, fresh: 0.0, users: 0.0, joules: 0.0)
    for _ in 0..<50 {
      let isHeavy = stream.bernoulli(0.1)
      let again = isHeavy ? 10 / 11.0 : 1 / 6.0
      var opens = 0.0
      while stream.bernoulli(again) {
        opens += 1
        if stream.bernoulli(isHeavy ? 0.6 : 0.3) { sum.fresh += 1 }
      }
      sum.opens += opens
      if opens > 0 { sum.users += 1 }
      sum.joules += 1 + 0.5 * stream.unitExponential()
    }
    return sum
  }

  // Means of a device: 0.9 · 0.2 + 0.1 · 10 opens, 0.9 · 0.06 + 0.1 · 6 fresh ones, 1.5 J.
  private static let freshShare = 0.654 / 1.18
  private static let joulesPerFresh = 1.5 / 0.654

  func ratios() -> [Coverage] {
    func fresh(_ sum: (opens: Double, fresh: Double, users: Double, joules: Double)) -> ReplicationSample.Item
    {
      ReplicationSample.Item(sum.fresh, of: sum.opens, units: sum.users)
    }
    func joules(_ sum: (opens: Double, fresh: Double, users: Double, joules: Double))
      -> ReplicationSample.Item
    {
      ReplicationSample.Item(sum.joules, of: sum.fresh)
    }
    let trials = max(1, trials / 5)
    return [5, 20].flatMap { count in
      [
        // Of five replications few devices have an open, and the limits of a rare share are safe rather than exact.
        row(
          "ratio of sums", "fresh opens of 50 devices, some used a lot, \(count) times",
          count < 20 ? .atLeast : .nominal, trials: trials
        ) { stream in
          let sample = self.sample(count, .share, stream) { fresh(Self.opens(&$0)) }
          return (MeanEstimate(sample)!.interval!.contains(Self.freshShare), count)
        },
        row("ratio of sums", "joules by fresh open of such devices, \(count) times", trials: trials) {
          stream in
          let sample = self.sample(count, .amount, stream) { joules(Self.opens(&$0)) }
          return (MeanEstimate(sample)!.interval!.contains(Self.joulesPerFresh), count)
        },
        row(
          "the same, mean of ratios", "joules by fresh open of such devices, \(count) times", .shown,
          trials: trials
        ) {
          stream in
          let sample = self.sample(count, .amount, stream) { joules(Self.opens(&$0)) }
          return (
            MeanEstimate(sample.values.compactMap(\.self)).interval!.contains(Self.joulesPerFresh), count
          )
        },
        row(
          "paired difference of ratios",
          "joules by fresh open, with and without a joule a device, \(count) times", trials: trials
        ) {
          stream in
          let sums = (0..<count).map { number in
            var own = stream(number)
            return Self.opens(&own)
          }
          let plain = ReplicationSample(sums.map(joules))
          let dearer = ReplicationSample(sums.map { ReplicationSample.Item($0.joules + 50, of: $0.fresh) })
          let truth = 1 / 0.654
          return (MeanEstimate.pairedDifference(dearer, plain)!.interval!.contains(truth), count)
        },
      ]
    }
  }
}
