import Glibc
import Testing

@testable import pushsim

/// Signals this process. The main thread takes the signal, when it gets to run.
private func interrupt(_ signal: Int32) {
  kill(getpid(), signal)
  usleep(200_000)
}

// Each in a process of its own, since the flag is the process's.
@Suite struct InterruptTests {
  @Test func `the first interruption only sets the flag, and a check then leaves with status 130`() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      guard !Interrupt.isRequested else { exit(1) }
      interrupt(SIGTERM)
      guard Interrupt.isRequested else { exit(2) }
      do throws(CommandFailure) { try Interrupt.check() } catch {
        exit(error.exitCode == .interrupted ? 0 : 3)
      }
      exit(4)
    }
  }

  @Test func `the second interruption ends the process at once`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interrupt.install()
      interrupt(SIGINT)
      interrupt(SIGINT)
      usleep(200_000)
      exit(1)
    }
  }

  @Test func `work that does not listen is ended after the grace`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interrupt.install()
      raise(SIGTERM)
      sleep(30)
      exit(1)
    }
  }

  @Test func `interruptions that the parent left blocked get through`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      Interrupt.install()
      // To this thread: others may have the signals open.
      for _ in 0..<3 { raise(SIGINT) }
      exit(1)
    }
  }
}
