import Glibc
import Synchronization

private let requests = Atomic<Int>(0)
/// Where the signal handler writes to wake the watcher; −1 without one.
private let alarm = Atomic<Int32>(-1)
/// How long the program may go on after the first request, in milliseconds.
private let grace = Atomic<Int32>(700)

/// The wish of the user, or of the system, that the program end.
///
/// Work that can stop by itself, such as a simulation, asks ``isRequested`` and says how far it came. All else (a pipe that
/// opens, a file that another process locks, reading, reporting, writing) need not ask: a thread of its own ends the
/// process when the grace is over, and takes away what is only half written.
enum Interrupt {
  /// From here on SIGINT and SIGTERM set a flag and start the grace. A second one ends the grace; a third one ends the
  /// process where it stands.
  static func install() {
    // A global is made when it is first used, and a signal handler must not be that use.
    _ = requests.load(ordering: .relaxed)
    _ = grace.load(ordering: .relaxed)
    startWatcher()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let before = requests.add(1, ordering: .relaxed).oldValue
      let descriptor = alarm.load(ordering: .relaxed)
      // Without a watcher the second one has to be the last.
      if before > (descriptor < 0 ? 0 : 1) { _exit(ExitCode.interrupted.rawValue) }
      let number = errno
      var byte: UInt8 = 0
      _ = Glibc.write(descriptor, &byte, 1)
      errno = number
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
  static func endAtOnce() { grace.store(0, ordering: .relaxed) }

  /// Cheap enough to ask for each device, from any thread.
  static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

  /// Leaves the current command if an interruption was requested.
  static func check() throws(CommandFailure) {
    if isRequested { throw CommandFailure(.interrupted, lines: text(isAnythingWritten: false)) }
  }

  private static func text(isAnythingWritten: Bool) -> String {
    "pushsim: interrupted" + (isAnythingWritten ? "" : ", nothing was written") + "\n"
  }

  /// If there can be no thread or no pipe, signals still set the flag.
  private static func startWatcher() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    let descriptor = UnsafeMutableRawPointer(bitPattern: Int(ends[0]))
    let status = pthread_create(
      &thread, &attributes, { Interrupt.watch(Int32(Int(bitPattern: $0))) }, descriptor)
    guard status == 0 else {
      for end in ends { close(end) }
      return
    }
    alarm.store(ends[1], ordering: .relaxed)
  }

  private static func watch(_ descriptor: Int32) -> Never {
    wait(descriptor, milliseconds: -1)
    wait(descriptor, milliseconds: grace.load(ordering: .relaxed))
    Unfinished.takeAway { isAnythingWritten in
      // Nobody may be reading.
      var request = pollfd(fd: OutputStream.standardError.rawValue, events: Int16(POLLOUT), revents: 0)
      if poll(&request, 1, 100) > 0 {
        let isProgressShown = Terminal.understandsControlSequences(.standardError)
        Terminal.report((isProgressShown ? "\r\u{1B}[K" : "") + text(isAnythingWritten: isAnythingWritten))
      }
      _exit(ExitCode.interrupted.rawValue)
    }
  }

  /// Waits for a signal, for that long at most; −1: without end.
  private static func wait(_ descriptor: Int32, milliseconds: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, milliseconds) < 0, errno == EINTR {}
    if request.revents != 0 {
      var byte: UInt8 = 0
      _ = Glibc.read(descriptor, &byte, 1)
    }
  }
}
