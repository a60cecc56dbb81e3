/// What an option decides.
enum OptionEffect {
  /// What is computed: kept runs are told apart by it.
  case result
  /// What is computed, where a kept run has a column for it.
  case column
  /// Nothing of it: where results go, and how.
  case nothing
}

/// What a shell may offer as an option's value.
enum ValueHint {
  case nothing
  case words([String])
  case files
  case folders
  /// The policies that are found where the completion is made.
  case policies
  /// Paths of keys, each with `=` behind it.
  case keys
}

/// One option of one command: how it is written, what it takes, and where its value goes.
struct OptionRow<Options> {
  /// With its dashes.
  let name: String
  /// The name of the value in usage texts; nil when the option takes none.
  let placeholder: String?
  let isRequired: Bool
  let mayRepeat: Bool
  let summary: String
  let decides: OptionEffect
  let hint: ValueHint
  /// The values as they would be typed, in order; empty where the option is left out. An option without a value has an
  /// empty one when it is set.
  let values: (Options) -> [String]
  /// Stores the value, or says what is wrong with it. An option without a value gets an empty string.
  let store: (inout Options, String) -> UsageError.Problem?

  init(
    name: String, placeholder: String?, isRequired: Bool, mayRepeat: Bool, summary: String,
    decides: OptionEffect = .result, hint: ValueHint = .nothing, values: @escaping (Options) -> [String],
    store: @escaping (inout Options, String) -> UsageError.Problem?
  ) {
    self.name = name
    self.placeholder = placeholder
    self.isRequired = isRequired
    self.mayRepeat = mayRepeat
    self.summary = summary
    self.decides = decides
    self.hint = hint
    self.values = values
    self.store = store
  }

  static func flag(
    _ name: String, _ path: WritableKeyPath<Options, Bool>, decides: OptionEffect = .result,
    _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: nil, isRequired: false, mayRepeat: false, summary: summary, decides: decides,
      values: { $0[keyPath: path] ? [""] : [] }
    ) { options, _ in
      options[keyPath: path] = true
      return nil
    }
  }

  /// A value of `FILE` is one of the user's files, of `DIR` a folder.
  static func text(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, String?>, required: Bool = false,
    decides: OptionEffect = .result, hint: ValueHint = .nothing, _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: required, mayRepeat: false, summary: summary,
      decides: decides, hint: placeholder == "FILE" ? .files : placeholder == "DIR" ? .folders : hint,
      values: { $0[keyPath: path].map { [$0] } ?? [] }
    ) { options, value in
      options[keyPath: path] = value
      return nil
    }
  }

  /// A text of a form that a reader can judge.
  static func text(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, String?>, _ summary: String,
    expected: String, isValid: @escaping (String) -> Bool
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: false, mayRepeat: false, summary: summary,
      values: { $0[keyPath: path].map { [$0] } ?? [] }
    ) { options, value in
      guard isValid(value) else { return .malformed(option: name, value: value, expected: expected) }
      options[keyPath: path] = value
      return nil
    }
  }

  static func texts(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, [String]>,
    hint: ValueHint = .nothing, _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: false, mayRepeat: true, summary: summary, hint: hint,
      values: { $0[keyPath: path] }
    ) { options, value in
      options[keyPath: path].append(value)
      return nil
    }
  }

  /// A whole number within a range, ends included.
  static func integer<Number: FixedWidthInteger>(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Number>,
    _ path: WritableKeyPath<Options, Number?>, decides: OptionEffect = .result, _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: false, mayRepeat: false, summary: summary,
      decides: decides, values: { $0[keyPath: path].map { ["\($0)"] } ?? [] }
    ) { options, value in
      wholeNumber(value, in: range, option: name) { options[keyPath: path] = $0 }
    }
  }

  /// A whole number that has a default, or must be given.
  static func integer<Number: FixedWidthInteger>(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Number>,
    _ path: WritableKeyPath<Options, Number>, required: Bool = false, _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: required, mayRepeat: false, summary: summary,
      values: { ["\($0[keyPath: path])"] }
    ) { options, value in
      wholeNumber(value, in: range, option: name) { options[keyPath: path] = $0 }
    }
  }

  /// One of a few words.
  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, Word?>, _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: false, mayRepeat: false, summary: summary,
      hint: .words(Word.allCases.map(\.rawValue)), values: { $0[keyPath: path].map { [$0.rawValue] } ?? [] }
    ) { options, value in
      choose(Word.self, value, option: name) { options[keyPath: path] = $0 }
    }
  }

  /// Some of a few words, which may have other names.
  static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, [Word]>,
    aliases: [String: Word] = [:], _ summary: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder, isRequired: false, mayRepeat: true, summary: summary,
      hint: .words(Word.allCases.map(\.rawValue)), values: { $0[keyPath: path].map(\.rawValue) }
    ) { options, value in
      choose(Word.self, value, aliases: aliases, option: name) { options[keyPath: path].append($0) }
    }
  }

  static func assignments(_ path: WritableKeyPath<Options, [Assignment]>) -> Self {
    Self(
      name: "--set", placeholder: "PATH=VALUE", isRequired: false, mayRepeat: true,
      summary: "set any key of scenario, population or policy", hint: .keys,
      values: { $0[keyPath: path].map { "\($0.path)=\($0.value)" } }
    ) { options, value in
      // The first `=` splits: paths have none, values may.
      guard let equals = value.firstIndex(of: "="), equals != value.startIndex else {
        return .notAnAssignment(value)
      }
      options[keyPath: path].append(
        Assignment(path: String(value[..<equals]), value: String(value[value.index(after: equals)...])))
      return nil
    }
  }

  static func target(_ name: String, _ path: WritableKeyPath<Options, OutputTarget?>, _ summary: String)
    -> Self
  {
    Self(
      name: name, placeholder: "FILE|-", isRequired: false, mayRepeat: false, summary: summary,
      decides: .nothing, hint: .files, values: { $0[keyPath: path].map { [$0.word] } ?? [] }
    ) { options, value in
      options[keyPath: path] = value == "-" ? .standardOutput : .file(value)
      return nil
    }
  }
}

private func choose<Word: RawRepresentable<String> & CaseIterable>(
  _ type: Word.Type, _ text: String, aliases: [String: Word] = [:], option: String, store: (Word) -> Void
) -> UsageError.Problem? {
  guard let word = Word(rawValue: text) ?? aliases[text] else {
    return .notOneOf(option, text, of: Word.allCases.map(\.rawValue))
  }
  store(word)
  return nil
}

private func wholeNumber<Number: FixedWidthInteger>(
  _ text: String, in range: ClosedRange<Number>, option: String, store: (Number) -> Void
) -> UsageError.Problem? {
  let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
  guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else {
    return .notAWholeNumber(option: option, value: text)
  }
  // What does not fit the type is a number all the same, only out of range.
  guard let number = Number(text), range.contains(number) else {
    return .outOfRange(
      option: option, value: text, lowest: "\(range.lowerBound)", highest: "\(range.upperBound)")
  }
  store(number)
  return nil
}
