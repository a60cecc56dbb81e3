/// The kinds of charts, each from plain values.
extension Chart {
  /// A labelled value with its interval.
  struct Bar {
    var label: String
    var value: Double
    var low: Double?
    var high: Double?
    var text: String
    /// The strategy's number, which gives the colour.
    var index: Int?
    /// Where what is assumed may move it; the interval is then of chance alone.
    var plausible: (low: Double, high: Double)?
  }

  /// Horizontal bars from zero with whiskers; the label stands above its bar, so that it may be long.
  static func bars(_ bars: [Bar], axis: String, style: NumberStyle, limit: Double, label: String) -> Markup {
    let rowHeight = 36.0
    let bottom = Double(bars.count) * rowHeight + 6
    let highest = bars.map { max($0.value, $0.high ?? 0, $0.plausible?.high ?? 0) }.max() ?? 1
    let scale = Scale(upTo: highest, (2, width - 14), limit: limit, unit: unit(style, highest))
    var content: Markup = ""
    for tick in scale.ticks {
      let x = scale(tick)
      content += line(x, 4, x, bottom, "grid")
    }
    content += axisLabels(scale, y: bottom, style, title: axis)
    for (index, bar) in bars.enumerated() {
      let y = Double(index) * rowHeight
      let right = Self.label(bar.text, width - 2, y + 14, anchor: "end", class: "l num")
      content += Self.label(fitted(bar.label, width - textWidth(bar.text) - 24), 2, y + 14)
      content += right
      let end = scale(bar.value)
      content +=
        "<rect x=\"2\" y=\"\(y + 20)\" width=\"\(max(1, end - 2))\" height=\"12\" class=\"bar\(bar.index.map { " " + lineClass($0) } ?? "")\"><title>\(bar.label): \(bar.text)</title></rect>"
      if let (low, high) = bar.plausible {
        content += line(scale(low), y + 26, scale(high), y + 26, "plausible")
      }
      if let low = bar.low, let high = bar.high {
        let (a, b, middle) = (scale(low), scale(high), y + 26)
        content += line(a, middle, b, middle, "whisker")
        content += line(a, middle - 4, a, middle + 4, "whisker")
        content += line(b, middle - 4, b, middle + 4, "whisker")
      }
    }
    return svg(height: bottom + 38, label: label, content)
  }

  /// What ticks are multiples of.
  private static func unit(_ style: NumberStyle, _ highest: Double) -> Double {
    guard case .duration = style else { return 1 }
    return [86_400.0, 3600, 60].first { highest >= $0 * 2 } ?? 1
  }

  /// The ticks of a horizontal axis at the bottom, as many as fit, and its title.
  ///
  /// - Parameter names: of the ticks; nil: their values.
  static func axisLabels(
    _ scale: Scale, y: Double, _ style: NumberStyle, title: String, names: [String]? = nil
  ) -> Markup {
    var content: Markup = ""
    var end = -Double.infinity
    content += line(scale.range.0, y, scale.range.1, y, "axis")
    for (number, tick) in scale.ticks.enumerated() {
      let text = names?[number] ?? tickText(tick, style)
      let half = textWidth(text, size: 11) / 2
      let x = min(max(scale(tick), half), width - half)
      guard x - half > end + 4 else { continue }
      end = x + half
      content += line(scale(tick), y, scale(tick), y + 3, "axis")
      content += label(text, x, y + 15, anchor: "middle", class: "tick")
    }
    let middle = (scale.range.0 + scale.range.1) / 2
    let half = textWidth(title, size: 11) / 2
    content += label(title, min(max(middle, half), width - half), y + 31, anchor: "middle", class: "tick")
    return content
  }

  static func tickText(_ tick: Double, _ style: NumberStyle) -> String {
    switch style {
    case .percent: return trimmed(tick * 100, 3) + " %"
    case .duration: return tickDuration(tick)
    case .bytes: return style.text(tick)
    case .fixed, .count: return tick >= 10_000 ? NumberText.grouped(tick) : trimmed(tick, 3)
    }
  }

  private static func tickDuration(_ seconds: Double) -> String {
    if seconds == 0 { return "0" }
    for (name, length) in [("d", 86_400.0), ("h", 3600), ("min", 60), ("s", 1)] where seconds >= length {
      return trimmed(seconds / length, 1) + " " + name
    }
    return trimmed(seconds * 1000, 3) + " ms"
  }

  /// Without zeros at the end.
  private static func trimmed(_ value: Double, _ decimals: Int) -> String {
    var text = NumberText.fixed(value, decimals)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// One curve with an optional band.
  struct Curve {
    var name: String
    /// Colour, dash and mark: the strategy's number.
    var index: Int
    var points: [(x: Double, y: Double)]
    var band: [(x: Double, low: Double, high: Double)] = []
    /// Points are joined by steps or straight lines.
    var title: String
    /// Whether each point has a mark.
    var hasMarks = false
  }

  /// Curves with their names at the right end, over a horizontal axis.
  static func curves(
    _ curves: [Curve], x: Scale, y: Scale, xStyle: NumberStyle, yStyle: NumberStyle, xTitle: String,
    yTitle: String, label: String, xNames: [String]? = nil
  ) -> Markup {
    let bottom = y.range.0
    var content: Markup = Self.label(yTitle, 0, 11, class: "tick")
    for tick in y.ticks {
      let height = y(tick)
      content += line(x.range.0, height, x.range.1, height, "grid")
      content += Self.label(tickText(tick, yStyle), x.range.0 - 5, height + 4, anchor: "end", class: "tick")
    }
    content += axisLabels(x, y: bottom, xStyle, title: xTitle, names: xNames)
    for curve in curves where !curve.band.isEmpty {
      let upper = curve.band.map { "\(Markup.coordinate(x($0.x))) \(Markup.coordinate(y($0.high)))" }
      let lower = curve.band.reversed().map {
        "\(Markup.coordinate(x($0.x))) \(Markup.coordinate(y($0.low)))"
      }
      content +=
        "<path d=\"M\((upper + lower).joined(separator: "L"))Z\" class=\"band \(lineClass(curve.index))\"/>"
    }
    for curve in curves where !curve.points.isEmpty {
      let path = curve.points.map { "\(Markup.coordinate(x($0.x))) \(Markup.coordinate(y($0.y)))" }
      content +=
        "<path d=\"M\(path.joined(separator: "L"))\" class=\"curve \(lineClass(curve.index))\"><title>\(curve.title)</title></path>"
      // A dense curve has no room for a mark at each point.
      let step = curve.hasMarks ? 1 : max(1, curve.points.count / 40)
      for point in stride(from: 0, to: curve.points.count, by: step).map({ curve.points[$0] }) {
        let title =
          "\(curve.name): \(yStyle.text(point.y)) at \(xNames.flatMap { names in x.ticks.firstIndex(of: point.x).map { names[$0] } } ?? xStyle.text(point.x))"
        content +=
          curve.hasMarks
          ? marker(curve.index, x(point.x), y(point.y), title: title)
          : "<circle cx=\"\(x(point.x))\" cy=\"\(y(point.y))\" r=\"4\" class=\"hit \(lineClass(curve.index))\"><title>\(title)</title></circle>"
      }
    }
    let named = curves.filter { !$0.points.isEmpty }
    let ends = named.map { y($0.points[$0.points.count - 1].y) }
    let places = spread(ends, gap: 15, within: 16...max(bottom, 16 + 15 * Double(named.count)))
    for (curve, (end, place)) in zip(named, zip(ends, places)) {
      let start = x(curve.points[curve.points.count - 1].x)
      let left = x.range.1 + 6
      content +=
        "<path d=\"M\(start) \(end)L\(left + 4) \(place)L\(left + 10) \(place)\" class=\"leader \(lineClass(curve.index))\"/>"
      content += marker(curve.index, left + 12, place, title: curve.name)
      content += Self.label(
        fitted(curve.name, width - left - 22, size: 11), left + 20, place + 4, class: "l small")
    }
    let height = max(bottom + 38, (places.max() ?? 0) + 10)
    return svg(height: height, label: label, content)
  }

  /// A point with intervals in both directions.
  struct Point {
    var name: String
    var index: Int
    var x: MetricRecord
    var y: MetricRecord
    /// Where what is assumed may move it.
    var plausible: (low: Double, high: Double)? { y.plausible }
    var isOnFront: Bool
    var title: String
  }

  /// Points with their names, and a line through the front.
  static func scatter(
    _ points: [Point], xStyle: NumberStyle, yStyle: NumberStyle, xTitle: String, yTitle: String, label: String
  ) -> Markup {
    let bottom = 250.0
    let x = Scale(
      upTo: points.map { max($0.x.high ?? $0.x.estimate!, $0.x.plausible?.high ?? 0) }.max() ?? 1,
      (46, width - 16))
    let y = Scale(
      upTo: points.map { max($0.y.high ?? $0.y.estimate!, $0.plausible?.high ?? 0) }.max() ?? 1, (bottom, 24),
      limit: yStyle == .percent(decimals: 1) ? 1 : .infinity)
    var content: Markup = Self.label(yTitle, 0, 11, class: "tick")
    for tick in y.ticks {
      content += line(x.range.0, y(tick), x.range.1, y(tick), "grid")
      content += Self.label(tickText(tick, yStyle), x.range.0 - 5, y(tick) + 4, anchor: "end", class: "tick")
    }
    for tick in x.ticks { content += line(x(tick), y.range.1, x(tick), bottom, "grid") }
    content += axisLabels(x, y: bottom, xStyle, title: xTitle)
    let front = points.filter(\.isOnFront).sorted {
      ($0.x.estimate!, $0.y.estimate!) < ($1.x.estimate!, $1.y.estimate!)
    }
    if front.count > 1 {
      let path = front.map {
        "\(Markup.coordinate(x($0.x.estimate!))) \(Markup.coordinate(y($0.y.estimate!)))"
      }
      content += "<path d=\"M\(path.joined(separator: "L"))\" class=\"front\"/>"
    }
    for point in points {
      let (px, py) = (x(point.x.estimate!), y(point.y.estimate!))
      if let (low, high) = point.plausible {
        content += line(px, y(low), px, y(high), "plausible \(point.isOnFront ? lineClass(point.index) : "")")
      }
      if let (low, high) = point.x.plausible {
        content += line(x(low), py, x(high), py, "plausible \(point.isOnFront ? lineClass(point.index) : "")")
      }
      if let low = point.x.low, let high = point.x.high {
        content += line(x(low), py, x(high), py, "whisker")
      }
      if let low = point.y.low, let high = point.y.high {
        content += line(px, y(low), px, y(high), "whisker")
      }
    }
    for point in points {
      content += marker(
        point.index, x(point.x.estimate!), y(point.y.estimate!), hollow: !point.isOnFront, title: point.title)
    }
    content += scatterNames(points, x, y, bottom)
    return svg(height: bottom + 38, label: label, content)
  }

  /// Names beside their points, where there is room: right, left, above or below, else apart with a line.
  private static func scatterNames(_ points: [Point], _ x: Scale, _ y: Scale, _ bottom: Double) -> Markup {
    var content: Markup = ""
    var taken: [(x0: Double, y0: Double, x1: Double, y1: Double)] = points.map {
      let (px, py) = (x($0.x.estimate!), y($0.y.estimate!))
      return (px - 7, py - 7, px + 7, py + 7)
    }
    for point in points {
      let (px, py) = (x(point.x.estimate!), y(point.y.estimate!))
      let text = fitted(point.name, 170)
      let length = textWidth(text)
      // Rows further and further away, first beside the point.
      var best: (x: Double, y: Double)?
      search: for distance in 0..<14 {
        for sign in [-1.0, 1] {
          for left in [px + 10, px - 10 - length] {
            let place = (x: left, y: py - 8 + sign * Double(distance) * 9)
            let box = (x0: place.x, y0: place.y - 7, x1: place.x + length, y1: place.y + 7)
            guard box.x0 >= x.range.0, box.x1 <= width, box.y0 >= 16, box.y1 <= bottom else { continue }
            if taken.allSatisfy({
              box.x1 < $0.x0 || $0.x1 < box.x0 || box.y1 < $0.y0 || $0.y1 < box.y0
            }) {
              best = place
              taken.append(box)
              break search
            }
          }
        }
      }
      guard let best else { continue }
      if (best.y - py).magnitude > 16 {
        content += line(px, py, best.x < px ? best.x + length : best.x, best.y, "leader")
      }
      content += Self.label(text, best.x, best.y + 4, class: point.isOnFront ? "l on" : "l off")
    }
    return content
  }

  /// What stands along one side of a heat map.
  struct HeatAxis {
    var title: String
    /// By cell; empty where a cell has no room for its name.
    var names: [String]
  }

  /// Values by column and row, the first row at the bottom.
  ///
  /// - Parameters:
  ///   - least, most: what the palest and the darkest cell stand for.
  ///   - key: what these are called.
  static func heat(
    _ cells: [[Double?]], between least: Double, _ most: Double, rows: HeatAxis, columns: HeatAxis,
    key: (least: String, most: String), titles: (Int, Int) -> String, label: String
  ) -> Markup {
    let left = max(52, (rows.names.map { textWidth($0, size: 11) }.max() ?? 0) + 10)
    let (top, cell, rowHeight) = (16.0, (width - left) / Double(max(1, cells.count)), 18.0)
    func opacity(_ share: Double) -> Markup { Markup.verbatim(NumberText.fixed(0.06 + 0.94 * share, 2)) }
    var content: Markup = Self.label(rows.title, 0, 11, class: "tick")
    for (column, values) in cells.enumerated() {
      for (row, value) in values.enumerated() {
        let (x, y) = (left + Double(column) * cell, top + Double(rows.names.count - 1 - row) * rowHeight)
        let look: Markup =
          value.map {
            let share = most > least ? ($0 - least) / (most - least) : 1
            return "class=\"cell\" fill-opacity=\"\(opacity(share))\""
          } ?? "class=\"none\""
        content +=
          "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(cell - 1)\" height=\"\(rowHeight - 1)\" \(look)><title>\(titles(column, row))</title></rect>"
      }
    }
    for (row, name) in rows.names.enumerated() {
      content += Self.label(
        name, left - 5, top + Double(rows.names.count - 1 - row) * rowHeight + 13, anchor: "end",
        class: "tick")
    }
    let bottom = top + Double(rows.names.count) * rowHeight
    var end = -Double.infinity
    for (column, name) in columns.names.enumerated() {
      let half = textWidth(name, size: 11) / 2
      let x = min(left + (Double(column) + 0.5) * cell, width - half)
      guard !name.isEmpty, x - half > end + 4 else { continue }
      end = x + half
      content += Self.label(name, x, bottom + 14, anchor: "middle", class: "tick")
    }
    content += Self.label(
      columns.title, (left + width) / 2, bottom + 30, anchor: "middle", class: "tick")
    let keyWidth = 18.0
    for step in 0...10 {
      content +=
        "<rect x=\"\(left + Double(step) * keyWidth)\" y=\"\(bottom + 40)\" width=\"\(keyWidth)\" height=\"10\" class=\"cell\" fill-opacity=\"\(opacity(Double(step) / 10))\"/>"
    }
    content += Self.label(key.least, left, bottom + 64, class: "tick")
    content += Self.label(key.most, left + 11 * keyWidth + 6, bottom + 49, class: "tick")
    return svg(height: bottom + 68, label: label, content)
  }

  /// Quantiles on a logarithmic axis of time: a row for each name.
  static func ranges(
    _ rows: [(label: String, values: [(name: String, seconds: Double)])], title: String, label: String
  ) -> Markup {
    let all = rows.flatMap { $0.values.map(\.seconds) }.filter { $0 > 0 }
    guard let low = all.min(), let high = all.max() else { return "" }
    let rowHeight = 46.0
    let bottom = Double(rows.count) * rowHeight + 6
    let x = Scale(durations: max(low, 0.1), max(high, 1), (10, width - 20))
    var content: Markup = ""
    for tick in x.ticks { content += line(x(tick), 4, x(tick), bottom, "grid") }
    content += axisLabels(x, y: bottom, .duration, title: title)
    for (index, row) in rows.enumerated() {
      let y = Double(index) * rowHeight
      content += Self.label(fitted(row.label, width - 4), 2, y + 14)
      guard let first = row.values.first, let last = row.values.last else { continue }
      content += line(x(first.seconds), y + 24, x(last.seconds), y + 24, "whisker")
      var end = -Double.infinity
      for (number, value) in row.values.enumerated() {
        // Zero has no place on the axis: it stands at its begin and says so.
        let text = value.seconds > 0 ? value.name : value.name + " = 0"
        content += marker(
          number, x(value.seconds), y + 24,
          title: "\(row.label): \(value.name) \(NumberText.duration(seconds: value.seconds))")
        let half = textWidth(text, size: 11) / 2
        let middle = min(max(x(value.seconds), half + 5), width - half - 5)
        guard middle - half > end + 2 else { continue }
        end = middle + half
        content += Self.label(text, middle, y + 41, anchor: "middle", class: "tick")
      }
    }
    return svg(height: bottom + 38, label: label, content)
  }
}
