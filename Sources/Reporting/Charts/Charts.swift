import Glibc

/// What all charts share. Coordinates are SVG user units, y downwards; a chart is as wide as ``width`` and its page
/// scales it.
enum Chart {
  static let width = 420.0
  static let fontSize = 12.0

  /// Colours and dashes by which the lines of strategies are told apart; neighbours also without colours. The style
  /// sheet has six colours; every sixth line shares one and has another dash.
  static func lineClass(_ index: Int) -> String { "s\(index % 6) d\(dash(index))" }

  static func dash(_ index: Int) -> Int { (index + index / 6) % 3 }

  /// About how wide a text is drawn; rather more than less.
  static func textWidth(_ text: String, size: Double = fontSize) -> Double {
    var width = 0.0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "i", "j", "l", "f", "t", "I", ".", ",", ":", ";", "|", "!", "'", " ", "(", ")": width += 0.36
      case "m", "w", "M", "W", "%", "<", ">", "=", "+", "~": width += 0.95
      case "A"..."Z", "&", "#", "@": width += 0.75
      case "\0"..."\u{7F}": width += 0.62
      case "\u{80}"..."\u{2E7F}": width += 0.72
      default: width += 1.3
      }
    }
    return width * size
  }

  /// A text cut so that it fits.
  static func fitted(_ text: String, _ width: Double, size: Double = fontSize) -> String {
    if text.unicodeScalars.count <= 200, textWidth(text, size: size) <= width { return text }
    var cut = ""
    for character in text.prefix(200) {
      if textWidth(cut + "\(character)…", size: size) > width { break }
      cut.append(character)
    }
    return cut + "…"
  }

  /// Text in a chart. `anchor` is start, middle or end.
  static func label(
    _ text: String, _ x: Double, _ y: Double, anchor: String = "start", class name: String = "l"
  ) -> Markup {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" class=\"\(name)\">\(text)</text>"
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ name: String) -> Markup {
    "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" class=\"\(name)\"/>"
  }

  /// A mark whose shape, beside its colour, tells the strategies apart.
  static func marker(_ index: Int, _ x: Double, _ y: Double, hollow: Bool = false, title: String) -> Markup {
    let r = 4.5
    let name = "m \(lineClass(index))\(hollow ? " hollow" : "")"
    let inner: Markup = "<title>\(title)</title>"
    switch index % 4 {
    case 0: return "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(r)\" class=\"\(name)\">\(inner)</circle>"
    case 1:
      return
        "<rect x=\"\(x - 4)\" y=\"\(y - 4)\" width=\"8\" height=\"8\" class=\"\(name)\">\(inner)</rect>"
    case 2:
      return "<path d=\"M\(x) \(y - 5.5)L\(x + 5.5) \(y + 4)H\(x - 5.5)Z\" class=\"\(name)\">\(inner)</path>"
    default:
      return
        "<path d=\"M\(x) \(y - 6)L\(x + 6) \(y)L\(x) \(y + 6)L\(x - 6) \(y)Z\" class=\"\(name)\">\(inner)</path>"
    }
  }

  /// The whole drawing.
  static func svg(height: Double, width: Double = width, label: String, _ content: Markup) -> Markup {
    "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(label)\">\(content)</svg>"
  }

  /// Moves labels apart so that none covers another, as little as needed, within the given range.
  ///
  /// - Returns: where each label goes, in the order given.
  static func spread(_ wanted: [Double], gap: Double, within range: ClosedRange<Double>) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    var places = wanted
    var last = -Double.infinity
    for index in order {
      places[index] = max(wanted[index], last + gap, range.lowerBound)
      last = places[index]
    }
    // What was pushed over the end comes back.
    var next = range.upperBound + gap
    for index in order.reversed() {
      places[index] = min(places[index], next - gap)
      next = places[index]
    }
    return places
  }
}

/// Maps values to coordinates, and knows where its ticks are.
struct Scale {
  let range: (Double, Double)
  let domain: (Double, Double)
  let isLog: Bool
  let ticks: [Double]

  func callAsFunction(_ value: Double) -> Double {
    let (low, high) = domain
    let share =
      isLog
      ? (log10(max(value, low)) - log10(low)) / (log10(high) - log10(low)) : (value - low) / (high - low)
    return range.0 + min(1, max(0, share)) * (range.1 - range.0)
  }

  /// From 0 to a round number not below `high`.
  ///
  /// - Parameters:
  ///   - limit: nothing is above, such as 1 for shares.
  ///   - unit: ticks are round numbers of these.
  init(
    upTo highest: Double, _ range: (Double, Double), most: Int = 5, limit: Double = .infinity,
    unit: Double = 1
  ) {
    let high = (highest > 0 ? highest : 1) / unit
    var step = 1.0
    let power = pow(10, floor(log10(high / Double(most))))
    for factor in [1.0, 2, 5, 10] {
      step = factor * power
      if high / step <= Double(most) { break }
    }
    let count = Int((high / step - 1e-9).rounded(.up))
    let top = min(limit, Double(count) * step * unit)
    self.range = range
    domain = (0, top)
    isLog = false
    ticks = (0...max(1, count)).map { min(limit, Double($0) * step * unit) }
  }

  /// Durations on a logarithmic axis. Unit: seconds.
  init(durations low: Double, _ high: Double, _ range: (Double, Double)) {
    let marks: [Double] = [
      0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000,
    ]
    let first = marks.last { $0 <= low } ?? marks[0]
    let last = max(high, first * 10)
    self.range = range
    domain = (first, last)
    isLog = true
    ticks = marks.filter { $0 >= first && $0 <= last }
  }

  init(_ domain: (Double, Double), ticks: [Double], _ range: (Double, Double)) {
    self.range = range
    self.domain = domain
    self.ticks = ticks
    isLog = false
  }
}
