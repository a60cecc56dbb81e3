/// Reads and validates scenarios; runs nothing.
func check(_ options: CheckOptions) throws -> ExitCode {
  throw CommandFailure(.runFailed, "`pushsim check` is not built yet")
}
