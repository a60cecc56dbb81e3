import Distributions
import PushPolicy
public import Quantities

/// The mechanisms by which the system starts the app when it likes. The raw value is the index in tallies.
public enum TaskMechanism: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
  case appRefresh
  case processingTask
}

/// A task of the app on the device at hand.
struct AppTask: Sendable {
  var memory = TaskMemory()
  /// The system's opportunities: the same whatever a strategy asks for, so that strategies meet the same ones.
  private var opportunities: RandomStream
  /// Unit: per second.
  private let rate: Double
  /// The next opportunity, and the number by which the system chooses at it.
  private(set) var next = SimTime.zero
  private(set) var choice = 0.0
  /// Runs so far: the number of the next in its streams.
  var runs: UInt32 = 0

  /// - Parameters:
  ///   - interval: the mean time between opportunities. Unit: seconds.
  ///   - sigma: of the logarithm of the device's factor on their rate.
  init(_ stream: RandomStream, interval: Double, sigma: Double) {
    opportunities = stream
    let spread = sigma > 0 ? try? Distribution.lognormal(zeta: 0, sigma: sigma) : nil
    // One draw either way, so that the spread does not move the opportunities of the median device.
    let factor = (spread ?? .constant(1)).draw(&opportunities)
    rate = factor / max(1, interval)
    // It was used before the run: a request has been pending.
    memory.pendingFrom = .zero
    advance()
  }

  mutating func advance() {
    next += SimDuration(seconds: min(1e9, max(1e-3, opportunities.unitExponential() / rate)))
    choice = opportunities.uniform()
  }
}

/// The app's tasks on the device at hand, of those that the strategy asks for.
///
/// `Play+Tasks` meets their opportunities and tells them what the app and the user do; `Play` asks whether there are
/// any, and the timers when the next opportunity is.
struct AppTasks: Sendable {
  var refresh: AppTask?
  var processing: AppTask?

  var isEmpty: Bool { refresh == nil && processing == nil }
  /// The next opportunity; distant future when there is none.
  var next: SimTime { min(refresh?.next ?? .distantFuture, processing?.next ?? .distantFuture) }

  /// The number of the task's next run.
  func run(_ task: TaskMechanism) -> UInt32 {
    (task == .appRefresh ? refresh?.runs : processing?.runs) ?? 0
  }

  /// The number of the run that begins.
  mutating func takeRun(_ task: TaskMechanism) -> UInt32 {
    defer {
      switch task {
      case .appRefresh: refresh?.runs += 1
      case .processingTask: processing?.runs += 1
      }
    }
    return run(task)
  }

  /// The system knows nothing of a new install, and the app has asked for nothing yet.
  mutating func forget(installedAt now: SimTime) {
    let stopsUnused = refresh?.memory.stopsUnused ?? true
    refresh?.memory = TaskMemory()
    refresh?.memory.installedAt = now
    // Of the device, not of the install.
    refresh?.memory.stopsUnused = stopsUnused
    processing?.memory = TaskMemory()
    processing?.memory.installedAt = now
  }
}
