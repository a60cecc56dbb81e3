import Experiments
public import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding

/// What `pushsim metrics` prints.
public enum MetricReference {
  /// Every metric with its unit and its meaning. `width` is the terminal's, in columns.
  public static func text(width: Int) -> String {
    var table = TextTable(["metric", "unit", "meaning"].map { TextTable.Column($0) })
    for metric in Metric.all { table.add([metric.name, metric.unit.rawValue, metric.summary]) }
    return table.reference(width: width)
  }
}

/// What `pushsim keys` prints: every key of a kind of file, from the tables that the decoder reads.
public enum KeyReference {
  /// A kind of file.
  public enum File: String, CaseIterable, Sendable { case scenario, population, policy }

  /// A key: where it stands, what it may hold, what stands for it where it is left out, what it means.
  struct Row {
    var path: String
    var form: String
    /// Of a population or policy, the default profile's value; empty if nothing stands for the key.
    var defaultText: String
    var summary: String
  }

  /// - Parameters:
  ///   - settings: of the default population or policy, for what an absent key comes to; none for scenarios.
  ///   - width: the terminal's, in columns.
  public static func text(_ file: File, defaults settings: [ParameterSetting], width: Int) -> String {
    var table = TextTable(["path", "form", "default", "meaning"].map { TextTable.Column($0) })
    for row in rows(file, defaults: settings) {
      table.add([row.path, row.form, row.defaultText, row.summary])
    }
    return table.reference(width: width)
  }

  /// The paths that `--set` takes in every scenario: those without a name that its author chooses.
  public static var settablePaths: [String] {
    File.allCases.flatMap { rows($0, defaults: []) }.map(\.path)
      .filter { !$0.contains(Walk.name) && !$0.contains("[]") }
  }

  static func rows(_ file: File, defaults settings: [ParameterSetting]) -> [Row] {
    switch file {
    case .scenario:
      var walk = Walk()
      walk.add(ScenarioKeys.root, below: "")
      return walk.rows
    case .population: return Population.keys.map { row($0, in: file, settings) }
    case .policy: return Policy.keys.map { row(TableRow.parameter($0), in: file, settings) }
    }
  }

  private static func row<Root>(_ row: TableRow<Root>, in file: File, _ settings: [ParameterSetting]) -> Row {
    let form: ValueForm =
      switch row {
      case .distribution(_, let dimension, let support, _, _): .distribution(dimension, support: support)
      case .parameter(let key):
        switch key.kind {
        case .number(let dimension, let range, _): .quantity(dimension, range)
        case .numbers(let dimension, let range, let count, _):
          .list(.quantity(dimension, range), count: count...count)
        case .choice(let words, _): .choice(words)
        case .flag: .flag
        }
      }
    return Row(
      path: "\(file.rawValue).\(row.path)", form: form.description,
      defaultText: settings.first { $0.path == row.path }?.text ?? "", summary: row.summary)
  }

  /// Goes through the tables of a scenario, a mapping after the key that holds it.
  private struct Walk {
    /// Stands for a key that the author chooses.
    static let name = "NAME"

    var rows: [Row] = []
    /// Where a mapping was told of, by its keys.
    private var known: [String: String] = [:]

    mutating func add(_ table: KeyTable, below prefix: String) {
      for key in table.keys {
        let path = prefix + key.name
        let other = key.form.tables.map(signature).compactMap { known[key.name + $0] }.first
        rows.append(
          Row(
            path: path, form: other.map { "as `\($0)`" } ?? key.form.description,
            defaultText: key.isRequired ? "required" : key.defaultText ?? "", summary: key.summary))
        guard other == nil else { continue }
        // Small ones are told again, which is easier to read.
        for table in key.form.tables where table.keys.count >= 3 { known[key.name + signature(table)] = path }
        add(key.form, below: path)
      }
    }

    private mutating func add(_ form: ValueForm, below path: String) {
      switch form {
      case .mapping(let table): add(table, below: path + ".")
      case .named(let form): add(form, below: "\(path).\(Self.name)")
      case .list(let form, _): add(form, below: path + "[]")
      case .either(let forms): for form in forms { add(form, below: path) }
      case .text, .word, .matching, .integer, .flag, .event, .choice, .timeOfDay, .quantity, .distribution,
        .profile, .values, .anything:
        break
      }
    }

    private func signature(_ table: KeyTable) -> String {
      table.keys.map { "\($0.name) \($0.defaultText ?? "") \($0.summary)" }.joined(separator: "\n")
    }
  }
}

extension ValueForm {
  /// The mappings that a value may be.
  fileprivate var tables: [KeyTable] {
    switch self {
    case .mapping(let table): [table]
    case .either(let forms): forms.flatMap(\.tables)
    default: []
    }
  }

  /// What a value may be, in words.
  fileprivate var description: String {
    switch self {
    case .text: "a text"
    case .word(let words), .choice(let words): words.joined(separator: " | ")
    case .matching(_, let expected): expected
    case .integer, .quantity: phrase ?? ""
    case .distribution: phrase ?? ""
    case .flag: "on | off"
    case .event: "on"
    case .timeOfDay: "a time of day, such as `07:00`"
    case .list(let form, let count):
      [ValueForm.list(.anything, count: count).phrase, form.description].compactMap(\.self)
        .joined(separator: ", each ")
    case .mapping(let table): table.keys.isEmpty ? "{}" : "a mapping"
    case .named(let form): "a mapping of names, each to \(form.description)"
    case .either(let forms):
      forms.map(\.description).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        .joined(separator: ", or ")
    case .profile(let kind): "a \(kind.rawValue)'s name, values, or {base, set}"
    case .values(let kind): "values of a \(kind.rawValue) by their paths"
    case .anything: "anything"
    }
  }
}

extension TextTable {
  /// Rows to look things up in, of which nothing is cut: where the table is too wide for the terminal, the cells of a row
  /// stand one below the other.
  fileprivate func reference(width: Int) -> String {
    let whole = text(width: Int.max / 2)
    let isTooWide = whole.split(separator: "\n").contains { $0.count > width }
    return isTooWide ? text(width: min(width, 79)) : whole
  }
}
