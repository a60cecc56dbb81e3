import Foundation
import Testing

/// What another reader of XML finds in a report: the suite's counts, then each case with its outcome.
private func parse(_ file: URL) throws -> (counts: [String: String], cases: [[String: String]]) {
  let script = """
    import json, sys, xml.etree.ElementTree as tree
    suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
    cases = []
    for case in suite:
      found = dict(case.attrib, tag=case.tag, children=str(len(case)))
      for child in case:
        found.update(outcome=child.tag, message=child.attrib["message"], text=child.text)
      cases.append(found)
    print(json.dumps({"counts": suite.attrib, "cases": cases}))
    """
  let result = try runProgram(
    URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, file.path], stdin: "")
  #expect(result.status == 0, "\(result.stderr)")
  let object = try #require(
    try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any])
  return (
    try #require(object["counts"] as? [String: String]),
    try #require(object["cases"] as? [[String: String]])
  )
}

@Suite struct JUnitEndToEndTests {
  private func run(_ expectations: String, _ file: URL) throws -> ProgramResult {
    try runPushsim(
      ["run", news] + small + ["--quiet", "--junit", file.path, "--set", "expect=\(expectations)"])
  }

  // With one replication there is no interval, and nothing is decided.
  @Test func `a test case says of each expectation what the exit status says of all`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "junit.xml")
      let met = "{strategy: push_hourly, metric: delivered, at_least: 1 %}"
      let missed = "{strategy: push_hourly, metric: delivered, at_most: 1 %, source: a test}"
      let all = try run("[\(met), \(missed)]", file)
      #expect(all.status == 1)
      var report = try parse(file)
      #expect(report.counts["tests"] == "2" && report.counts["failures"] == "1")
      #expect(report.counts["errors"] == "0" && report.counts["name"] == "news_feed")
      #expect(report.cases.map { $0["outcome"] } == [nil, "failure"])
      #expect(report.cases.allSatisfy { $0["classname"] == "news_feed.guide" })
      #expect(report.cases.map { $0["name"] }.last == "push_hourly delivered at most 1.0 %")
      #expect(report.cases.last?["message"]?.hasPrefix("observed ") == true)
      #expect(report.cases.last?["text"]?.contains("source: a test") == true)

      #expect(try run("[\(met)]", file).status == 0)
      #expect(try parse(file).counts["failures"] == "0")

      let one = small.map { $0 == "2" ? "1" : $0 }
      let undecided = try runPushsim(
        ["run", news] + one + ["--quiet", "--junit", file.path, "--set", "expect=[\(met)]"])
      #expect(undecided.status == 75, "\(undecided.stderr)")
      report = try parse(file)
      #expect(report.counts["errors"] == "1" && report.counts["failures"] == "0")
      #expect(report.cases.map { $0["outcome"] } == ["error"])

      // Both: what was missed weighs more than what is undecided.
      let unknown = "{strategy: on_open_only, metric: delivered, at_least: 1 %}"
      #expect(try run("[\(unknown), \(missed)]", file).status == 1)
      #expect(try parse(file).cases.map { $0["outcome"] } == ["error", "failure"])
    }
  }

  @Test func `without expectations the report has no case, and is one all the same`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "junit.xml")
      #expect(try run("[]", file).status == 0)
      let report = try parse(file)
      #expect(report.cases.isEmpty && report.counts["tests"] == "0")
    }
  }

  @Test func `names that look like XML stay names`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "junit.xml")
      let name = #"<a href=\"x\">&amp; ]]> 'q' \u00e9\t\u0007\n</testcase>"#
      let read = "<a href=\"x\">&amp; ]]> 'q' \u{e9}\t\u{FFFD}\n</testcase>"
      let result = try runPushsim(
        ["run", news] + small + [
          "--quiet", "--junit", file.path, "--set", "scenario=\"\(name)\"", "--set",
          "expect=[{strategy: push_hourly, metric: delivered, at_most: 1 %, source: \"\(name)\"}]",
        ])
      #expect(result.status == 1, "\(result.stderr)")
      let report = try parse(file)
      #expect(report.counts["name"] == read)
      #expect(report.cases.count == 1 && report.cases.first?["children"] == "1")
      #expect(report.cases.first?["classname"] == read + ".guide")
      #expect(report.cases.first?["text"]?.hasSuffix("source: " + read) == true)
    }
  }

  @Test func `a report that cannot be written is an error, and no part of it is left`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "missing/junit.xml")
      let result = try run("[]", file)
      #expect(result.status == 74)
      #expect(result.stderr.contains("cannot write"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
