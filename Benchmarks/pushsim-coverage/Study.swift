import Distributions
import Glibc
import OutputAnalysis

/// How often an interval or a selection was right, of so many experiments.
struct Coverage {
  /// What a row has to show.
  enum Claim {
    /// About 95 %: from 93.5 to 96.5 %.
    case nominal
    /// At least 95 %, less half a point for the study's own error.
    case atLeast
    /// Nothing; it is there to be seen.
    case shown
  }

  var kind: String
  var model: String
  var claim: Claim
  var right: Int
  var trials: Int
  /// Replications that an experiment took, on average.
  var replications: Double

  var share: Double { Double(right) / Double(trials) }

  static let nominal = 0.935...0.965

  var isAsClaimed: Bool {
    switch claim {
    case .nominal: Self.nominal.contains(share)
    case .atLeast: share >= 0.945
    case .shown: true
    }
  }
}

/// Experiments that are repeated with other random numbers, to count how often 95 % intervals hold the true answer.
struct Study {
  /// How many independent experiments a row counts.
  var trials: Int
  var seed: UInt64 = 1

  /// An experiment: was it right, and how many replications did it take?
  typealias Experiment = (_ replication: (Int) -> RandomStream) -> (isRight: Bool, replications: Int)

  /// Counts a row. A replication of an experiment has a stream of its own, keyed by the row's name and both numbers.
  func row(
    _ kind: String, _ model: String, _ claim: Coverage.Claim = .nominal, trials: Int? = nil,
    _ experiment: Experiment
  ) -> Coverage {
    let trials = trials ?? self.trials
    var right = 0
    var replications = 0
    let key = Self.hash(kind + "/" + model)
    for trial in 0..<trials {
      let family = StreamFamily(seed: seed, replication: trial)
      let outcome = experiment { family.stream(device: key, .test, item: UInt32($0)) }
      if outcome.isRight { right += 1 }
      replications += outcome.replications
    }
    return Coverage(
      kind: kind, model: model, claim: claim, right: right, trials: trials,
      replications: Double(replications) / Double(trials))
  }

  /// FNV-1a: adding a row leaves the others as they are.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// All rows.
  ///
  /// - Parameter progress: told each row as it is done.
  func rows(_ progress: (Coverage) -> Void = { _ in }) -> [Coverage] {
    var rows: [Coverage] = []
    for part in [
      means, differences, joint, rare, ratios, curves, sequential, selections, selected,
    ] {
      for row in part() {
        progress(row)
        rows.append(row)
      }
    }
    return rows
  }

  // MARK: Fixed numbers of replications

  private typealias Draw = (inout RandomStream) -> Double

  private func draw(_ count: Int, _ stream: (Int) -> RandomStream, _ one: Draw) -> [Double] {
    (0..<count).map {
      var own = stream($0)
      return one(&own)
    }
  }

  private func normal(_ stream: inout RandomStream) -> Double { 10 + 3 * stream.unitGaussian() }

  func means() -> [Coverage] {
    func row(
      _ model: String, _ count: Int, _ truth: Double, _ claim: Coverage.Claim = .nominal,
      trials: Int? = nil, one: Draw
    ) -> Coverage {
      self.row("mean", model, claim, trials: trials) { stream in
        let values = draw(count, stream, one)
        return (MeanEstimate(values).interval!.contains(truth), count)
      }
    }
    return [
      row("normal", 5, 10, one: normal),
      row("mean of 50 exponential waits", 10, 1, one: Models.exponential),
      row("share of 100 devices, a probability per replication", 20, Models.meanShare, one: Models.share),
      row(
        "wait in 20 M/M/1 queues of 50 customers", 20, Models.meanWait(service: 1),
        trials: max(1, trials / 5)
      ) { Models.wait(&$0, service: 1) },
      // Values of one long queue are too skewed for Student's interval; a replication of pushsim is many devices.
      row("wait in one M/M/1 queue of 50 customers", 20, Models.meanWait(service: 1), .shown) {
        Models.wait(&$0, service: 1, queues: 1)
      },
    ]
  }

  func differences() -> [Coverage] {
    [
      row("paired difference", "normal, most of it shared") { stream in
        let pairs = (0..<10).map { number in
          var own = stream(number)
          let shared = 5 * own.unitGaussian()
          return (2 + shared + own.unitGaussian(), shared + own.unitGaussian())
        }
        let interval = MeanEstimate.pairedDifference(pairs.map(\.0), pairs.map(\.1)).interval!
        return (interval.contains(2), 10)
      },
      row(
        "paired difference", "waits in 20 M/M/1 queues, two speeds for the same customers",
        trials: max(1, trials / 5)
      ) { stream in
        let a = draw(20, stream) { Models.wait(&$0, service: 1) }
        let b = draw(20, stream) { Models.wait(&$0, service: 1.1) }
        let truth = Models.meanWait(service: 1) - Models.meanWait(service: 1.1)
        return (MeanEstimate.pairedDifference(a, b).interval!.contains(truth), 20)
      },
    ]
  }

  /// Bonferroni's intervals hold together more often than they must.
  func joint() -> [Coverage] {
    let rates = [1, 1.1, 1.25, 1.5]
    return [
      row(
        "all of six differences", "waits in 20 M/M/1 queues, four speeds for the same customers", .atLeast,
        trials: max(1, trials / 5)
      ) { stream in
        let values = rates.map { rate in draw(20, stream) { Models.wait(&$0, service: rate) } }
        var isRight = true
        for a in rates.indices {
          for b in 0..<a {
            let truth = Models.meanWait(service: rates[a]) - Models.meanWait(service: rates[b])
            let interval = PairedComparison(values[a], values[b], family: 6).joint!
            isRight = isRight && interval.contains(truth)
          }
        }
        return (isRight, 20)
      }
    ]
  }

  /// Curves over replications, as a run reports them: at a time, and the time of a share by inversion.
  func curves() -> [Coverage] {
    func row(_ kind: String, _ claimed: @escaping (CurveEstimate, LogHistogram) -> Bool) -> Coverage {
      self.row(kind, "some pushes still under way, curve over replications", trials: max(1, trials / 5)) {
        stream in
        let replications = (0..<20).map { number in
          var own = stream(number)
          return WatchedPushes(&own, pushes: 50)
        }
        var all = WatchedPushes()
        for replication in replications { all.add(replication) }
        let estimate = CurveEstimate(
          times: WatchedPushes.times, curves: replications.map(\.arrived), all: all.arrived)
        return (claimed(estimate, all.waits), 20)
      }
    }
    func short(_ time: Double) -> String { time == 0.5 ? "0.5" : "\(Int(time))" }
    let atTimes = [0.5, 1, 2, 3].map { time in
      row("cumulative incidence at \(short(time)) s") { curve, _ in
        let index = curve.times.firstIndex { $0 > time - 0.01 }!
        return (curve.low![index]...curve.high![index]).contains(Models.arrived(within: time))
      }
    }
    return atTimes
      + [25, 50, 70].map { percent in
        row("time within which \(percent) % of all sent arrive") { curve, waits in
          let share = Double(percent) / 100
          let limits = curve.quantile(share, records: waits, unit: 1e-6)
          let truth = Models.arrivalTime(share)
          // A limit that is never reached is beyond every time.
          return limits.low! <= truth && truth <= limits.high ?? .infinity
        }
      }
  }

  // MARK: Numbers of replications that the values decide

  func sequential() -> [Coverage] {
    func row(
      _ model: String, _ target: SequentialPrecision.Target, _ truth: Double,
      _ claim: Coverage.Claim = .nominal, widened: Bool = true, trials: Int? = nil, one: @escaping Draw
    ) -> Coverage {
      let rule = SequentialPrecision(target, maximum: 10_000)
      return self.row(
        widened ? "mean, after stopping at a precision" : "the same, Student's interval", model, claim,
        trials: trials
      ) { stream in
        var values: [Double] = []
        while case .more(let next) = rule.step(values) {
          for number in values.count..<next {
            var own = stream(number)
            values.append(one(&own))
          }
        }
        let interval = widened ? rule.interval(values)! : MeanEstimate(values).interval!
        return (interval.contains(truth), values.count)
      }
    }
    return [
      row("normal, ± 1.9", .absolute(1.9), 10, one: normal),
      row("normal, ± 1.3", .absolute(1.3), 10, one: normal),
      row("normal, ± 0.9", .absolute(0.9), 10, one: normal),
      row("normal, ± 1.9", .absolute(1.9), 10, .shown, widened: false, one: normal),
      row("normal, ± 10 %", .relative(0.1), 10, one: normal),
      row("mean of 50 exponential waits, ± 5 %", .relative(0.05), 1, one: Models.exponential),
      row(
        "share of 100 devices, a probability per replication, ± 8 %", .absolute(0.08), Models.meanShare,
        one: Models.share),
      row(
        "wait in 20 M/M/1 queues of 50 customers, ± 10 %", .relative(0.1), Models.meanWait(service: 1),
        trials: max(1, trials / 5)
      ) { Models.wait(&$0, service: 1) },
    ]
  }

  private struct Systems {
    var model: String
    var means: [Double]
    /// The spread of what all systems have in common.
    var shared: Double
    var deviations: [Double]? = nil

    func draw(_ stream: inout RandomStream) -> [Double] {
      let common = shared * stream.unitGaussian()
      return means.indices.map { means[$0] + common + (deviations?[$0] ?? 1) * stream.unitGaussian() }
    }
  }

  private var systems: [Systems] {
    [
      Systems(model: "two systems, a just noticeable difference apart", means: [0, 0.5], shared: 2),
      Systems(
        model: "five systems, all others just noticeably behind", means: [0, 0, 0.5, 0, 0], shared: 2),
      Systems(
        model: "five systems, each just noticeably behind the last", means: [2, 1.5, 1, 0.5, 0], shared: 0),
      Systems(
        model: "four systems of unequal spread, all others just noticeably behind", means: [0, 0.5, 0, 0],
        shared: 0, deviations: [2, 1, 0.5, 1.5]),
    ]
  }

  func selections() -> [Coverage] {
    systems.map { systems in
      row("selection of the best", systems.model, .atLeast, trials: max(1, trials / 5)) { stream in
        var procedure = KimNelson(systems: systems.means.count, indifference: 0.5)
        var number = 0
        while procedure.best == nil {
          var own = stream(number)
          procedure.add(systems.draw(&own))
          number += 1
        }
        let best = systems.means.indices.max { systems.means[$0] < systems.means[$1] }!
        return (procedure.best == best, procedure.count)
      }
    }
  }

  /// The mean of the system that was selected, with the interval that a run reports: the choice favours a system whose
  /// values happened to be high.
  func selected() -> [Coverage] {
    let alike = Systems(model: "five systems that do not differ", means: [0, 0, 0, 0, 0], shared: 2)
    return (systems + [alike]).map { systems in
      // Where there is no best, the luckiest is selected, and nothing is promised.
      let claim: Coverage.Claim = Set(systems.means).count == 1 ? .shown : .nominal
      return row("mean of the selected", systems.model, claim, trials: max(1, trials / 5)) { stream in
        var procedure = KimNelson(systems: systems.means.count, indifference: 0.5)
        var values: [[Double]] = []
        while procedure.best == nil {
          var own = stream(values.count)
          values.append(systems.draw(&own))
          procedure.add(values[values.count - 1])
        }
        let best = procedure.best!
        let interval = MeanEstimate(
          values.map { $0[best] }, widening: SequentialPrecision.widening
        ).interval!
        return (interval.contains(systems.means[best]), values.count)
      }
    }
  }
}
