public import Quantities

/// What a value of a scenario looks like. Data rather than code, so that decoding, the schema and the key
/// documentation read the same rows.
public indirect enum ValueForm: Sendable {
  case text
  case integer(ClosedRange<Int> = 0...Int.max)
  /// `on` or `off`.
  case flag
  case choice([String])
  case quantity(Dimension, ClosedRange<Double> = .anything)
  /// A distribution of quantities, or one quantity.
  case distribution(Dimension, support: ClosedRange<Double> = .anything)
  case list(ValueForm, count: ClosedRange<Int> = 0...Int.max)
  case mapping(KeyTable)
  /// A mapping from names that the author chooses.
  case named(ValueForm)
  /// One of several forms, told apart by the reader's own code.
  case either([ValueForm])
}

extension ClosedRange<Double> {
  /// Every finite number.
  public static var anything: ClosedRange<Double> { -.greatestFiniteMagnitude ... .greatestFiniteMagnitude }
  /// Every finite number from 0.
  public static var notNegative: ClosedRange<Double> { 0 ... .greatestFiniteMagnitude }
  /// Every finite number above 0.
  public static var positive: ClosedRange<Double> { .leastNonzeroMagnitude ... .greatestFiniteMagnitude }
}

/// A key of a mapping.
public struct KeySpec: Sendable {
  public let name: String
  public let form: ValueForm
  public let isRequired: Bool
  /// What stands for an absent key, as an author would write it.
  public let defaultText: String?
  /// One line: what the key means.
  public let summary: String

  public static func required(_ name: String, _ form: ValueForm, _ summary: String) -> KeySpec {
    KeySpec(name: name, form: form, isRequired: true, defaultText: nil, summary: summary)
  }

  /// A key that may be left out; the decoder reads `default` in its place, so that what the documentation calls the
  /// default is the default.
  public static func optional(
    _ name: String, _ form: ValueForm, default defaultText: String? = nil, _ summary: String
  ) -> KeySpec {
    KeySpec(name: name, form: form, isRequired: false, defaultText: defaultText, summary: summary)
  }
}

/// The keys of one mapping, in the order of the documentation.
public struct KeyTable: Sendable {
  public let keys: [KeySpec]

  public init(_ keys: [KeySpec]) { self.keys = keys }

  public subscript(_ name: String) -> KeySpec? { keys.first { $0.name == name } }
  public var names: [String] { keys.map(\.name) }
}
