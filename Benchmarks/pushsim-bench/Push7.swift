import Distributions
import EventKernel
import OutputAnalysis
import Quantities

/// The reference model push7 on pushsim's own kernel and distributions: what is compared with C and with SimPy, so it
/// says how fast the kernel is, not how fast the product's model is (Benchmarks/README.md has the rules).
///
/// The state of a device lives in locals of one function: a class, or a closure per event, would cost two to six times
/// as much.
struct Push7 {
  /// A push on its way, or the handler that it launched.
  struct Pending: BitwiseCopyable {
    var sent: SimTime
    /// Attempts so far; negative for a handler's end.
    var attempts: Int32

    static var handlerEnd: Int32 { -1 }
    static var handlerCutOff: Int32 { -2 }
    static var attemptLimit: Int32 { 5 }
  }

  private(set) var events = 0
  private(set) var sent = 0
  private(set) var delivered = 0
  private(set) var latency = LogHistogram()
  let end: SimTime

  private var queue = EventQueueBox()

  /// A queue cannot be copied, so that a copyable struct holds it by reference; the loop borrows it once a device.
  private final class EventQueueBox {
    var queue = EventQueue<Pending>()
  }

  init(days: Int64) { end = .zero + .days(days) }

  private static let openRates: InlineArray<24, Double> = [
    0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.8, 0.8,
    0.8, 0.8,
    0.8, 0.3,
  ]
  private static var greatestOpenRate: Double { 0.8 }

  /// The next open, by thinning.
  @inline(__always)
  private static func nextOpen(after time: SimTime, end: SimTime, _ stream: inout RandomStream) -> SimTime {
    var time = time
    while true {
      time += SimDuration(seconds: 3600 / greatestOpenRate * stream.unitExponential())
      if time > end { return time }
      let hour = Int(time.microseconds / 3_600_000_000) % 24
      if stream.uniform() * greatestOpenRate < openRates[hour] { return time }
    }
  }

  mutating func run(device: UInt32, _ streams: StreamFamily) {
    Self.run(
      device: device, streams, end: end, queue: &queue.queue, events: &events, sent: &sent,
      delivered: &delivered,
      latency: &latency)
  }

  private static func run(
    device: UInt32, _ streams: StreamFamily, end: SimTime, queue: inout EventQueue<Pending>,
    events: inout Int,
    sent: inout Int, delivered: inout Int, latency: inout LogHistogram
  ) {
    var opens = streams.stream(device: device, .opens)
    var charges = streams.stream(device: device, .charging)
    var pushes = streams.stream(device: device, .send)
    var handlers = streams.stream(device: device, .handler)
    let charge = Lognormal(median: 1.5 * 3600, sigma: 0.5)
    let transit = Lognormal(median: 0.4, sigma: 1)
    let handler = Lognormal(median: 4, sigma: 0.8)
    let handlerLimit = SimDuration.seconds(30)

    var battery = 30 + 70 * charges.uniform()
    var tokens = 4 * pushes.uniform()
    var quality = 1.0
    var charging = false
    var lowPower = false
    var last = SimTime.zero
    var count = 0

    queue.removeAll()
    var open = nextOpen(after: .zero, end: end, &opens)
    var change = SimTime.zero + SimDuration(seconds: 36_000 * charges.unitExponential())
    var send = SimTime.zero + SimDuration(seconds: 900 * pushes.unitExponential())
    while true {
      let arrival = queue.peekTime
      let now = min(min(arrival, send), min(open, change))
      if now > end { break }
      count += 1
      let hours = Double(now.microseconds &- last.microseconds) * (1 / 3.6e9)
      last = now
      battery = max(0, min(100, battery + (charging ? 45 : -2.5) * hours))
      if battery >= 80 { lowPower = false }
      if !charging, battery < 20 { lowPower = true }
      tokens = min(4, tokens + 3 * quality * hours)

      // What is scheduled is put into the queue in one place, so that the insertion is compiled into the loop.
      var push: Pending
      let delay: SimDuration
      if now == arrival {
        // The queue is not empty: its next event is now.
        push = queue.popNext()!.event
        if push.attempts < 0 {
          let u = handlers.uniform()
          if u < 0.1 || push.attempts == Pending.handlerCutOff {
            quality = max(0.2, quality * 0.8)
          } else if u < 0.7 {
            quality = min(1.5, quality * 1.05)
          } else {
            quality = max(0.2, quality * 0.99)
          }
          battery = max(0, battery - 0.05)
          continue
        }
        if tokens >= 1, charging || (battery >= 20 && !lowPower) {
          tokens -= 1
          delivered += 1
          latency.record(now - push.sent)
          let runTime = SimDuration(seconds: handler.draw(&handlers))
          let isCut = runTime > handlerLimit
          push.attempts = isCut ? Pending.handlerCutOff : Pending.handlerEnd
          delay = isCut ? handlerLimit : runTime
        } else {
          push.attempts += 1
          if push.attempts == Pending.attemptLimit { continue }
          delay = SimDuration(seconds: 1800 * pushes.unitExponential())
        }
      } else if now == send {
        sent += 1
        push = Pending(sent: now, attempts: 0)
        delay = SimDuration(seconds: transit.draw(&pushes))
        send = now + SimDuration(seconds: 900 * pushes.unitExponential())
      } else if now == open {
        battery = max(0, battery - 0.7)
        tokens = min(4, tokens + 0.5)
        open = nextOpen(after: now, end: end, &opens)
        continue
      } else {
        charging.toggle()
        let stay = charging ? charge.draw(&charges) : 36_000 * charges.unitExponential()
        change = now + SimDuration(seconds: stay)
        continue
      }
      queue.schedule(at: now + delay, push)
    }
    events += count
  }
}

/// A lognormal distribution whose parameters are known to be right.
private struct Lognormal {
  private let distribution: Distribution

  init(median: Double, sigma: Double) {
    guard let distribution = try? Distribution.lognormal(median: median, sigma: sigma) else {
      preconditionFailure("a lognormal of median \(median) and sigma \(sigma)")
    }
    self.distribution = distribution
  }

  @inline(__always)
  func draw(_ stream: inout RandomStream) -> Double { distribution.draw(&stream) }
}
