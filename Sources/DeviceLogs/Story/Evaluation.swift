/// The scheduler's word on an activity.
public enum SchedulerDecision: String, Sendable {
  case absolutelyMustProceed = "AMP"
  case mustProceed = "MP"
  case canProceed = "CP"
  case mustNotProceed = "MNP"
  case absolutelyMustNotProceed = "AMNP"
  /// Gave way to another activity.
  case bail

  var isVeto: Bool { self == .mustNotProceed || self == .absolutelyMustNotProceed || self == .bail }

  /// From words (`Must Not Proceed`), letters (`MNP`) or a number that has been seen (`33`).
  init?(_ text: Bytes) {
    switch true {
    case text.isWord("Absolutely Must Proceed"), text.isWord("AMP"), text.isWord("200"):
      self = .absolutelyMustProceed
    case text.isWord("Must Proceed"), text.isWord("MP"): self = .mustProceed
    case text.isWord("Can Proceed"), text.isWord("CP"): self = .canProceed
    case text.isWord("Must Not Proceed"), text.isWord("MNP"), text.isWord("33"): self = .mustNotProceed
    case text.isWord("Absolutely Must Not Proceed"), text.isWord("AMNP"): self = .absolutelyMustNotProceed
    default: return nil
    }
  }
}

/// What one policy said of an activity. Pieces of the record's text, to be read before the next record.
struct PolicyResponse {
  var name: Bytes
  var decision: SchedulerDecision
  var score: Double
  var rationale: Bytes
  /// The record ended inside, so the reason is not known.
  var isCutOff: Bool
  /// The place in the text, for the line.
  var start: Int
}

/// An evaluation: the policies that are not content, and the sum.
struct Evaluation {
  var policies: [PolicyResponse] = []
  var final: SchedulerDecision?
  var sum: Double?
  var denominator: Double?
  var score: Double?
  /// Decisions written as numbers that nobody has explained, with their policies.
  var unknown: [String] = []
  /// Nothing but the head is there, as when `grep` took the other lines away.
  var isHeadOnly = false

  /// Whether what is printed is whole: the last word is there, and the policies explain it.
  var isWhole: Bool {
    guard let final else { return false }
    let vetoes = policies.filter(\.decision.isVeto)
    switch final {
    case .absolutelyMustNotProceed: return vetoes.contains { $0.decision == .absolutelyMustNotProceed }
    case .mustNotProceed:
      return !vetoes.isEmpty && !vetoes.contains { $0.decision == .absolutelyMustNotProceed }
    case .absolutelyMustProceed: return true
    case .mustProceed, .canProceed, .bail: return vetoes.isEmpty
    }
  }

  /// Whether policies that object were overridden, or belong to another record: their objections then count for nothing.
  var contradicts: Bool {
    guard let final else { return false }
    return !final.isVeto && policies.contains { $0.decision.isVeto }
  }
}

extension Evaluation {
  /// - Parameters:
  ///   - text: the record with its lines joined, blanks run together, none inside brackets (``RecordText``).
  ///   - start: where the activity's name ended.
  static func parse(_ text: Bytes, from start: Int) -> Evaluation {
    var evaluation = Evaluation()
    if text.holds(", Decision: ", at: start) {
      evaluation.readEnd(text, start)
      return evaluation
    }
    var next = start
    while let open = text.find("{name: ", from: next) {
      guard let (policy, end) = parsePolicy(text, open) else {
        // Cut off, or of an unknown form: what follows may still be readable.
        if evaluation.unknown.count < 5, let code = unknownCode(text, open) {
          evaluation.unknown.append(code)
        }
        next = open + 7
        continue
      }
      next = end
      // A log with doubled lines has each policy twice.
      let isRepeated = evaluation.policies.contains {
        $0.name.hash == policy.name.hash && $0.rationale.hash == policy.rationale.hash
      }
      if !isRepeated, evaluation.policies.count < 100 { evaluation.policies.append(policy) }
    }
    evaluation.isHeadOnly = evaluation.policies.isEmpty && text.cut(next).trimmed.count <= 2
    evaluation.readEnd(text, next)
    return evaluation
  }

  private static func parsePolicy(_ text: Bytes, _ open: Int) -> (PolicyResponse, end: Int)? {
    guard let comma = text.find(44, from: open, to: open + 128),
      let response = text.find("response: {", from: comma), response < comma + 64
    else { return nil }
    var next = response + 11
    if text.holds("Decision: ", at: next) { next += 10 }
    guard let wordEnd = text.find(44, from: next, to: next + 32),
      let decision = SchedulerDecision(text.cut(next, wordEnd))
    else {
      return nil
    }
    next = wordEnd + 1
    while text.at(next) == Ascii.space { next += 1 }
    if text.holds("Score: ", at: next) { next += 7 }
    let scoreStart = next
    while Ascii.isDigit(text.at(next)) || text.at(next) == 46 { next += 1 }
    let score = text.cut(scoreStart, next).decimal
    var policy = PolicyResponse(
      name: text.cut(open + 7, comma), decision: decision, score: score ?? 0, rationale: text.cut(0, 0),
      isCutOff: true, start: open)
    guard score != nil else { return (policy, next) }
    if text.at(next) == 125 {
      policy.isCutOff = false
      return (policy, next)
    }
    // The rationale goes up to `]}`; it may hold brackets, braces and quotes.
    guard text.at(next) == 44, let bracket = text.find(91, from: next, to: next + 16) else {
      return (policy, next)
    }
    let limit = text.find("{name: ", from: bracket) ?? text.count
    guard let end = text.cut(0, limit).find("]}}", from: bracket) else { return (policy, limit) }
    policy.rationale = text.cut(bracket + 1, end)
    policy.isCutOff = false
    return (policy, end + 2)
  }

  /// `55 of MemoryPressurePolicy`
  private static func unknownCode(_ text: Bytes, _ open: Int) -> String? {
    guard let comma = text.find(44, from: open, to: open + 128),
      let response = text.find("response: {", from: comma), response < comma + 64,
      let end = text.find(44, from: response, to: response + 24),
      let code = text.cut(response + 11, end).wholeNumber
    else { return nil }
    return "\(code) of \(text.cut(open + 7, comma).text)"
  }

  private mutating func readEnd(_ text: Bytes, _ start: Int) {
    let rest = text.cut(start)
    sum = rest.value(after: "sumScores:")?.decimal
    denominator = rest.value(after: "denominator:")?.decimal
    guard let word = rest.find("Decision: ") else { return }
    let tail = rest.cut(word + 10)
    var end = 0
    while end < tail.count, Ascii.isLetter(tail[end]) || tail[end] == Ascii.space { end += 1 }
    var words = tail.cut(0, end)
    // `Can Proceed FinalScore: 0.96`, `CP Score: 0.78`.
    if tail.at(end) == 58 {
      if let label = words.find(" FinalScore") ?? words.find(" Score") { words = words.cut(0, label) }
      score = tail.value(after: "Score: ")?.decimal
    }
    final = SchedulerDecision(words.trimmed)
  }
}

extension PolicyResponse {
  /// The rationale in few words: what was required and what was seen, without what is as required. Nil for none.
  var condition: String? {
    var items: [String] = []
    var next = 0
    while next < rationale.count, items.count < 8 {
      guard let open = rationale.find(123, from: next) else { break }
      let close = Self.close(rationale, open)
      let item = rationale.cut(open + 1, close)
      if let (name, required, observed) = Self.requirement(item) {
        if name == "pushDisallowed" || name == "appIsForeground" {
          items.append(name)
        } else if required != observed {
          items.append("\(name): required \(required), observed \(observed)")
        }
      } else {
        items.append(Self.plain(item))
      }
      next = close + 1
    }
    return items.isEmpty ? nil : items.joined(separator: "; ")
  }

  private static func close(_ text: Bytes, _ open: Int) -> Int {
    var depth = 0
    for index in open..<text.count {
      if text[index] == 123 { depth += 1 }
      if text[index] == 125 { depth -= 1 }
      if depth == 0 { return index }
    }
    return text.count
  }

  /// `[wifiQuality]: Required:100.00, Observed:50.00`
  private static func requirement(_ item: Bytes) -> (String, String, String)? {
    guard item.at(0) == 91, let close = item.find("]: Required:"),
      let required = item.value(after: "Required:"),
      let observed = item.value(after: "Observed:")
    else { return nil }
    return (item.cut(1, close).text, withoutZeros(required), withoutZeros(observed))
  }

  private static func withoutZeros(_ number: Bytes) -> String {
    guard let value = number.decimal, abs(value) < 1e9 else { return number.text }
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  /// Without the name of the object in quotes: `"….4444".currentAvailableLimit == 0`.
  private static func plain(_ item: Bytes) -> String {
    if item.at(0) == 34, let quote = item.find("\"."), item.cut(quote + 2).find(34) == nil {
      return item.cut(quote + 2).text
    }
    return item.text
  }

  /// The same for two evaluations that object for the same reason, whatever value was seen.
  var key: UInt64 {
    var key: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { key = (key ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var index = 0
    while index < rationale.count {
      key = (key ^ UInt64(rationale[index])) &* 0x100_0000_01b3
      let isSeen =
        rationale[index] == 58 && rationale.holds("Observed:", at: index - 8)
        || rationale[index] == 32 && rationale.holds("== ", at: index - 2)
      index += 1
      if isSeen { while Ascii.isDigit(rationale.at(index)) || rationale.at(index) == 46 { index += 1 } }
    }
    return key
  }
}
