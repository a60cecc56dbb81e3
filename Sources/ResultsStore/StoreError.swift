/// Why a results file could not be used.
public struct StoreError: Error, Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    /// It is not there, or may not be opened or written.
    case cannotOpen
    /// It is no SQLite database, or one that is damaged.
    case notADatabase
    /// It is a database of another program.
    case foreign
    /// Its tables or a value in them are not what pushsim writes.
    case damaged
    /// It was made by a later pushsim, in this format.
    case newer(format: Int)
    /// Another process kept it locked for longer than ``ResultsStore/patience``.
    case locked
    /// Reading or writing failed, as on a full disk.
    case failed
  }

  /// The file's name as it was given.
  public var file: String
  public var reason: Reason
  /// SQLite's words, or ours where SQLite found nothing wrong; starts in lower case, has no final stop.
  public var message: String
}
