/// Lists the policy factors and their parameters.
func showFactors() throws -> ExitCode {
  throw CommandFailure(.runFailed, "`pushsim factors` is not built yet")
}
