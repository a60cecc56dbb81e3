public import Quantities

/// **What it models.** A notification service extension: a process of the app that may change an alert, and load media for
/// it, before the alert is shown.
///
/// **Rule.** It runs for an alert with `mutable-content` if the user allows the app's alerts. The alert waits until it is
/// done. `warning` before the end of `limit` the system asks for what there is by then; an extension that has no answer to
/// that goes on to the end of `limit`, and if it is not done then the original alert is shown. One that needs more memory than
/// the device grants is terminated, and the alert is shown as it came or not at all. An attachment that is too large or of a
/// format that the system does not take is left out.
///
/// **Interactions.** None with the launch of the app: it is asked of every alert, whatever ``Payload`` says.
///
/// **Scope and limitations.** Alerts of an app come to the extension one after another: the model keeps until when it is
/// busy, and draws with `missed_while_busy` whether an alert that comes meanwhile is shown without it. The work is done
/// first, then the attachment is loaded, and the peak of the memory is at the end. The memory that is granted goes by the
/// system version, which stands for the age of the device: reports name devices (N5). An extension that uses up its time
/// while it starts (N10) and one that hides alerts (N9) are not modelled. A guide has it run by the alert's category as
/// well (C2-11), which is true of ``ContentExtension``.
///
/// **Sources.** C2-01 to C2-06, C2-08 to C2-11; N1 to N8, N12, R-105 to.
public struct ServiceExtension: Sendable {
  /// The longest run. Unit: seconds.
  public var limit = 0.0
  /// How long before that the extension is asked for what it has. Unit: seconds.
  public var warning = 0.0
  /// What a current device grants, one whose system is `olderUntil` or before, and one of `oldestUntil` or before. Unit: bytes.
  public var memoryLimit = Double.infinity
  public var memoryLimitOlder = Double.infinity
  public var memoryLimitOldest = Double.infinity
  public var olderUntil = 0.0
  public var oldestUntil = 0.0
  /// The chance that the alert of a terminated extension is shown as it came. Unit: dimensionless, 0 to 1.
  public var shownIfKilled = 1.0
  /// The chance that an alert which comes while the extension is at work is shown without it. Unit: dimensionless, 0 to 1.
  public var missedWhileBusy = 0.0
  /// The largest attachments. Unit: bytes.
  public var imageLimit = Double.infinity
  public var audioLimit = Double.infinity
  public var movieLimit = Double.infinity
  /// The longest movie. Unit: seconds.
  public var movieLongest = Double.infinity
  /// Index in ``formatLists``.
  public var formats = 0
  /// Round trips to the server before the first byte of an attachment.
  public var roundTrips = 0.0
  /// The time to take an attachment from a cache. Unit: seconds.
  public var cachedTime = 0.0

  public init() {}

  /// Whose list of formats holds: that of the guides (C2-09), or Apple's (N7).
  public static let formatLists = ["guides", "apple"]

  /// The kinds of media, each with a limit of its own.
  @frozen
  public enum Media: UInt8, Sendable, CaseIterable, BitwiseCopyable { case image, audio, movie }

  @frozen
  public enum Format: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
    case jpeg, png, gif, tiff
    case mp3, aac, wav, caf, aiff, mpeg4Audio
    case mpeg, mpeg2, mpeg4, mov, avi

    public var media: Media {
      switch self {
      case .jpeg, .png, .gif, .tiff: .image
      case .mp3, .aac, .wav, .caf, .aiff, .mpeg4Audio: .audio
      case .mpeg, .mpeg2, .mpeg4, .mov, .avi: .movie
      }
    }

    /// C2-09. AAC usually comes as MPEG-4 audio.
    package var isInGuides: Bool {
      switch self {
      case .jpeg, .png, .gif, .tiff, .mp3, .aac, .mpeg4Audio, .wav, .caf, .mpeg, .mpeg4, .mov: true
      case .aiff, .mpeg2, .avi: false
      }
    }

    /// N7.
    package var isApples: Bool {
      switch self {
      case .jpeg, .png, .gif, .aiff, .wav, .mp3, .mpeg4Audio, .mpeg, .mpeg2, .mpeg4, .avi: true
      case .tiff, .aac, .caf, .mov: false
      }
    }
  }

  /// A file that the extension loads for an alert.
  @frozen
  public struct Attachment: Equatable, Sendable, BitwiseCopyable {
    public var format: Format
    /// Unit: bytes.
    public var bytes: Double
    /// Of a movie; else not read.
    public var length: SimDuration
    /// Whether an earlier alert has left it on the device.
    public var isCached: Bool
    /// The time to load it: see ``ServiceExtension/loadingTime(_:bandwidth:roundTrip:)``.
    public var loading: SimDuration

    @inlinable
    public init(
      format: Format, bytes: Double, length: SimDuration = .zero, isCached: Bool = false,
      loading: SimDuration = .zero
    ) {
      self.format = format
      self.bytes = bytes
      self.length = length
      self.isCached = isCached
      self.loading = loading
    }
  }

  /// What the extension does for an alert.
  @frozen
  public struct Work: Equatable, Sendable, BitwiseCopyable {
    /// Its own work, as to decrypt a text.
    public var processing: SimDuration
    /// Unit: bytes.
    public var peakMemory: Double
    public var attachment: Attachment?
    /// Whether it hands over what it has when its time is about to expire.
    public var hasBestAttempt: Bool

    @inlinable
    public init(
      processing: SimDuration, peakMemory: Double = 0, attachment: Attachment? = nil,
      hasBestAttempt: Bool = true
    ) {
      self.processing = processing
      self.peakMemory = peakMemory
      self.attachment = attachment
      self.hasBestAttempt = hasBestAttempt
    }
  }

  @frozen
  public enum Outcome: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
    /// As the extension made it.
    case enriched
    /// As the extension made it, but for the attachment.
    case withoutAttachment
    /// As far as the extension had got when its time was about to expire.
    case bestAttempt
    /// As it came.
    case original
    /// Lost with the extension.
    case notShown
    /// The user does not allow the app's alerts.
    case notPermitted

    /// Whether the user sees an alert.
    public var isShown: Bool {
      switch self {
      case .enriched, .withoutAttachment, .bestAttempt, .original: true
      case .notShown, .notPermitted: false
      }
    }
  }

  @frozen
  public struct Result: Equatable, Sendable, BitwiseCopyable {
    public var outcome: Outcome
    /// How long the extension ran, by which the alert is late.
    public var runTime: SimDuration
    /// Loaded from the network. Unit: bytes.
    public var bytesLoaded: Double
    /// Whether the extension was terminated for its memory.
    public var isKilled: Bool

    @inlinable
    public init(
      outcome: Outcome, runTime: SimDuration = .zero, bytesLoaded: Double = 0, isKilled: Bool = false
    ) {
      self.outcome = outcome
      self.runTime = runTime
      self.bytesLoaded = bytesLoaded
      self.isKilled = isKilled
    }
  }

  /// What becomes of a visible push that has reached the device.
  ///
  /// Pure.
  ///
  /// - Parameters:
  ///   - systemVersion: the major version, such as 18.
  ///   - isMissed: the draw, with ``missedWhileBusy``, of whether an alert that finds the extension at work passes it by.
  ///   - isShownIfKilled: the draw, with ``shownIfKilled``.
  public func show(
    _ request: PushRequest, state: DeviceState, systemVersion: Double, work: Work, isMissed: Bool,
    isShownIfKilled: Bool
  ) -> Result {
    guard state.contains(.alertsAllowed) else { return Result(outcome: .notPermitted) }
    guard request.isSuperset(of: [.alert, .mutableContent]), !isMissed else {
      return Result(outcome: .original)
    }
    // A file that is on the network only, with no network.
    let fails = work.attachment.map { !$0.isCached && !state.isReachable } ?? false
    // In seconds: loading without bandwidth takes forever.
    let processing = max(0, work.processing.seconds)
    let loading = fails ? 0 : max(0, work.attachment?.loading.seconds ?? 0)
    let needed = processing + loading

    func end(_ outcome: Outcome, at time: Double, isKilled: Bool = false) -> Result {
      var bytes = 0.0
      if let attachment = work.attachment, !attachment.isCached, !fails {
        let share = loading > 0 ? min(1, max(0, time - processing) / loading) : time >= processing ? 1 : 0
        bytes = attachment.bytes * share
      }
      return Result(
        outcome: outcome, runTime: SimDuration(seconds: time), bytesLoaded: bytes, isKilled: isKilled)
    }
    if work.peakMemory > memoryLimit(systemVersion: systemVersion) {
      return end(isShownIfKilled ? .original : .notShown, at: min(needed, limit), isKilled: true)
    }
    let warned = max(0, limit - warning)
    if work.hasBestAttempt, needed > warned { return end(.bestAttempt, at: warned) }
    if needed > limit { return end(.original, at: limit) }
    guard let attachment = work.attachment else { return end(.enriched, at: needed) }
    return end(!fails && takes(attachment) ? .enriched : .withoutAttachment, at: needed)
  }

  /// What the extension may use. Unit: bytes.
  public func memoryLimit(systemVersion: Double) -> Double {
    systemVersion <= oldestUntil
      ? memoryLimitOldest : systemVersion <= olderUntil ? memoryLimitOlder : memoryLimit
  }

  /// Whether the system takes a file as an attachment.
  public func takes(_ attachment: Attachment) -> Bool {
    guard Self.formatLists[formats] == "apple" ? attachment.format.isApples : attachment.format.isInGuides
    else {
      return false
    }
    switch attachment.format.media {
    case .image: return attachment.bytes <= imageLimit
    case .audio: return attachment.bytes <= audioLimit
    case .movie: return attachment.bytes <= movieLimit && attachment.length.seconds <= movieLongest
    }
  }

  /// How long it takes to have an attachment at hand; the longest duration without bandwidth.
  ///
  /// - Parameters:
  ///   - bandwidth: unit: bytes per second.
  ///   - roundTrip: to the server and back.
  public func loadingTime(_ attachment: Attachment, bandwidth: Double, roundTrip: SimDuration) -> SimDuration
  {
    if attachment.isCached { return SimDuration(seconds: cachedTime) }
    guard bandwidth > 0 else { return SimDuration(microseconds: .max) }
    return SimDuration(seconds: roundTrips * roundTrip.seconds + attachment.bytes / bandwidth)
  }

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "service_extension.limit", .number(.time, 1...3600, \.serviceExtension.limit),
      "longest run of a service extension"),
    ParameterKey(
      "service_extension.warning", .number(.time, 0...3600, \.serviceExtension.warning),
      "how long before its limit the system asks a service extension for its result"),
    ParameterKey(
      "service_extension.memory_limit", .number(.bytes, 1...1e12, \.serviceExtension.memoryLimit),
      "most memory that a service extension may use"),
    ParameterKey(
      "service_extension.memory_limit_older", .number(.bytes, 1...1e12, \.serviceExtension.memoryLimitOlder),
      "most memory that a service extension may use on system version `older_until` or earlier"),
    ParameterKey(
      "service_extension.memory_limit_oldest",
      .number(.bytes, 1...1e12, \.serviceExtension.memoryLimitOldest),
      "most memory that a service extension may use on system version `oldest_until` or earlier"),
    ParameterKey(
      "service_extension.older_until", .number(.count, 0...1000, \.serviceExtension.olderUntil),
      "last system version with the memory limit `memory_limit_older`"),
    ParameterKey(
      "service_extension.oldest_until", .number(.count, 0...1000, \.serviceExtension.oldestUntil),
      "last system version with the memory limit `memory_limit_oldest`"),
    ParameterKey(
      "service_extension.shown_if_killed", .number(.proportion, 0...1, \.serviceExtension.shownIfKilled),
      "probability that an alert is shown unchanged when the system terminates its extension"),
    ParameterKey(
      "service_extension.missed_while_busy", .number(.proportion, 0...1, \.serviceExtension.missedWhileBusy),
      "probability that an alert is shown unchanged because the extension is busy with an earlier one"),
    ParameterKey(
      "service_extension.image_limit", .number(.bytes, 1...1e12, \.serviceExtension.imageLimit),
      "largest image of an alert"),
    ParameterKey(
      "service_extension.audio_limit", .number(.bytes, 1...1e12, \.serviceExtension.audioLimit),
      "largest sound attached to an alert"),
    ParameterKey(
      "service_extension.movie_limit", .number(.bytes, 1...1e12, \.serviceExtension.movieLimit),
      "largest movie of an alert"),
    ParameterKey(
      "service_extension.movie_longest", .number(.time, 1...86_400, \.serviceExtension.movieLongest),
      "longest movie of an alert"),
    ParameterKey(
      "service_extension.formats", .choice(formatLists, \.serviceExtension.formats),
      "which list of attachment formats applies"),
    ParameterKey(
      "service_extension.round_trips", .number(.count, 0...100, \.serviceExtension.roundTrips),
      "round trips to a server before the first byte of an attachment"),
    ParameterKey(
      "service_extension.cached_time", .number(.time, 0...3600, \.serviceExtension.cachedTime),
      "time to take an attachment from a cache"),
  ]
}
