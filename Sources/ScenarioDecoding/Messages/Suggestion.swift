/// Finds the word that was probably meant.
public enum Suggestion {
  /// The candidate equal to `word` but for case and separators; else the nearest by edits, if near enough; of equally
  /// near ones the first in alphabetical order.
  ///
  /// - Parameters:
  ///   - word: as the user wrote it.
  ///   - candidates: words valid at that place, and only those: a correction must not lead to the next error.
  /// - Returns: nil if no candidate is within a third of the word's length, one edit at least; none of a single letter.
  public static func best(for word: String, among candidates: some Sequence<String>) -> String? {
    let folded = fold(word)
    // Longer words are pasted text, not slips; and the table of distances grows with the square.
    guard folded.count <= 64 else { return nil }
    // With one letter every other letter would be near.
    let limit = folded.count < 2 ? 0 : max(1, folded.count / 3)
    var best: (word: String, distance: Int)?
    // More than a thousand words were written by a program, whose slips are no typing errors.
    for candidate in candidates.prefix(1000) {
      let other = fold(candidate)
      guard abs(other.count - folded.count) <= limit else { continue }
      let distance = distance(folded, other)
      guard distance <= limit else { continue }
      if let known = best, (known.distance, known.word) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.word
  }

  private static func fold(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (Damerau–Levenshtein, optimal string alignment).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var previous = [Int](repeating: 0, count: b.count + 1)
    var current = Array(0...b.count)
    for i in a.indices {
      var next = [Int](repeating: i + 1, count: b.count + 1)
      for j in b.indices {
        let substitution = current[j] + (a[i] == b[j] ? 0 : 1)
        next[j + 1] = min(substitution, current[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          next[j + 1] = min(next[j + 1], previous[j - 1] + 1)
        }
      }
      (previous, current) = (current, next)
    }
    return current[b.count]
  }
}
