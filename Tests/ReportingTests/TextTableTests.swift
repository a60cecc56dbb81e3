import Reporting
import Testing

@Suite struct TextTableTests {
  @Test func `columns are as wide as their widest cell and no line ends in spaces`() {
    var table = TextTable([.init("strategy"), .init("sent", .right), .init("note")])
    table.add(["push_hourly", "120", "x"])
    table.add(["a", "7"])
    #expect(
      table.text(width: 80) == """
        strategy     sent  note
        push_hourly   120  x
        a               7

        """)
  }

  @Test func `a table without titles has no line for them`() {
    var table = TextTable([.init(""), .init("", .right)])
    table.add(["a", "10"])
    #expect(table.text(width: 80, indentation: 2) == "  a  10\n")
  }

  @Test func `in a table that is too wide cells go on in the next line, and nothing is cut`() {
    var table = TextTable([.init("key", mayShrink: true), .init("meaning", mayShrink: true)])
    table.add(["population.settings.background_app_refresh_off.per_app", "launches that an app is granted"])
    #expect(
      table.text(width: 44) == """
        key                    meaning
        population.settings.   launches that an app
        background_app_        is granted
        refresh_off.per_app

        """)
  }

  @Test func `intervals give way before columns do, and a line says so`() {
    var table = TextTable([.init("strategy"), .init("fresh %", .right), .init("J/d", .right)])
    table.add(["push_hourly", "43.1 ±0.9", "51.2 ±0.3"])
    #expect(table.text(width: 40).contains("43.1 ±0.9"))
    let narrow = table.text(width: 28)
    #expect(narrow.hasPrefix("strategy     fresh %   J/d\npush_hourly     43.1  51.2\n"), "\(narrow)")
    #expect(narrow.contains("(a wider terminal shows"))
    // As a list at the last, with everything.
    let list = table.text(width: 20)
    #expect(list == "strategy\n  push_hourly\n    fresh %: 43.1\n      ±0.9\n    J/d: 51.2 ±0.3\n", "\(list)")
  }

  @Test func `a table that cannot shrink to the width is printed whole`() {
    var table = TextTable([.init("key")])
    table.add(["a_key_longer_than_the_terminal"])
    #expect(table.text(width: 10).contains("a_key_longer_than_the_terminal"))
  }
}
