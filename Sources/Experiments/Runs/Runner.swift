internal import Distributions
public import EventKernel
import Glibc
import PushModel
import Quantities
import Synchronization

/// Why a run ended without a result.
public enum RunError: Error, Sendable {
  /// The caller asked to stop; so many replications of all were complete.
  case interrupted(completed: Int, of: Int)
  /// The model cannot go on.
  case simulation(SimulationError, device: UInt32, replication: Int, seed: UInt64)
  /// What its devices used in all cannot be counted.
  case sumTooLarge(replication: Int)
}

/// Runs a scenario's replications on all cores.
///
/// Threads take small ranges of devices in order. What they count are whole numbers, added up per replication, so the
/// result is the same bytes on any number of threads; a replication's sums are turned into its values and forgotten as
/// soon as its last device is done, so memory depends neither on devices nor on replications.
public struct Runner: Sendable {
  private let scenario: Scenario
  private let threads: Int

  /// - Parameter threads: at least 1.
  public init(_ scenario: Scenario, threads: Int) {
    precondition(threads >= 1, "a run needs at least one thread, not \(threads)")
    self.scenario = scenario
    self.threads = threads
  }

  /// The number of processors that the process may use.
  public static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Runs the replications of the scenario's experiment and estimates. Where the values decide how many there are, batches
  /// of replications follow until they are enough.
  ///
  /// - Parameters:
  ///   - progress: told how many of all devices (of all replications) are done; called from any thread.
  ///   - shouldStop: asked before each device; true ends the run with ``RunError/interrupted(completed:of:)``.
  public func run(
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(RunError) -> ExperimentResult {
    let estimation = Estimation(scenario: scenario)
    let most = scenario.experiment.mostReplications ?? scenario.experiment.replications
    let devices = scenario.experiment.devices
    func part(_ range: Range<Int>) throws(RunError) -> ReplicationOutput {
      do throws(RunError) {
        return try output(
          of: range,
          progress: { done, _ in progress(range.lowerBound * devices + done, most * devices) },
          shouldStop: shouldStop)
      } catch .interrupted(let completed, _) {
        throw .interrupted(completed: range.lowerBound + completed, of: most)
      }
    }
    var count = estimation.firstReplications
    var all = try part(0..<count)
    while let next = estimation.nextReplications(all, count: count) {
      all.append(try part(count..<next))
      count = next
    }
    return estimates(from: all)
  }

  /// Makes estimates of replications from the first on, as many as there are.
  ///
  /// - Precondition: the output is of this scenario.
  public func estimates(from output: ReplicationOutput) -> ExperimentResult {
    var scenario = scenario
    scenario.replications = output.count
    return Estimation(scenario: scenario).result(output)
  }

  /// Runs some replications. A replication's number alone decides what it draws, so replications that were run apart are
  /// the same as in one run; join them with ``ReplicationOutput/append(_:)``.
  ///
  /// - Parameters: as of ``run(progress:shouldStop:)``.
  /// - Precondition: the range is not empty and starts at 0 or later.
  public func output(
    of replications: Range<Int>,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws(RunError) -> ReplicationOutput {
    try output(of: replications, samplesOnly: false, progress: progress, shouldStop: shouldStop)
  }

  /// - Parameter samplesOnly: as of ``ReplicationOutput``.
  func output(
    of replications: Range<Int>, samplesOnly: Bool,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void,
    shouldStop: @escaping @Sendable () -> Bool
  ) throws(RunError) -> ReplicationOutput {
    precondition(!replications.isEmpty && replications.lowerBound >= 0, "the replications \(replications)")
    let board = Board(
      scenario, replications, samplesOnly: samplesOnly, progress: progress, shouldStop: shouldStop)
    if threads == 1 {
      board.work()
    } else {
      let workers = (0..<threads).map { _ in Thread { board.work() } }
      for worker in workers { worker.join() }
    }
    return try board.output()
  }
}

/// A POSIX thread.
private final class Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var id = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    let status = pthread_create(
      &id, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    precondition(status == 0, "a thread could not be created: error \(status)")
  }

  func join() { pthread_join(id, nil) }
}

/// What the threads share: the next range of devices, and what has been counted.
private final class Board: Sendable {
  /// The sums of a replication that is not complete.
  private struct Open {
    var tallies: [[Tally]]
    var devicesLeft: Int
  }

  private struct State {
    var open: [Int: Open] = [:]
    var output: ReplicationOutput
    var completed = 0
    var done = 0
    var error: RunError?
  }

  private let scenario: Scenario
  private let replications: Range<Int>
  private let progress: @Sendable (Int, Int) -> Void
  private let shouldStop: @Sendable () -> Bool
  private let nextRange = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let rangesPerReplication: Int
  private let state: Mutex<State>

  private static let devicesPerRange = 16

  init(
    _ scenario: Scenario, _ replications: Range<Int>, samplesOnly: Bool,
    progress: @escaping @Sendable (Int, Int) -> Void,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.scenario = scenario
    self.replications = replications
    self.progress = progress
    self.shouldStop = shouldStop
    rangesPerReplication = (scenario.experiment.devices + Self.devicesPerRange - 1) / Self.devicesPerRange
    state = Mutex(
      State(
        output: ReplicationOutput(
          policies: scenario.input.policies.count, strategies: scenario.input.strategies.count,
          replications: replications.count, samplesOnly: samplesOnly)))
  }

  func work() {
    let settings = scenario.experiment
    let ranges = rangesPerReplication * replications.count
    var worker: DeviceWorker?
    var replication = -1
    var devices = 0
    while !isStopped.load(ordering: .relaxed) {
      let range = nextRange.wrappingAdd(1, ordering: .relaxed).oldValue
      guard range < ranges else { break }
      let number = replications.lowerBound + range / rangesPerReplication
      if number != replication {
        if devices > 0 { hand(over: worker!.takeTallies(), of: replication, devices: devices) }
        replication = number
        worker = DeviceWorker(scenario.input, replication: replication, after: worker)
        devices = 0
      }
      let first = range % rangesPerReplication * Self.devicesPerRange
      let last = min(settings.devices, first + Self.devicesPerRange)
      for device in first..<last {
        if shouldStop() {
          isStopped.store(true, ordering: .relaxed)
          return
        }
        do throws(SimulationError) {
          try worker!.run(device: UInt32(device))
        } catch {
          fail(
            .simulation(error, device: UInt32(device), replication: replication, seed: scenario.input.seed))
          return
        }
      }
      devices += last - first
      report(last - first)
    }
    if devices > 0 { hand(over: worker!.takeTallies(), of: replication, devices: devices) }
  }

  private func fail(_ error: RunError) {
    isStopped.store(true, ordering: .relaxed)
    state.withLock { if $0.error == nil { $0.error = error } }
  }

  private func report(_ devices: Int) {
    let done = state.withLock {
      $0.done += devices
      return $0.done
    }
    progress(done, scenario.experiment.devices * replications.count)
  }

  private func hand(over tallies: sending [[Tally]], of replication: Int, devices: Int) {
    let settings = scenario.experiment
    let days = scenario.input.duration.days
    state.withLock { state in
      var open = state.open[replication] ?? Open(tallies: [], devicesLeft: settings.devices)
      if open.tallies.isEmpty {
        open.tallies = tallies
      } else {
        for policy in tallies.indices {
          for strategy in tallies[policy].indices {
            open.tallies[policy][strategy].add(tallies[policy][strategy])
          }
        }
      }
      open.devicesLeft -= devices
      guard open.devicesLeft == 0 else {
        state.open[replication] = open
        return
      }
      state.open[replication] = nil
      state.completed += 1
      if open.tallies.contains(where: { $0.contains(where: \.isFull) }), state.error == nil {
        isStopped.store(true, ordering: .relaxed)
        state.error = .sumTooLarge(replication: replication)
      }
      state.output.record(open.tallies, at: replication - replications.lowerBound, days: days)
    }
  }

  func output() throws(RunError) -> ReplicationOutput {
    let (error, completed, output) = state.withLock { ($0.error, $0.completed, $0.output) }
    if let error { throw error }
    guard completed == replications.count else {
      throw .interrupted(completed: completed, of: replications.count)
    }
    return output
  }
}
