/// The tables of a results file; Documentation/ResultsStore.md explains them to those who read the file with other
/// programs.
enum Schema {
  /// "push" in ASCII: tells our files from other SQLite databases.
  static let applicationID = 0x7075_7368

  /// What leads from each format to the next; the number of steps done is the file's `user_version`. Steps that have
  /// been released stay as they are.
  static let steps = [
    """
    CREATE TABLE simulations (
      id INTEGER PRIMARY KEY,
      scenario_sha256 TEXT NOT NULL,
      pushsim TEXT NOT NULL,
      build TEXT NOT NULL,
      seed TEXT NOT NULL,
      devices INTEGER NOT NULL,
      UNIQUE (scenario_sha256, pushsim, build, seed, devices)
    ) STRICT;
    CREATE TABLE series (
      id INTEGER PRIMARY KEY,
      policy TEXT NOT NULL,
      strategy TEXT NOT NULL,
      metric TEXT NOT NULL,
      UNIQUE (policy, strategy, metric)
    ) STRICT;
    CREATE TABLE replication_values (
      simulation INTEGER NOT NULL REFERENCES simulations,
      series INTEGER NOT NULL REFERENCES series,
      replication INTEGER NOT NULL CHECK (replication >= 0),
      value REAL,
      PRIMARY KEY (simulation, series, replication)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      scenario TEXT NOT NULL,
      scenario_sha256 TEXT NOT NULL,
      pushsim TEXT NOT NULL,
      build TEXT NOT NULL,
      seed TEXT NOT NULL,
      devices INTEGER NOT NULL,
      replications INTEGER NOT NULL,
      confidence REAL NOT NULL,
      policies TEXT NOT NULL,
      overrides TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('unfinished', 'finished')),
      result TEXT
    ) STRICT;
    CREATE TABLE points (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      point INTEGER NOT NULL,
      label TEXT NOT NULL,
      simulation INTEGER NOT NULL REFERENCES simulations,
      PRIMARY KEY (run, point)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE metrics (
      run INTEGER NOT NULL,
      point INTEGER NOT NULL,
      series INTEGER NOT NULL REFERENCES series,
      estimate REAL,
      low REAL,
      high REAL,
      PRIMARY KEY (run, point, series),
      FOREIGN KEY (run, point) REFERENCES points ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW named_metrics AS
      SELECT m.run, m.point, p.label, s.policy, s.strategy, s.metric, m.estimate, m.low, m.high
      FROM metrics m JOIN points p USING (run, point) JOIN series s ON s.id = m.series;
    CREATE VIEW named_values AS
      SELECT p.run, p.point, p.label, s.policy, s.strategy, s.metric, v.replication, v.value
      FROM points p JOIN runs r ON r.id = p.run
      JOIN replication_values v ON v.simulation = p.simulation AND v.replication < r.replications
      JOIN series s ON s.id = v.series;
    """,
    // A value is the part over the whole; rows of format 1 have neither, and weigh the same.
    """
    ALTER TABLE replication_values ADD COLUMN part REAL;
    ALTER TABLE replication_values ADD COLUMN whole REAL;
    ALTER TABLE replication_values ADD COLUMN units REAL;
    DROP VIEW named_values;
    CREATE VIEW named_values AS
      SELECT p.run, p.point, p.label, s.policy, s.strategy, s.metric, v.replication, v.value, v.part, v.whole, v.units
      FROM points p JOIN runs r ON r.id = p.run
      JOIN replication_values v ON v.simulation = p.simulation AND v.replication < r.replications
      JOIN series s ON s.id = v.series;
    """,
  ]

  /// Brings a file with sound tables to the newest format, or says why that cannot be.
  ///
  /// - Parameter creates: whether an empty file gets its tables.
  static func prepare(_ database: Database, creates: Bool) throws(StoreError) {
    let found = try database.transaction(onlyReads: true) { () throws(StoreError) in
      try check(database, creates: creates)
    }
    if found == steps.count { return }
    try database.transaction { () throws(StoreError) in
      // Another process may have been faster.
      let format = try check(database, creates: creates)
      for step in steps[format...] { try database.execute(step) }
      try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// The format of the file; 0 if it is empty.
  private static func check(_ database: Database, creates: Bool) throws(StoreError) -> Int {
    let owner = try database.number("PRAGMA application_id") ?? 0
    let format = try database.number("PRAGMA user_version") ?? 0
    guard owner == applicationID else {
      let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
      guard owner == 0, tables == 0 else {
        throw database.error(.foreign, "it is a database of another program")
      }
      guard creates else { throw database.error(.foreign, "it holds no results") }
      return 0
    }
    guard format >= 1 else {
      throw database.error(.damaged, "the file is damaged: its format is \(format), and not 1 or more")
    }
    guard format <= steps.count else {
      throw database.error(
        .newer(format: format),
        "it was made by a later pushsim: its format is \(format), and this pushsim knows formats up to \(steps.count)"
      )
    }
    try checkTables(database, format: format)
    return format
  }

  /// Makes sure that the tables are those that the steps make: under the same name there may stand anything, such as a view
  /// without end. Indices and views that people added do no harm; a trigger would run when values are kept.
  private static func checkTables(_ database: Database, format: Int) throws(StoreError) {
    let model = try Database()
    for step in steps[..<format] { try model.execute(step) }
    let expected = try objects(of: model).filter { $0.type == "table" }
    let found = try objects(of: database)
    for table in expected {
      guard let other = found.first(where: { $0.name == table.name }) else {
        throw database.error(.damaged, "the file is damaged: the table `\(table.name)` is missing")
      }
      guard other.type == "table", other.sql == table.sql else {
        throw database.error(
          .damaged, "the file is damaged: `\(table.name)` is not the table that pushsim makes")
      }
    }
    if let trigger = found.first(where: { $0.type == "trigger" }) {
      throw database.error(
        .damaged, "the file has a trigger, `\(trigger.name)`, and pushsim's files have none")
    }
  }

  /// What a database holds, with the statements that made it; white space does not count in them.
  private static func objects(
    of database: Database
  ) throws(StoreError) -> [(type: String, name: String, sql: String)] {
    var objects: [(type: String, name: String, sql: String)] = []
    try database.query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL") {
      row throws(StoreError) in
      objects.append((try row.text(0), try row.text(1), try row.text(2).filter { !$0.isWhitespace }))
    }
    return objects
  }
}
