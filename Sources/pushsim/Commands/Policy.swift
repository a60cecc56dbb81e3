/// Lists the policy profiles, or the parameters of one.
func showPolicy(_ name: String?) throws -> ExitCode {
  throw CommandFailure(.runFailed, "`pushsim policy` is not built yet")
}
