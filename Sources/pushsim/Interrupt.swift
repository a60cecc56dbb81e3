import Glibc
import Synchronization

private let requests = Atomic<Int>(0)

/// The wish of the user, or of the system, that the run end early.
enum Interrupt {
  /// From here on SIGINT and SIGTERM only set a flag, so that a run can stop between two devices and leave no
  /// half-written result; a second one ends the process at once.
  static func install() {
    // A global is made when it is first used, and a signal handler must not be that use.
    _ = requests.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      if requests.add(1, ordering: .relaxed).oldValue > 0 { _exit(ExitCode.interrupted.rawValue) }
    }
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    for signal in [SIGINT, SIGTERM] {
      // What was ignored stays ignored, as for a background job of a shell script.
      var inherited = sigaction()
      sigaction(signal, nil, &inherited)
      let isIgnored = unsafeBitCast(inherited.__sigaction_handler.sa_handler, to: Int.self) == 1
      if !isIgnored { sigaction(signal, &action, nil) }
    }
    // A parent that starts programs from a thread of a pool leaves them with these blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// From here on SIGINT and SIGTERM end the process at once: while it waits for an answer there is nothing to finish.
  static func endAtOnce() {
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Cheap enough to ask for each device, from any thread.
  static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

  /// Leaves the current command if an interruption was requested.
  static func check() throws(CommandFailure) {
    if isRequested {
      throw CommandFailure(.interrupted, lines: "pushsim: interrupted, nothing was written\n")
    }
  }
}
