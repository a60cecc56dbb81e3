import PushPolicy
import Quantities

/// A push on its way: its mechanism, its number among those sent to the device by it, and when it was sent.
struct Push: Sendable, BitwiseCopyable {
  var number: Int32
  /// Handed to the device so many times, counted up to 7.
  var attempts: UInt8 = 0
  /// Tries of the provider after the first.
  var tries: UInt8 = 0
  /// Ten times the device's hour of the day at the send, and the tenths of its battery's full charge; 0 before the end
  /// of the warm-up.
  var place: UInt8
  private var marks: UInt8
  var sent: SimTime

  init(number: Int32, _ mechanism: PushMechanism, place: UInt8, counts: Bool, sent: SimTime) {
    self.number = number
    self.place = place
    marks = (counts ? 1 : 0) | mechanism.rawValue << 6
    self.sent = sent
  }

  var mechanism: PushMechanism { PushMechanism(rawValue: marks >> 6) ?? .background }
  /// Tells the random streams of its mechanism from those of others.
  var lane: UInt32 { UInt32(mechanism.rawValue) }
  /// The device's hour of the day at the send.
  var hour: Int { Int(place) / 10 }
  /// Whether it was sent after the warm-up.
  var counts: Bool { marks & 1 != 0 }
  /// The provider has not had an answer to it that it accepts.
  var isAtProvider: Bool {
    get { marks & 2 != 0 }
    set { marks = newValue ? marks | 2 : marks & ~2 }
  }
  /// It was in the one slot once.
  var wasStored: Bool {
    get { marks & 4 != 0 }
    set { marks = newValue ? marks | 4 : marks & ~4 }
  }
  /// The wake that an alert asks for beside being shown: the push itself has had its end.
  var isEcho: Bool { marks & 16 != 0 }
  var echo: Push {
    var echo = self
    echo.marks = marks & ~1 | 16
    return echo
  }

  func isNewer(than other: Push) -> Bool {
    mechanism == other.mechanism ? number > other.number : sent > other.sent
  }
}
