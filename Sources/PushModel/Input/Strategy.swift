public import Distributions
public import PushPolicy
public import Quantities

/// The app as far as the model knows it.
public struct AppModel: Sendable {
  public var backgroundModes: BackgroundModes = [.remoteNotification]
  /// Run time of the push handler; nil for the population's.
  public var handlerDuration: Distribution?
  /// Shares of new data, no data, failed and never completing; they add up to 1.
  public var results = HandlerShares()
  /// Whether the app loads what is new whenever it is opened.
  public var syncsOnOpen = true

  public init() {}
}

/// How the app's handler ends, as shares that add up to 1.
public struct HandlerShares: Sendable, Equatable {
  public var newData = 1.0
  public var noData = 0.0
  public var failed = 0.0
  public var neverCompletes = 0.0
  public init() {}
}

/// When a push mechanism sends.
public enum SendSchedule: Sendable {
  /// At `phase`, then every `interval`, each send later by a uniform delay from 0 to `jitter` of its own.
  case every(SimDuration, phase: SimDuration, jitter: SimDuration)
  /// At times of the day in the device's time zone, ascending.
  case atLocal([SimDuration])
  /// At times of the day in the server's time zone (UTC), ascending.
  case atServer([SimDuration])
  /// Unit: sends per second.
  case poisson(rate: Double)
  /// At each content update.
  case eachUpdate
  /// At these times from the start of the run, ascending.
  case at([SimDuration])
  /// This long after a silent push that the app has not acknowledged until then; once for all that are not.
  case unacknowledged(after: SimDuration)

  /// The most sends to a device by one mechanism, resends with them: so many have random streams of their own.
  public static let mostSends = 1 << 24

  /// How many sends there are in so many seconds, in the mean.
  ///
  /// - Parameter updates: how many content updates there are.
  public func expectedSends(in seconds: Double, updates: Double) -> Double {
    switch self {
    case .every(let interval, _, _): seconds / interval.seconds + 1
    case .atLocal(let times), .atServer(let times): Double(times.count) * (seconds / 86_400 + 2)
    case .poisson(let rate): rate * seconds
    case .eachUpdate: updates
    case .at(let times): Double(times.count)
    case .unacknowledged: 0
    }
  }
}

/// The `apns-expiration` header.
public enum Expiration: Sendable, Equatable {
  /// No header: stored as long as APNs stores.
  case absent
  /// 0: one attempt, never stored.
  case immediate
  /// Stored until this long after the send.
  case after(SimDuration)
}

/// The mechanisms that go through APNs. The raw value is the index in tallies.
public enum PushMechanism: UInt8, Sendable, CaseIterable {
  case background
  case alert
  case voip

  /// The name in scenario files and results.
  public var name: String {
    switch self {
    case .background: "background_push"
    case .alert: "alert_push"
    case .voip: "voip_push"
    }
  }
}

/// What a push mechanism asks of APNs: when, with which headers and which payload.
public struct PushPlan: Sendable {
  public let mechanism: PushMechanism
  public var send: SendSchedule
  public var priority: Int
  public var expiration = Expiration.absent
  public var collapseID: String?
  /// Unit: bytes.
  public var payloadBytes = 256
  public var request: PushRequest
  /// The push type header; nil for the one that goes with the mechanism and the payload.
  public var type: PushType?
  public var topic = Topic.own
  public var provider = Provider()
  /// What the server does until the app acknowledges; nil: it sends once.
  public var resend: Resend?
  /// What a push of the type `liveactivity` asks for.
  public var activity = ActivityPlan()

  /// A push that the app has not acknowledged is sent again.
  public struct Resend: Sendable, Equatable {
    /// From a send to the next.
    public var after: SimDuration
    /// How often at most, after the first send.
    public var most: Int
    public init(after: SimDuration, most: Int) {
      self.after = after
      self.most = most
    }
  }

  /// What the header says: `background` for a silent push, `voip` for a call, `alert` for all others, unless told
  /// otherwise.
  public var declaredType: PushType {
    if let type { return type }
    if mechanism == .voip { return .voip }
    return request == .silent ? .background : .alert
  }

  public init(_ mechanism: PushMechanism = .background, send: SendSchedule) {
    self.mechanism = mechanism
    self.send = send
    priority = mechanism == .background ? 5 : 10
    switch mechanism {
    case .background: request = .silent
    case .alert: request = [.alert, .sound]
    case .voip: request = .voip
    }
  }
}

/// The Live Activity that pushes of the type `liveactivity` are for.
public struct ActivityPlan: Sendable, Equatable {
  public enum Begin: Sendable {
    /// By the pushes themselves.
    case byPush
    /// By the app, whenever it is opened.
    case atOpen
  }

  /// What every push asks for; nil: a start, `updates` updates, an end, and so on.
  public var event: LiveActivity.Event? = .start
  public var updates = 10
  /// Whether the app has frequent updates.
  public var isFrequent = false

  public init() {}

  public var begins: Begin { event == .update || event == .end ? .atOpen : .byPush }

  /// What the push of a number asks for.
  public func event(ofPush number: Int) -> LiveActivity.Event {
    if let event { return event }
    let step = number % (updates + 2)
    return step == 0 ? .start : step <= updates ? .update : .end
  }
}

/// What the app and its user make of a notification of the mechanism `alert_push`.
public struct AlertHandling: Sendable {
  public var serviceExtension: ServiceExtensionWork?
  public var contentExtension: ContentExtensionWork?
  /// Share of the notifications shown that make the user open the app.
  public var opens = 0.0
  /// How long after. Unit: seconds.
  public var opensAfter = Distribution.constant(0)

  public init() {}
}

/// What the app's Notification Service Extension does with a notification.
public struct ServiceExtensionWork: Sendable {
  /// A file that it downloads and attaches.
  public struct Attachment: Sendable {
    public var format: ServiceExtension.Format
    /// Unit: bytes.
    public var size: Distribution
    /// Of a movie. Unit: seconds.
    public var length = Distribution.constant(0)
    /// Share of downloads that find the file in the extension's cache.
    public var cached = 0.0

    public init(format: ServiceExtension.Format, size: Distribution) {
      self.format = format
      self.size = size
    }
  }

  /// Nil: it only changes the text.
  public var attachment: Attachment?
  /// The peak of its memory. Unit: bytes.
  public var memory = Distribution.constant(0)
  /// Run time beside the download. Unit: seconds.
  public var duration = Distribution.constant(0)
  /// Whether it hands over what it has when the system warns it; else its time runs out.
  public var handsOverBestAttempt = true
  /// Whether it loads what is new on the server and leaves it for the app.
  public var storesContent = false

  public init() {}
}

/// The app's Notification Content Extension.
public struct ContentExtensionWork: Sendable {
  /// Share of the notifications shown that the user expands.
  public var opened = 0.0
  /// The peak of its memory. Unit: bytes.
  public var memory = Distribution.constant(0)

  public init() {}
}

/// What the app makes of a push of the mechanism `voip_push`.
public struct CallHandling: Sendable {
  /// Share of the pushes for which it never reports a call.
  public var neverReports = 0.0
  /// From the delivery to the report of the call. Unit: seconds.
  public var reportsAfter = Distribution.constant(0)
  /// Whether the delegate's method returns before the report, as when the app first asks its server.
  public var returnsFirst = false
  /// Share of the pushes for which it never calls the completion handler.
  public var neverCompletes = 0.0
  /// From the delivery to the completion handler. Unit: seconds.
  public var completesAfter = Distribution.constant(0)
  /// Whether the app also loads what is new.
  public var syncs = false

  public init() {}
}

/// The mechanism `background_download`: what is new comes over a background `URLSession`.
public struct DownloadRequests: Sendable {
  /// Of each transfer. Unit: bytes.
  public var size: Double
  /// Whether the app lets the system choose the time.
  public var isDiscretionary = false

  public init(size: Double) { self.size = size }
}

/// The mechanism `app_refresh`: BGAppRefreshTask, or the legacy background fetch.
public struct RefreshRequests: Sendable {
  public enum API: UInt8, Sendable, CaseIterable {
    case task
    case legacy
    public var name: String { "\(self)" }
  }

  public var api = API.task
  /// The earliest begin date after a request, or the minimum interval of the legacy fetch.
  public var earliest = SimDuration.minutes(15)
  /// Whether each run asks for the next; else only an open of the app does.
  public var resubmits = true
  /// It only loads when no push has started the app for that long; nil: always.
  public var onlyAfterSilence: SimDuration?

  public init() {}
}

/// The mechanism `processing_task`: BGProcessingTask.
public struct ProcessingRequests: Sendable {
  public var earliest = SimDuration.zero
  public var requiresPower = false
  public var requiresNetwork = false
  /// What the work takes. Unit: seconds.
  public var duration = Distribution.constant(60)
  /// What a run takes that finds nothing new on the server; nil: as long as the push handler. Unit: seconds.
  public var durationIfNothingNew: Distribution?

  public init() {}
}

/// A way to keep the app fresh: the mechanisms it combines. With none, the app loads what is new when it is opened.
public struct Strategy: Sendable {
  public var name: String
  /// What readers call it; nil: its name.
  public var title: String?
  public var backgroundPush: PushPlan?
  /// Notifications that the user sees; they may ask for a wake too.
  public var alertPush: PushPlan?
  public var alerts = AlertHandling()
  public var voipPush: PushPlan?
  public var calls = CallHandling()
  public var appRefresh: RefreshRequests?
  public var processingTask: ProcessingRequests?
  /// Nil: a launch loads what is new itself.
  public var backgroundDownload: DownloadRequests?
  /// Whether a WebSocket keeps the app fresh while it is in the front.
  public var usesWebSocket = false

  public init(name: String, backgroundPush: PushPlan? = nil) {
    self.name = name
    self.backgroundPush = backgroundPush
  }

  /// The push mechanisms, in the order of ``PushMechanism``.
  public var pushPlans: [PushPlan] { [backgroundPush, alertPush, voipPush].compactMap(\.self) }

  /// Whether the server waits for acknowledgements at all.
  var waitsForAcknowledgement: Bool {
    pushPlans.contains { plan in
      if case .unacknowledged = plan.send { return true }
      return plan.resend != nil
    }
  }

  /// Whether changes of the device concern anything of it beside silent pushes.
  var usesOthersThanSilentPushes: Bool {
    waitsForAcknowledgement || usesWebSocket || alertPush != nil || voipPush != nil || usesExtensions
      || backgroundDownload != nil
      || appRefresh != nil || processingTask != nil
  }
  /// Whether pushes go to a Live Activity or a widget.
  public var usesExtensions: Bool { backgroundPush?.request.isForExtension ?? false }
  public var sendsPushes: Bool { backgroundPush != nil || alertPush != nil || voipPush != nil }
  /// The mechanisms that the system starts when it likes.
  public var tasks: [TaskMechanism] {
    (appRefresh == nil ? [] : [.appRefresh]) + (processingTask == nil ? [] : [.processingTask])
  }
}
