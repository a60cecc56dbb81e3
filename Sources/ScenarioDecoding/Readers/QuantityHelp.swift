import Quantities

extension ValueReader {
  /// What a bare number may have meant.
  static func completions(_ number: Double, _ dimension: Dimension, _ range: ClosedRange<Double>)
    -> [String]
  {
    if dimension == .proportion {
      guard number > 0, number <= 100 else { return [] }
      return [number <= 1 ? Quantity.format(number, .proportion) : "\(decimalText(number)) %"]
    }
    let symbols: [String] =
      switch dimension {
      case .count, .proportion: []
      case .time: ["s", "min", "h", "d"]
      case .rate: ["/h", "/day"]
      case .proportionRate: ["%/h"]
      case .bytes: ["B", "KB"]
      case .energy: ["J"]
      case .power: ["W"]
      case .bandwidth: ["KB/s", "Mbit/s"]
      }
    return symbols.filter { range.contains(Dimension.unit($0)?.si(number) ?? .nan) }
      .map { "\(decimalText(number)) \($0)" }
  }

  /// `1,5 h` with a point, and `1 h 30 min` in one unit.
  static func respelled(_ text: String, _ dimension: Dimension) -> String? {
    let pointed = String(text.map { $0 == "," ? "." : $0 })
    if let quantity = try? Quantity.parse(pointed), quantity.dimension == dimension { return pointed }
    let words = text.split(separator: " ")
    guard dimension == .time, words.count.isMultiple(of: 2), words.count > 2, words.count <= 8 else {
      return nil
    }
    var sum = 0.0
    for index in stride(from: 0, to: words.count, by: 2) {
      guard let part = try? Quantity.parse("\(words[index]) \(words[index + 1])"), part.dimension == .time
      else {
        return nil
      }
      sum += part.value
    }
    return Quantity.format(sum, .time)
  }
}
