import Experiments

/// What a terminal can show.
public struct TextStyle: Sendable, Equatable {
  /// In columns.
  public var width: Int
  /// Whether it shows block characters; else charts are made of ASCII.
  public var showsBlocks: Bool
  /// Whether it understands colours. They only repeat what position and text say.
  public var showsColour: Bool

  public init(width: Int, showsBlocks: Bool, showsColour: Bool) {
    self.width = width
    self.showsBlocks = showsBlocks
    self.showsColour = showsColour
  }

  /// The style of a terminal that says this of itself in the environment.
  ///
  /// - Parameters:
  ///   - width: in columns.
  ///   - variable: the value of a variable; nil if it is not set or empty.
  public init(width: Int, variable: (_ name: String) -> String?) {
    // The first that is set counts, as in setlocale.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first ?? ""
    let encoding = locale.uppercased().filter { $0 != "-" }
    let kind = variable("TERM") ?? "dumb"
    self.init(
      width: width, showsBlocks: encoding.contains("UTF8"),
      showsColour: kind != "dumb" && variable("NO_COLOR") == nil)
  }

  static let bold = "1"
  static let cyan = "36"
  static let green = "32"
  static let red = "31"
  static let yellow = "33"

  /// The text in a colour or weight, if the terminal can.
  func paint(_ text: String, _ code: String) -> String {
    showsColour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Small charts for a terminal: a bar per strategy, and a line over the hours of the day.
enum TextCharts {
  /// The charts of one policy's run; empty if there is nothing to draw.
  static func text(_ view: RunView, style: TextStyle) -> String {
    var text = ""
    for metric in Metric.headlines where view.has(metric.name) && metric.unit == .proportion {
      // What calls are for is that they ring.
      let onlyCalls = view.senders.allSatisfy { $0.record.pushMechanisms == ["voip_push"] }
      if metric.name == "delivered_within_5min", onlyCalls { continue }
      let rows = view.ranked(metric.name).map { strategy in
        let value = strategy.record.metrics[metric.name]!
        return Row(
          label: strategy.label, share: value.estimate!,
          value: value.style.bare(value.estimate!, half: value.half, plausible: value.plausible) + " %")
      }
      text += bars(Wording.metric(metric.name), rows, style: style)
    }
    text += hours(
      "delivered within 5 min, by the device's hour of the send",
      view.senders.map { strategy in
        let shares = strategy.record.byHour.map {
          $0.sent > 0 ? Double($0.within5min) / Double($0.sent) : nil
        }
        return (strategy.label, shares)
      }, style: style)
    return text
  }

  /// A bar of a share, with its value in words.
  struct Row: Equatable {
    var label: String
    /// From 0 to 1.
    var share: Double
    var value: String
  }

  /// A heading and a bar per row, all on the scale from 0 to 100 %.
  static func bars(_ title: String, _ rows: [Row], style: TextStyle) -> String {
    guard !rows.isEmpty else { return "" }
    let labels = labelWidth(rows.map(\.label), style)
    let values = rows.map(\.value.count).max() ?? 0
    // Two columns on either side of the bar, two before the label.
    let room = min(50, style.width - labels - values - 6)
    var text = heading(title, style)
    for row in rows {
      let label = padded(fitted(row.label, labels, style), to: labels)
      let value = String(repeating: " ", count: values - row.value.count) + row.value
      // A bar of a few columns says less than its number.
      guard room >= 6 else {
        text += "  \(label)  \(value)\n"
        continue
      }
      let bar = bar(row.share, room, style)
      text += "  \(label)  \(style.paint(bar, TextStyle.cyan))"
      text += "\(String(repeating: " ", count: room - bar.count))  \(value)\n"
    }
    return text + "\n"
  }

  /// A heading and a line of 24 columns per row, each from 0 to 100 %; hours without a value are left out.
  static func hours(_ title: String, _ rows: [(label: String, shares: [Double?])], style: TextStyle) -> String
  {
    guard !rows.isEmpty else { return "" }
    let labels = labelWidth(rows.map(\.label), style, limit: style.width - 24 - 4)
    let scale = style.showsBlocks ? "▁ 0 % to █ 100 %" : "0 to 9: tenths"
    var text = heading("\(title) (\(scale))", style)
    for row in rows {
      let label = padded(fitted(row.label, labels, style), to: labels)
      text += "  \(label)  \(style.paint(line(row.shares, style), TextStyle.cyan))\n"
    }
    let ruler = "0     6     12    18    "
    return text + "  \(String(repeating: " ", count: labels))  \(ruler.prefix(20)) h\n\n"
  }

  // MARK: Parts

  /// A bar of up to `room` columns, without spaces behind it. What is more than nothing shows.
  static func bar(_ share: Double, _ room: Int, _ style: TextStyle) -> String {
    let share = min(1, max(0, share.isFinite ? share : 0))
    guard style.showsBlocks else {
      let columns = Int((share * Double(room)).rounded())
      return String(repeating: "#", count: share > 0 ? max(1, columns) : 0)
    }
    let eighths = share > 0 ? max(1, Int((share * Double(room) * 8).rounded())) : 0
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8)
      + (rest > 0 ? ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1] : "")
  }

  /// A column per share.
  static func line(_ shares: [Double?], _ style: TextStyle) -> String {
    let steps = Array(style.showsBlocks ? "▁▂▃▄▅▆▇█" : "0123456789")
    return String(
      shares.map { share -> Character in
        guard let share, share.isFinite else { return " " }
        return steps[min(steps.count - 1, max(0, Int(share * Double(steps.count))))]
      })
  }

  private static func heading(_ title: String, _ style: TextStyle) -> String {
    TextRenderer.wrapped(title, width: style.width).split(separator: "\n")
      .map { style.paint(String($0), TextStyle.bold) + "\n" }.joined()
  }

  private static func labelWidth(_ labels: [String], _ style: TextStyle, limit: Int = .max) -> Int {
    let longest = labels.map(\.count).max() ?? 0
    return max(4, min(longest, max(12, style.width / 3), limit))
  }

  private static func fitted(_ label: String, _ width: Int, _ style: TextStyle) -> String {
    label.count <= width ? label : String(label.prefix(width - 1)) + (style.showsBlocks ? "…" : "~")
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
