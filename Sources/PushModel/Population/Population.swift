public import Distributions

/// How the devices of a population differ and how their users live: the parameters from which a ``LifeGenerator``
/// draws lives.
///
/// The values are data: `Scenarios/populations/*.yaml` gives each with its unit, evidence and source, and
/// ``Population/keys`` says what each means and which values it may take. A population made by ``init()`` is empty
/// (every value 0) and means nothing until those rows have been read into it.
///
/// - Units: SI throughout (seconds, per second, joules, watts, fractions), whatever unit the file writes.
public struct Population: Sendable {
  /// Weights of the app-use classes among installed tokens.
  public var classes = ByUserClass(0.0)
  public var appUse = AppUse()
  public var deviceUse = DeviceUse()
  public var surroundings = Surroundings()
  public var battery = Battery()
  public var lowPowerMode = LowPowerMode()
  public var settings = Settings()
  public var churn = Churn()
  public var connectivity = Connectivity()
  /// Read by the path of a push, not by the life.
  public var latency = Latency()
  /// Read by what loads content, not by the life.
  public var network = Network()
  public var mix = Mix()
  /// Read by the reckoning of energy, not by the life.
  public var energy = Energy()
  public var timeZone = TimeZone()
  public var restart = Restart()
  public var cpu = Processor()
  public var ipad = Tablet()
  public var mac = Computer()

  /// A population without values, for a decoder to fill.
  public init() {}

  /// A value for each ``UserClass``.
  public struct ByUserClass<Value: Sendable>: Sendable {
    public var dormant: Value
    public var light: Value
    public var regular: Value
    public var heavy: Value

    public init(_ value: Value) {
      dormant = value
      light = value
      regular = value
      heavy = value
    }
  }

  /// A value for each class of phone use, which is not the class of app use: a heavy phone user may hardly use the app.
  public struct ByPhoneUse<Value: Sendable>: Sendable {
    public var light: Value
    public var regular: Value
    public var heavy: Value

    public init(_ value: Value) {
      light = value
      regular = value
      heavy = value
    }
  }

  /// A value for each ``DeviceKind``.
  public struct ByKind<Value: Sendable>: Sendable {
    public var iphone: Value
    public var ipad: Value
    public var mac: Value

    public init(_ value: Value) {
      iphone = value
      ipad = value
      mac = value
    }
  }

  /// When and how long users open the app.
  ///
  /// A hurdle model: whether the local day is a day of use, and if so how often the app is opened.
  public struct AppUse: Sendable {
    /// Probability that a local day is a day of use; one draw per device, renewed after each ``persistence``.
    public var activeDayProbability = ByUserClass(Distribution.constant(0))
    /// Opens on a day of use; at least 1.
    public var opensOnActiveDay = ByUserClass(Distribution.constant(1))
    /// Time between a day's opens, of which only the shape matters: a day's gaps are scaled to fill the day, whose
    /// hours count by ``diurnalWeights``. Exponential gaps are opens placed independently by the weights; a Weibull of
    /// shape below 1 makes them come in bursts.
    public var withinDayGap = Distribution.constant(0)
    /// How long the app stays in front (s).
    public var session = Distribution.constant(0)
    /// Relative frequency of opens in each local hour; 24 values.
    public var diurnalWeights: [Double] = Array(repeating: 1, count: 24)
    /// How much later opens of the early hours come at weekends (s).
    public var weekendShift = 0.0
    /// The local time of day before which ``weekendShift`` applies (s).
    public var weekendShiftBefore = 0.0
    /// Time after which a user's probability of a day of use is drawn anew, within the class (s).
    public var persistence = Distribution.constant(0)
  }

  /// Use of the device as a whole, which drains its battery.
  public struct DeviceUse: Sendable {
    /// Weights of the classes of phone use.
    public var shares = ByPhoneUse(0.0)
    /// Mean time with the screen on (s per day).
    public var screenOn = ByPhoneUse(0.0)
    /// Factor on ``screenOn``, one draw per device.
    public var screenOnJitter = Distribution.constant(1)
    /// Unlocks on a day; screen time follows their ratio to the mean.
    public var unlocksPerDay = Distribution.constant(0)
  }

  /// What happens around the app: use of the device and of its camera, and what other apps get.
  public struct Surroundings: Sendable {
    /// Other apps' notifications (1/s), mean over devices.
    public var notifications = 0.0
    /// Silent pushes of all other apps (1/s), mean over devices.
    public var otherPushes = 0.0
    /// Share of the time in which the device is in use.
    public var inUse = 0.0
    /// Mean length of one use (s).
    public var session = 0.0
    /// Uses of the camera (1/s), and the mean length of one (s).
    public var camera = 0.0
    public var cameraFor = 0.0
  }

  public struct Battery: Sendable {
    /// Energy of a full, new battery (J). Read where energy becomes battery level, not by the life.
    public var capacity = ByKind(Distribution.constant(0))
    /// Remaining share of the capacity; drains are divided by it.
    public var health = Distribution.constant(1)
    /// Drain with the screen off (fraction/s).
    public var idleDrain = Distribution.constant(0)
    /// Drain added by the screen and what is behind it (fraction/s).
    public var activeDrain = Distribution.constant(0)
    /// Charge speeds below 80 %, from 80 to 95 %, and above (fraction/s).
    public var chargeBelow80 = 0.0
    public var chargeFrom80To95 = 0.0
    public var chargeAbove95 = 0.0
    /// Probability that a night's charge holds at 80 %.
    public var holdAt80OvernightProbability = 0.0
    /// The hold ends that long before the user wakes (s).
    public var holdEndsBeforeWake = 0.0
    /// Probability that the device is on its charger in a night; one draw per device.
    public var overnightChargeProbability = ByPhoneUse(Distribution.constant(0))
    /// The user's usual local time of going to bed and of waking (s after midnight), and the standard deviation of
    /// a single night around it (s).
    public var bedtime = Distribution.constant(0)
    public var bedtimeNightlySigma = 0.0
    public var wake = Distribution.constant(0)
    public var wakeNightlySigma = 0.0
    /// Level below which the user looks for a charger; one draw per device.
    public var anxietyLevel = Distribution.constant(0)
    /// Hazard of plugging in below that level while awake, at home and elsewhere (1/s).
    public var lowPlugHazardHome = 0.0
    public var lowPlugHazardAway = 0.0
    /// Local times of day between which the user counts as at home (s after midnight).
    public var homeFrom = 0.0
    public var homeUntil = 0.0
    /// Other charges while awake at half a battery (1/s); in proportion to 1 − level.
    public var topups = ByPhoneUse(0.0)
    /// Factor on ``topups``, one draw per device.
    public var topupHeterogeneity = Distribution.constant(1)
    /// How long a charge by day lasts (s).
    public var topupDuration = Distribution.constant(0)
    /// Level at which an empty device on its charger starts again.
    public var bootLevel = 0.0
  }

  public struct LowPowerMode: Sendable {
    /// Levels at which the system asks, falling.
    public var promptLevels: [Double] = [0, 0]
    /// A user's probability of accepting the first and the second prompt; one draw per device.
    public var acceptAtFirst = Distribution.constant(0)
    public var acceptAtSecond = Distribution.constant(0)
    /// Share of users who have it on at all times, also while charging.
    public var alwaysOnShare = 0.0
    /// Level above which charging ends it.
    public var autoOffLevel = 0.0
    /// Probability that the user ends it by hand when plugging in.
    public var manualOffAtPlugIn = 0.0
    /// Factor on the drain.
    public var drainFactor = 1.0
  }

  public struct Settings: Sendable {
    /// Shares of devices on which Background App Refresh is off for all apps, off for this one, or on Wi-Fi only.
    public var refreshOffGlobally = 0.0
    public var refreshOffForApp = 0.0
    public var refreshOnWiFiOnly = 0.0
    /// Weights of users who never, sometimes or habitually force-quit.
    public var forceQuitNever = 0.0
    public var forceQuitSometimes = 0.0
    public var forceQuitHabitual = 0.0
    /// Hazard of a force quit by one who does it sometimes (1/s).
    public var forceQuitHazard = 0.0
    /// Probability that one with the habit force-quits at the end of a session.
    public var forceQuitAfterSession = 0.0
    /// Share of users who let the app show notifications.
    public var pushOptIn = 0.0
    /// Share of these who have its alerts shown in no place.
    public var alertStylesOff = 0.0
  }

  public struct Churn: Sendable {
    /// Time from installing the app to removing it (s).
    public var uninstall = Distribution.constant(0)
    /// Time since the app was installed, at the start of the run (s).
    public var tokenAge = Distribution.constant(0)
    /// From the removal to the first 410 that tells the provider (s).
    public var goneReportedAfter = Distribution.constant(0)
  }

  public struct Connectivity: Sendable {
    /// Weights of Wi-Fi, cellular and no network over all time of an iPhone.
    public var timeOnWiFi = 0.0
    public var timeOnCellular = 0.0
    public var timeOffline = 0.0
    /// One stay on Wi-Fi by day (s).
    public var wifiDwell = Distribution.constant(0)
    /// A short outage of the cellular network (s), and its greatest length.
    public var shortOutage = Distribution.constant(0)
    public var shortOutageLimit = 0.0
    /// A long outage of the cellular network (s), and the share of outages that are long.
    public var longOutage = Distribution.constant(0)
    public var longOutageShare = 0.0
    /// Probability that the device spends a night on Wi-Fi.
    public var nightOnWiFi = 0.0
    /// Share of users who switch the device off or to airplane mode at night, the probability for one night, and the
    /// share of them who switch it off.
    public var nightlyOffUsers = 0.0
    public var nightlyOffProbability = 0.0
    public var nightlyOffPoweredOff = 0.0
  }

  public struct Network: Sendable {
    /// How fast a device loads from a server (bytes/s).
    public var bandwidthWiFi = Distribution.constant(0)
    public var bandwidthCellular = Distribution.constant(0)
  }

  public struct Latency: Sendable {
    /// From APNs' acceptance to a device that is online (s).
    public var apnsOnline = Distribution.constant(0)
    /// Share of pushes that take ``apnsSlowTail`` instead.
    public var apnsSlowTailProbability = 0.0
    public var apnsSlowTail = Distribution.constant(0)
    /// Round trip from the device to a server (s).
    public var roundTripWiFi = Distribution.constant(0)
    public var roundTripCellular = Distribution.constant(0)
    /// Run time of a handler for which the scenario gives none (s), and its greatest length.
    public var handler = Distribution.constant(0)
    public var handlerLimit = 0.0
  }

  public struct Mix: Sendable {
    public var device = ByKind(0.0)
    /// Weights of the system's major versions, on every kind of device.
    public var os27 = 0.0
    public var os26 = 0.0
    public var os18 = 0.0
    public var osOlder = 0.0
    /// Share of iPads with an M chip. Every Mac has one.
    public var ipadMChip = 0.0
  }

  public struct Energy: Sendable {
    /// Energy of the radio for one wake (J).
    public var radioPerWakeWiFi = 0.0
    public var radioPerWakeCellular = 0.0
    /// How long the radio stays up after traffic, to be shared by what follows (s).
    public var radioTail = 0.0
    /// Energy of moving a megabyte, beside the radio's and the handler's (J).
    public var transferPerMBWiFi = 0.0
    public var transferPerMBCellular = 0.0
    /// Powers while a handler runs (W), and its load of the processor.
    public var overhead = 0.0
    public var cpuPerUnitLoad = 0.0
    public var cpuLoad = 0.0
    public var wifi = 0.0
    public var cellular = 0.0
  }

  public struct TimeZone: Sendable {
    /// Local time minus the run's time (s); one draw per device, rounded to a quarter of an hour.
    public var utcOffset = Distribution.constant(0)
  }

  /// Restarts, and how long the device is off for one.
  public struct Restart: Sendable {
    /// Time between restarts that the user or an update makes (s).
    public var interval = Distribution.constant(0)
    public var offFor = Distribution.constant(0)
  }

  /// Episodes of a busy processor.
  public struct Processor: Sendable {
    /// Frequency (1/s), length (s) and load (fraction) of an episode.
    public var episodes = 0.0
    public var episodeLength = Distribution.constant(0)
    public var episodeLoad = Distribution.constant(0)
  }

  /// In what an iPad differs from an iPhone.
  public struct Tablet: Sendable {
    /// Probability that an iPad's class of app and of device use is one lower than drawn.
    public var classShift = 0.0
    public var timeOnWiFi = 0.0
    /// Share of iPads with a cellular modem; the others have no network away from Wi-Fi.
    public var cellularShare = 0.0
    /// Factors on the drain with the screen off, on time with the screen on and on the frequency of charges.
    public var idleDrainFactor = 1.0
    public var screenOnFactor = 1.0
    public var chargeFactor = 1.0
    /// One stretch awake and one asleep by day, on an M chip (s).
    public var awakeFor = Distribution.constant(0)
    public var asleepFor = Distribution.constant(0)
  }

  /// In what a Mac differs from an iPhone.
  public struct Computer: Sendable {
    public var timeOnWiFi = 0.0
    /// Share of time on the charger, and one stretch off it (s).
    public var timeOnCharger = 0.0
    public var unpluggedFor = Distribution.constant(0)
    /// Factor on the drain while asleep; awake, ``Battery/activeDrain`` is added.
    public var idleDrainFactor = 1.0
    public var activeDrainFactor = 1.0
    /// One stretch awake and one asleep by day (s). At night a Mac sleeps.
    public var awakeFor = Distribution.constant(0)
    public var asleepFor = Distribution.constant(0)
    /// Weights of the setting of Low Power Mode.
    public var lowPowerNever = 0.0
    public var lowPowerOnBattery = 0.0
    public var lowPowerAlways = 0.0
  }
}
