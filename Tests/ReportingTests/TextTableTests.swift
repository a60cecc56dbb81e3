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

  @Test func `a table that is too wide shortens the column that may give way`() {
    var table = TextTable([.init("key"), .init("meaning", mayShrink: true)])
    table.add(["hourly_budget.limit", "launches that an app is granted in an hour"])
    let text = table.text(width: 40)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    #expect(text.contains("hourly_budget.limit  launches that an a…\n"))
  }

  @Test func `a table that cannot shrink to the width is printed whole`() {
    var table = TextTable([.init("key")])
    table.add(["a_key_longer_than_the_terminal"])
    #expect(table.text(width: 10).contains("a_key_longer_than_the_terminal"))
  }
}
