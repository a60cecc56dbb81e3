public import Quantities

/// What a value of a scenario looks like. Data rather than code, so that decoding, the schema and the key
/// documentation read the same rows.
public indirect enum ValueForm: Sendable {
  case text
  /// One of a few words that the reader looks up itself, with a message of its own.
  case word([String])
  /// A text that a regular expression finds something in; the reader has its own way to see that, and its own message.
  case matching(String, expected: String)
  case integer(ClosedRange<Int> = 0...Int.max)
  /// `on` or `off`.
  case flag
  /// `on` or `true`: what can only happen.
  case event
  case choice([String])
  /// `07:00` or `07:00:30`.
  case timeOfDay
  case quantity(Dimension, ClosedRange<Double> = .anything)
  /// A distribution of quantities, or one quantity.
  case distribution(Dimension, support: ClosedRange<Double> = .anything)
  case list(ValueForm, count: ClosedRange<Int> = 0...Int.max)
  case mapping(KeyTable)
  /// A mapping from names that the author chooses.
  case named(ValueForm)
  /// One of several forms, told apart by the reader's own code.
  case either([ValueForm])
  /// A population or a policy: a name, values in place of the default's, or `{base: …, set: {…}}`.
  case profile(ProfileKind)
  /// Values of a population or a policy, by their paths.
  case values(ProfileKind)
  /// Anything, which nobody looks at.
  case anything
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
  /// Another key of the same mapping without which this one means nothing.
  public private(set) var companion: String?
  /// Another name that people type for the same key.
  public private(set) var alias: String?

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

extension KeySpec {
  /// The same key, which also has another name.
  func also(_ alias: String) -> KeySpec {
    var spec = self
    spec.alias = alias
    return spec
  }

  /// The same key, which means something only beside another.
  func only(with companion: String) -> KeySpec {
    var spec = self
    spec.companion = companion
    return spec
  }
}

/// The keys of one mapping, in the order of the documentation.
public struct KeyTable: Sendable {
  public let keys: [KeySpec]
  /// Groups of keys of which exactly one has to be there, with at least one of its keys; none if there is no such rule.
  public let alternatives: [[String]]
  /// Whether at least one key has to be there, whichever.
  public let isNeverEmpty: Bool

  public init(_ keys: [KeySpec], exactlyOne alternatives: [[String]] = [], isNeverEmpty: Bool = false) {
    self.keys = keys
    self.alternatives = alternatives
    self.isNeverEmpty = isNeverEmpty
  }

  /// One key out of a list.
  public init(_ keys: [KeySpec], exactlyOne alternatives: [String]) {
    self.init(keys, exactlyOne: alternatives.map { [$0] })
  }

  public subscript(_ name: String) -> KeySpec? { keys.first { $0.name == name } }
  public var names: [String] { keys.map(\.name) }

  /// The name of a key that may be written by its alias.
  func name(of written: String) -> String { keys.first { $0.alias == written }?.name ?? written }
}

extension ValueForm {
  /// What is expected, in words, as messages say it; nil where the form says it all.
  package var phrase: String? {
    switch self {
    case .quantity(let dimension, let range): Messages.phrase(dimension, in: range)
    case .distribution(let dimension, let support):
      Messages.phrase(dimension, in: support) + ", or a distribution"
    case .integer(let range): Messages.phrase(wholeNumberIn: range)
    case .list(let form, let count):
      ([Messages.phrase(listOf: count)] + [form.phrase].compactMap(\.self)).joined(separator: ", each ")
    default: nil
    }
  }
}

extension KeySpec {
  /// What stands for an absent key, as a tree.
  package var defaultNode: YAMLNode? {
    defaultText.flatMap {
      YAMLComposer.composeValue(
        SourceText(name: "default of \(name)", text: $0, origin: .shipped), log: DiagnosticLog())
    }
  }
}
