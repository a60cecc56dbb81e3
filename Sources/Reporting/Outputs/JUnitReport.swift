public import Experiments

/// The expectations of a run as JUnit's XML, which continuous integration shows: a test case each, named after the claim.
///
/// A missed expectation is a failure. An undecided one is an error, since a run that cannot tell must not look like one
/// that passed. Without times of day and durations, so the same result is the same text.
public enum JUnitReport {
  public static func text(_ result: ExperimentResult) -> String {
    let outcomes = result.outcomes
    func count(_ outcome: ExpectationResult.Outcome) -> Int { outcomes.count { $0 == outcome } }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    text += "  <testsuite"
    text += attributes([
      ("name", result.scenario.name), ("tests", "\(outcomes.count)"), ("failures", "\(count(.missed))"),
      ("errors", "\(count(.undecided))"), ("skipped", "0"),
    ])
    text += ">\n"
    for run in result.runs {
      for expectation in run.expectations { text += testCase(expectation, run, result.scenario) }
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func testCase(
    _ result: ExpectationResult, _ run: PolicyRun, _ scenario: Scenario
  ) -> String {
    let words = ExpectationText(ExpectationRecord(result))
    let name = attributes([("classname", "\(scenario.name).\(run.policy)"), ("name", words.claim)])
    var element: String
    switch result.outcome {
    case .met: return "    <testcase\(name)/>\n"
    case .missed: element = "failure"
    case .undecided: element = "error"
    }
    var message = words.observation
    if let remedy = words.remedy { message += "; \(remedy)" }
    var body = words.claim + "\n" + message
    if let source = result.expectation.source { body += "\nsource: " + source }
    element =
      "      <\(element)\(attributes([("type", result.outcome.rawValue), ("message", message)]))>"
      + escaped(body, isAttribute: false) + "</\(element)>\n"
    return "    <testcase\(name)>\n\(element)    </testcase>\n"
  }

  private static func attributes(_ attributes: [(name: String, value: String)]) -> String {
    attributes.map { " \($0.name)=\"\(escaped($0.value, isAttribute: true))\"" }.joined()
  }

  /// The text with what XML gives a meaning escaped; what XML 1.0 cannot hold at all becomes U+FFFD.
  ///
  /// - Parameter isAttribute: escapes white space too, which a reader would make spaces of in an attribute.
  static func escaped(_ text: String, isAttribute: Bool) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: escaped += "&amp;".unicodeScalars
      case 0x3C: escaped += "&lt;".unicodeScalars
      case 0x3E: escaped += "&gt;".unicodeScalars
      case 0x22: escaped += "&quot;".unicodeScalars
      // A bare carriage return would be read as a newline, in text as well.
      case 0x0D: escaped += "&#13;".unicodeScalars
      case 0x09 where isAttribute: escaped += "&#9;".unicodeScalars
      case 0x0A where isAttribute: escaped += "&#10;".unicodeScalars
      case 0x09, 0x0A, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: escaped.append(scalar)
      default: escaped.append("\u{FFFD}")
      }
    }
    return String(escaped)
  }
}
