/// The word of `words` that the user probably meant: the same but for upper and lower case, else the nearest within a
/// third of the typed word's length (at least one edit), ties in alphabetical order. Nil when none is near, since a
/// far-fetched suggestion is worse than a list.
func suggestion(for typed: String, among words: [String]) -> String? {
  let lowered = Array(typed.lowercased())
  if let same = words.sorted().first(where: { $0.lowercased() == typed.lowercased() }) { return same }
  let limit = max(1, lowered.count / 3)
  var best: (word: String, distance: Int)?
  for word in words.sorted() {
    let distance = editDistance(lowered, Array(word.lowercased()))
    if distance <= limit, distance < best?.distance ?? .max { best = (word, distance) }
  }
  return best?.word
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words (Damerau–Levenshtein, optimal string
/// alignment).
///
/// - Complexity: the product of the lengths.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  // Three rows of the table suffice: a swap looks two rows back.
  var before: [Int] = []
  var above = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row.append(cost)
    }
    before = above
    above = row
  }
  return above[b.count]
}
