import ScenarioDecoding
import Testing

@Suite struct JSONTextTests {
  @Test func `an object keeps the order of its members and indents by two spaces`() {
    let value: JSONValue = [
      "zebra": 1, "apple": ["b": "x", "a": []], "list": [["k": true], nil], "plain": [0.7, 0.8], "empty": [:],
    ]
    #expect(
      value.text == """
        {
          "zebra": 1,
          "apple": {
            "b": "x",
            "a": []
          },
          "list": [
            {
              "k": true
            },
            null
          ],
          "plain": [0.7, 0.8],
          "empty": {}
        }
        """)
  }

  @Test(arguments: [
    0.1, 1.0 / 3, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 123_456_789.0, 1e16,
    9_007_199_254_740_992, -2.5,
  ])
  func `a double is written so that the same number is read back`(number: Double) throws {
    #expect(Double(JSONValue.number(number).text) == number)
  }

  @Test func `a whole double keeps its point, and zero has no sign`() {
    #expect(JSONValue.number(3).text == "3.0")
    #expect(JSONValue.number(-0.0).text == "0.0")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that JSON cannot say becomes null`(number: Double) {
    #expect(JSONValue.number(number).text == "null")
  }

  @Test func `integers of 64 bits are written in full`() {
    #expect(JSONValue.integer(Int64.min).text == "-9223372036854775808")
    #expect(JSONValue.unsigned(.max).text == "18446744073709551615")
  }

  @Test func `quotes, backslashes and control characters are escaped, everything else stands as it is`() {
    #expect(
      JSONValue.string("a\"b\\c\n\r\t\u{0}\u{1F}/é🙂").text
        == #""a\"b\\c\n\r\t\u0000\u001f/é🙂""#)
  }
}
