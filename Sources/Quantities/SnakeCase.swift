/// A closed set whose members are named in files and results as their cases are, in snake case.
public protocol NamedByCase {}

extension NamedByCase {
  /// The name in files and results: `cpuLoad` is `cpu_load`, `discardedAtAPNs` is `discarded_at_apns`.
  public var name: String { snakeCase("\(self)") }
}

func snakeCase(_ name: String) -> String {
  var text = ""
  var previous: Character = "_"
  for character in name {
    if character.isUppercase, previous.isLowercase || previous.isNumber { text.append("_") }
    text += character.lowercased()
    previous = character
  }
  return text
}
