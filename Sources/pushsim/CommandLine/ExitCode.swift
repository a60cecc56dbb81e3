/// What the process tells its caller. The numbers from 64 on are those of `sysexits.h`; users' scripts rely on them.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// An expectation of the scenario was not met.
  case expectationMissed = 1
  case badCommandLine = 64
  case badScenario = 65
  case unreadableFile = 66
  /// The run cannot go on: an event cap, an overflow of time, a contradiction in the model.
  case runFailed = 70
  case cannotWrite = 74
  /// No expectation was missed, but at this precision one is undecided.
  case undecided = 75
  case interrupted = 130

  /// What help says of it.
  var summary: String {
    switch self {
    case .success: "done"
    case .expectationMissed: "an expectation of the scenario was not met"
    case .badCommandLine: "bad command line"
    case .badScenario: "bad scenario or result file"
    case .unreadableFile: "unreadable file"
    case .runFailed: "the run cannot go on"
    case .cannotWrite: "cannot write"
    case .undecided: "an expectation is undecided at this precision"
    case .interrupted: "interrupted"
    }
  }
}

/// An error that a command lets through to the top: what to tell the user, and with which status to leave.
protocol Failure: Error {
  var exitCode: ExitCode { get }
  /// Complete lines for standard error; empty when there is nothing worth saying.
  var text: String { get }
}

/// A failure whose words are composed where it is noticed.
struct CommandFailure: Failure {
  var exitCode: ExitCode
  var text: String

  /// The message starts in lower case, has no final stop, and puts the user's words in backticks.
  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.text = "pushsim: error: \(message)\n"
  }

  /// A failure whose text is already laid out, such as a list of diagnostics.
  init(_ exitCode: ExitCode, lines: String) {
    self.exitCode = exitCode
    self.text = lines
  }
}
