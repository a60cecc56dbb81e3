enum ShellWord {
  /// The word as a shell reads it back.
  static func quoted(_ word: String) -> String {
    let plain = "-_./=:,@%+"
    if !word.isEmpty, word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || plain.contains($0) }) {
      return word
    }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
