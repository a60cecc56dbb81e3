import Testing

@testable import Reporting

@Suite struct TextChartsTests {
  private let blocks = TextStyle(width: 80, showsBlocks: true, showsColour: false)
  private let plain = TextStyle(width: 80, showsBlocks: false, showsColour: false)

  private let rows = [
    TextCharts.Row(label: "push_each_update_with_a_long_name", share: 0.5, value: "50.0 ±0.8 %"),
    TextCharts.Row(label: "on_open_only", share: 0, value: "0.0 %"),
  ]

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Without what a terminal does not show.
  private func shown(_ line: Substring) -> String { String(line).replacing(/\u{1B}\[[0-9]+m/, with: "") }

  @Test func `a bar is as long as its share, to an eighth of a column, and nothing has no bar`() {
    #expect(TextCharts.bar(0.5, 10, blocks) == "█████")
    #expect(TextCharts.bar(0.5625, 10, blocks) == "█████▋")
    #expect(TextCharts.bar(1, 10, blocks) == "██████████")
    #expect(TextCharts.bar(1e-9, 10, blocks) == "▏")
    #expect(TextCharts.bar(0, 10, blocks) == "")
    #expect(TextCharts.bar(.nan, 10, blocks) == "")
    #expect(TextCharts.bar(0.56, 10, plain) == "######")
    #expect(TextCharts.bar(1e-9, 10, plain) == "#")
  }

  @Test func `the line over the hours has its ends at none and all, and a gap where nothing was sent`() {
    #expect(TextCharts.line([0, 0.124, 0.5, 0.99, 1, nil], blocks) == "▁▁▅██ ")
    #expect(TextCharts.line([0, 0.09, 0.5, 0.99, 1, nil], plain) == "00599 ")
  }

  @Test(arguments: [40, 80, 120], [true, false])
  func `charts keep to the width and say the value beside the bar`(width: Int, showsBlocks: Bool) {
    for showsColour in [true, false] {
      let style = TextStyle(width: width, showsBlocks: showsBlocks, showsColour: showsColour)
      let day: [Double?] = (0..<24).map { Double($0) / 23 }
      let text =
        TextCharts.bars("opens that found the newest content", rows, style: style)
        + TextCharts.hours(
          "delivered within 5 min, by the device's hour of the send", rows.map { ($0.label, day) },
          style: style)
      for line in lines(text) { #expect(shown(line).count <= width, "\(line)") }
      #expect(text.contains("50.0 ±0.8 %"))
      #expect(text.contains("\u{1B}") == showsColour)
      // Every hour has its column.
      #expect(lines(text).contains { shown($0).hasSuffix(TextCharts.line(day, style)) })
      #expect(text.contains("█") == showsBlocks)
    }
  }

  @Test func `bars of one chart start in the same column and their values end in one`() {
    let text = TextCharts.bars("fresh", rows, style: blocks)
    let drawn = lines(text)[1...2]
    #expect(drawn.map(\.count) == [drawn[1].count, drawn[1].count])
    #expect(drawn[1].firstIndex(of: "█").map { drawn[1].distance(from: drawn[1].startIndex, to: $0) } == 30)
  }

  @Test func `nothing to draw is no chart`() {
    #expect(TextCharts.bars("fresh", [], style: blocks) == "")
    #expect(TextCharts.hours("fresh", [], style: blocks) == "")
  }

  @Test func `blocks need UTF-8, colours a terminal that is not dumb and no NO_COLOR`() {
    func style(_ environment: [String: String]) -> TextStyle { TextStyle(width: 80) { environment[$0] } }
    let usual = ["LANG": "en_US.UTF-8", "TERM": "xterm-256color"]
    #expect(style(usual) == TextStyle(width: 80, showsBlocks: true, showsColour: true))
    #expect(
      style(usual.merging(["LC_ALL": "C"]) { $1 })
        == TextStyle(width: 80, showsBlocks: false, showsColour: true))
    #expect(style(usual.merging(["LC_CTYPE": "C.utf8", "LANG": "C"]) { $1 }).showsBlocks)
    #expect(!style(usual.merging(["NO_COLOR": "1"]) { $1 }).showsColour)
    #expect(!style(usual.merging(["TERM": "dumb"]) { $1 }).showsColour)
    #expect(style([:]) == TextStyle(width: 80, showsBlocks: false, showsColour: false))
  }

  @Test func `a table too wide for a narrow terminal has its rows one cell below the other`() {
    var table = TextTable([
      .init("strategy", mayShrink: true), .init("delivered %", .right), .init("median", .right),
    ])
    table.add(["push_each_update", "74.2 ±0.8", "12 min"])
    let text = table.text(width: 26)
    #expect(
      text == """
        strategy
          push_each_update
            delivered %: 74.2 ±0.8
            median: 12 min

        """)
    #expect(table.text(width: 80).contains("push_each_update    74.2 ±0.8"))
  }

  @Test func `lines longer than a narrow terminal are broken between words`() {
    let text = TextRenderer.wrapped("  one two three four\nfive", width: 14, hanging: 4)
    #expect(text == "  one two\n    three four\nfive\n")
  }
}
