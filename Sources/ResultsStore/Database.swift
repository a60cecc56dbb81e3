internal import CSQLite
import Glibc

/// A value of a column.
enum ColumnValue: Equatable {
  case null
  case integer(Int)
  /// All 64 bits come back, except that −0 becomes 0.
  case real(Double)
  case text(String)

  init(_ number: Double?) { self = number.map(ColumnValue.real) ?? .null }
}

/// A row of an answer. The file may come from a stranger, or from a disk that fails: a value that is not of the type and
/// within the range that is asked for is an error that names the column.
struct ResultRow {
  fileprivate let statement: OpaquePointer
  fileprivate let file: String
  /// What the row tells of, as in `run 3`, for errors.
  var place = "the file"

  func integer(_ column: Int, _ range: ClosedRange<Int>) throws(StoreError) -> Int {
    let number = Int(sqlite3_column_int64(statement, Int32(column)))
    guard type(column) == SQLITE_INTEGER, range.contains(number) else {
      throw damage(column, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(_ column: Int) throws(StoreError) -> String {
    guard type(column) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, Int32(column)) else {
      throw damage(column, expected: "a text")
    }
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    guard
      let text = String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    else { throw damage(column, expected: "a text in UTF-8") }
    return text
  }

  /// Nil for NULL.
  func real(_ column: Int, _ range: ClosedRange<Double>) throws(StoreError) -> Double? {
    if isNull(column) { return nil }
    let number = sqlite3_column_double(statement, Int32(column))
    guard [SQLITE_FLOAT, SQLITE_INTEGER].contains(type(column)), range.contains(number) else {
      throw damage(column, expected: "a number from \(range.lowerBound) to \(range.upperBound), or nothing")
    }
    return number
  }

  func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  /// The error that a column's value is none that pushsim writes.
  func damage(_ column: Int, expected: String) -> StoreError {
    let name = sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    let found =
      switch type(column) {
      case SQLITE_NULL: "nothing"
      case SQLITE_INTEGER: "\(sqlite3_column_int64(statement, Int32(column)))"
      case SQLITE_FLOAT: "\(sqlite3_column_double(statement, Int32(column)))"
      case SQLITE_BLOB: "\(sqlite3_column_bytes(statement, Int32(column))) bytes"
      default: "a text"
      }
    return StoreError(
      file: file, reason: .damaged,
      message: "\(place) is damaged: `\(name)` is \(found), and not \(expected)")
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }
}

/// A connection to an SQLite file, for one thread.
final class Database {
  let file: String
  private var handle: OpaquePointer?
  /// Prepared once, by their text.
  private var statements: [String: OpaquePointer] = [:]

  /// A database without a file.
  init() throws(StoreError) {
    file = "memory"
    guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK
    else { throw failure() }
  }

  /// - Parameters:
  ///   - file: its name; a relative one means a file of the current folder, whatever it looks like.
  ///   - creates: whether a file that is not there is made.
  ///   - patience: how long to wait for other processes, in milliseconds.
  init(_ file: String, creates: Bool, patience: Int) throws(StoreError) {
    self.file = file
    // SQLite gives names such as `:memory:` a meaning of its own.
    let path = file.hasPrefix("/") ? file : "./" + file
    let flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { throw failure() }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(clamping: patience))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Runs a script of statements that take no values.
  func execute(_ script: String) throws(StoreError) {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs one statement and looks at each row of its answer.
  ///
  /// - Parameter place: what the rows tell of, for errors.
  func query(
    _ sql: String, _ values: [ColumnValue] = [], of place: String = "the file",
    row: (ResultRow) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    let statement = try prepared(sql)
    // A statement left halfway would keep its lock on the file.
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() {
      guard bind(value, to: statement, at: Int32(index + 1)) == SQLITE_OK else { throw failure() }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(ResultRow(statement: statement, file: file, place: place))
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }

  /// The first column of the first row; nil without a row.
  func number(_ sql: String, _ values: [ColumnValue] = []) throws(StoreError) -> Int? {
    var result: Int?
    try query(sql, values) { row throws(StoreError) in
      if result == nil { result = try row.integer(0, .min ... .max) }
    }
    return result
  }

  /// Does all of a piece of work or nothing of it. The lock for writing is taken at its start: two writers that both
  /// begin by reading could not both go on. A piece that only reads sees the file as it is at one moment.
  func transaction<Value>(
    onlyReads: Bool = false, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try query(onlyReads ? "BEGIN" : "BEGIN IMMEDIATE")
    do throws(StoreError) {
      let value = try body()
      try query("COMMIT")
      return value
    } catch {
      // SQLite may have rolled back already, as on a full disk.
      try? query("ROLLBACK")
      throw error
    }
  }

  func error(_ reason: StoreError.Reason, _ message: String) -> StoreError {
    StoreError(file: file, reason: reason, message: message)
  }

  private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure() }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: ColumnValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(let text):
      // The macro SQLITE_TRANSIENT, which Swift does not import: SQLite makes itself a copy.
      let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copies)
    }
  }

  /// What went wrong in the call before, in SQLite's words.
  private func failure() -> StoreError {
    var message = String(cString: sqlite3_errmsg(handle))
    // SQLite leaves out why a file cannot be opened.
    let cause = sqlite3_system_errno(handle)
    if sqlite3_errcode(handle) & 0xFF == SQLITE_CANTOPEN, cause != 0 {
      message += ": \(String(cString: strerror(cause)))"
    }
    let reason: StoreError.Reason =
      switch sqlite3_errcode(handle) & 0xFF {
      case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      // Our statements are right for our tables.
      case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA, SQLITE_TOOBIG: .damaged
      case SQLITE_IOERR where sqlite3_extended_errcode(handle) == SQLITE_IOERR | 2 << 8:
        // A read that ended too soon: the file is shorter than it says.
        .notADatabase
      default: .failed
      }
    return error(reason, message)
  }
}
