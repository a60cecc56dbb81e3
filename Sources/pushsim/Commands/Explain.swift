/// Shows one device's days: its pushes, every verdict on them, their fates.
func explain(_ options: ExplainOptions) async throws -> ExitCode {
  throw CommandFailure(.runFailed, "`pushsim explain` is not built yet")
}
