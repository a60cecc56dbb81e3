import PushPolicy
import Quantities

/// The transfers of a background `URLSession` on the device at hand: one at a time, because each is for what is newest.
///
/// `Play+Downloads` starts, moves and ends the transfer, asks the policy whether bytes may flow, and pays for them; the
/// timers ask when it is next due. What has flowed, and in which state of the device, is known here.
struct Downloads: Sendable {
  private(set) var transfer: BackgroundDownload.Transfer?
  /// The version that it brings, and the launch in the background that asked for it.
  private(set) var version = 0
  private(set) var wake: Wake?
  private(set) var counts = false
  /// Unit: bytes.
  private var bytesLeft = 0.0
  /// Unit: bytes per second.
  private var onWiFi = 0.0
  private var onCellular = 0.0
  /// At which bytes have flowed since `since`; 0 while it waits. Unit: bytes per second.
  private var rate = 0.0
  private var since = SimTime.zero
  /// The device's state since then, which says over which network they came and what paid for them.
  private(set) var state: DeviceState = []
  /// When it is done at this rate, or no longer waits for Wi-Fi and a charger.
  private(set) var next = SimTime.distantFuture
  /// Names the draws of the next transfer.
  private var number: UInt32 = 0

  var isFlowing: Bool { rate > 0 }

  mutating func takeNumber() -> UInt32 {
    defer { number += 1 }
    return number
  }

  /// - Parameters:
  ///   - size: Unit: bytes.
  ///   - onWiFi: how fast it loads. Unit: bytes per second, as `onCellular`.
  mutating func start(
    _ transfer: BackgroundDownload.Transfer, version: Int, wake: Wake?, size: Double, onWiFi: Double,
    onCellular: Double, counts: Bool
  ) {
    self.transfer = transfer
    self.version = version
    self.wake = wake
    self.counts = counts
    self.onWiFi = onWiFi
    self.onCellular = onCellular
    bytesLeft = size
    rate = 0
  }

  /// How many bytes have flowed by `now` since they were last booked, as a number for `book`.
  func flowed(until now: SimTime) -> Double { rate * (now - since).seconds }

  /// What flows from now on flows in this state of the device.
  mutating func flow(in state: DeviceState, from now: SimTime) {
    since = now
    self.state = state
  }

  /// Takes bytes off what is left.
  ///
  /// - Parameter bytes: nil: all of them.
  /// - Returns: whole bytes that add up to the size, however often the transfer pauses.
  mutating func book(_ bytes: Double?) -> Int64 {
    let left = bytes.map { max(0, bytesLeft - $0) } ?? 0
    defer { bytesLeft = left }
    return Int64(bytesLeft.rounded()) - Int64(left.rounded())
  }

  /// - Parameter time: when to ask again, if nothing else happens.
  mutating func pause(until time: SimTime) {
    rate = 0
    next = time
  }

  /// Bytes flow. A device on both networks uses Wi-Fi.
  ///
  /// - Returns: whether the transfer is done at once: what is left after rounding to microseconds takes no time.
  mutating func resume(isOnWiFi: Bool, at now: SimTime) -> Bool {
    rate = isOnWiFi ? onWiFi : onCellular
    guard rate > 0 else {
      next = .distantFuture
      return false
    }
    next = now + SimDuration(seconds: min(1e9, bytesLeft / rate))
    return next <= now
  }

  mutating func end() {
    transfer = nil
    wake = nil
    pause(until: .distantFuture)
  }
}
