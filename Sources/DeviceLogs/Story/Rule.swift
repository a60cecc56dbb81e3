/// What is known of reading these logs, and from where. `Documentation/Diagnose.md` lists the sources.
public enum Rule: String, Sendable, CaseIterable {
  case payload = "R3"
  case alertToo = "R4"
  case priority = "R5"
  case held = "R6"
  case herdAfterRestart = "R7a"
  case herdInUse = "R7b"
  case pushDisallowed = "R8"
  case replaced = "R9a"
  case cancelled = "R9b"
  case allowed = "R10"
  case schedulersWord = "R11"
  case handler = "R12a"
  case overrun = "R12b"
  case killedLock = "R12c"
  case killedWatchdog = "R12d"
  case voip = "R13"
  case debugger = "R14"
  case simulator = "R15"
  case link = "R16"
  case cutOff = "R18"
  case deadline = "R20"
  case grain = "R21"
  case rateLimit = "R22a"
  case lowPower = "R22b"
  case standing = "R23"
  case inUse = "R24a"
  case resubmitted = "R24b"

  /// What to do or to ask, in one or two sentences.
  public var advice: String { row.advice }
  /// Threads and documents that it is drawn from.
  public var evidence: [String] { row.evidence }

  private var row: (evidence: [String], advice: String) { Self.rows[self] ?? ([], "") }

  private static let rows: [Rule: (evidence: [String], advice: String)] = [
    .payload: (
      ["L06", "L07", "L08", "L45"],
      "Fix the payload: a push wakes the app only with `content-available: 1`."
    ),
    .alertToo: (["L01", "L05"], "The alert is shown whatever the scheduler says of the wake."),
    .priority: (
      ["L01", "L02", "L03", "L04", "L05"],
      "Send a push that only wakes the app with priority 5, as Apple asks."
    ),
    .held: (
      ["L01", "L10", "L12"],
      "The push is not lost: it is evaluated again when the state of the device changes."
    ),
    .herdAfterRestart: (
      ["L09", "L01", "L21"],
      "Something like a restart happened at most 5 minutes before. Wait 15 minutes after a restart before you test."
    ),
    .herdInUse: (
      ["L10", "L11", "L21"],
      "Something like a restart happened at most 15 minutes before, and the phone was in use. Leave it locked, or test later."
    ),
    .pushDisallowed: (
      ["L01", "L13"],
      "The log does not say why pushes are disallowed. Ask: was the app force-quit? Is Background App Refresh on, for the app and in general? Was the app opened since it was installed?"
    ),
    .replaced: (
      ["L02", "L03", "L09"],
      "Only the newest waiting push of an app is kept, so each must stand for those before it."
    ),
    .cancelled: (["L10"], "The reason for the cancellation is not in the log."),
    .allowed: (["L20", "L24"], "Being allowed is not being started: look for a start further down the log."),
    .schedulersWord: (
      ["L10", "L17", "L26"],
      "Capture runningboardd and SpringBoard as well to see whether the app was launched."
    ),
    .handler: (["L32"], "Call the completion handler on every path, within 30 seconds."),
    .overrun: (["L33"], "End each background task within 30 seconds, also in its expiration handler."),
    .killedLock: (
      ["L30"],
      "The app held a file lock when it was suspended. Finish database work inside a background task."
    ),
    .killedWatchdog: (
      ["L29"],
      "The watchdog ended the app. Keep work off the main thread; see what the report's stack waits for."
    ),
    .voip: (
      ["L31"],
      "Report every VoIP push to CallKit before its handler returns, also a call that is over already."
    ),
    .debugger: (
      ["L12", "L13", "L20", "L48"],
      "Test without the debugger: an app that is being debugged is treated better than a released one."
    ),
    .simulator: (["L38"], "Test on a device: a simulator never delivers these pushes."),
    .link: (["L35"], "The connection to APNs was down; compare with the provider's log (`--send-log`)."),
    .cutOff: (
      ["L04", "L14", "L22"],
      "Parts of records are missing. Capture again without `grep`, or keep the lines that follow each match."
    ),
    .deadline: (["L04", "L05", "L16"], "The scheduler keeps a push for 24 hours at most."),
    .grain: (
      ["L14", "L18", "L40"],
      "Evaluations come minutes apart, so a hold may have ended earlier than the log shows."
    ),
    .rateLimit: (
      ["L23"],
      "Apple: a rate limit can last for hours; make fewer changes, or wait. A limit on a group is short."
    ),
    .lowPower: (
      ["L23"], "Apple: Low Power Mode defers the work until the device is charged or the mode is off."
    ),
    .standing: (
      ["L14", "L18"],
      "The log names no reason within the app's own standing: how often it is used, how often it ran, a force quit, the refresh switch."
    ),
    .inUse: (
      ["L15", "L16"], "The system waits for a device that is idle; leave it locked and on the charger."
    ),
    .resubmitted: (
      ["L15", "L16"],
      "The app replaced its own request. An app that submits at every launch may never get its task; look for a pending request first."
    ),
  ]
}
