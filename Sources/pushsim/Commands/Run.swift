/// Runs a scenario and reports what became of its pushes.
func run(_ options: RunOptions) async throws -> ExitCode {
  throw CommandFailure(.runFailed, "`pushsim run` is not built yet")
}
