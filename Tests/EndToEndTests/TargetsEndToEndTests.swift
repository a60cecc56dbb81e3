import Foundation
import Testing

/// Files that a command reads and writes.
@Suite struct TargetsEndToEndTests {
  private static let brief =
    "--devices 2 --replications 2 --set experiment.duration=1d --set experiment.warm_up=6h --quiet"

  private func shell(_ folder: URL, _ script: String, stdin: String = "") throws -> ProgramResult {
    try runShell("cd '\(folder.path)' || exit; brief='\(Self.brief)'; \(script)", stdin: stdin)
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  /// A folder with a scenario that names a table and a policy, and links to it.
  private func withScenario(_ body: (URL) throws -> Void) throws {
    try withFolder { folder in
      let text = """
        scenario: small
        question: What is written where?
        policy: mine.yaml
        app: {handler: {duration: {empirical: {file: times.csv, column: seconds, unit: s}}}}
        content: {updates: {every: 6 h}}
        strategies:
          hourly: {background_push: {send: {every: 1 h}}}
          daily: {background_push: {send: {every: 24 h}}}
          open: {sync_on_open: {}}

        """
      try text.write(to: folder.appending(path: "s.yaml"), atomically: true, encoding: .utf8)
      try "policy: mine\nbase: guide\n".write(
        to: folder.appending(path: "mine.yaml"), atomically: true, encoding: .utf8)
      try "seconds\n1\n2\n3\n".write(
        to: folder.appending(path: "times.csv"), atomically: true, encoding: .utf8)
      let links = try shell(folder, "ln s.yaml hard; ln -s s.yaml soft; mkdir full; ln -s . here")
      #expect(links.status == 0)
      try body(folder)
    }
  }

  @Test(arguments: [
    "nodir/x.yaml", "nodir/../x.yaml", "./no/dir/x.yaml", "x.yaml",
  ]) func `a relative path that leads nowhere ends every command at once`(path: String) throws {
    try withFolder { folder in
      for command in [
        "run \(path)", "check \(path)", "sweep \(path)", "explain \(path) --device 0",
        "sensitivity \(path) --metric delivered",
      ] {
        let result = try shell(folder, "PATH=\(products.path):$PATH; timeout 20 pushsim \(command)")
        #expect(result.status == 66, "\(command)")
        #expect(result.stderr == "\(path): error: cannot read the file: No such file or directory\n")
      }
      let new = try shell(folder, "PATH=\(products.path):$PATH; timeout 20 pushsim new no/feed")
      #expect(new.status == 74)
      #expect(new.stderr == "pushsim: error: cannot write `no/feed.yaml`: No such file or directory\n")
      // In a folder that is gone.
      let gone = try shell(
        folder, "PATH=\(products.path):$PATH; mkdir d; cd d; rmdir ../d; timeout 20 pushsim check x.yaml")
      #expect(gone.status == 66)
      #expect(
        try shell(
          folder, "PATH=\(products.path):$PATH; mkdir d; cd d; rmdir ../d; timeout 20 pushsim policy guide"
        )
        .status == 0)
    }
  }

  @Test(arguments: [
    ("--json s.yaml", "`--json` would write over `s.yaml`, which the command reads"),
    ("--json hard", "`--json` would write over `s.yaml`, which the command reads"),
    ("--junit soft", "`--junit` would write over `s.yaml`, which the command reads"),
    ("--junit here/here/mine.yaml", "`--junit` would write over `mine.yaml`, which the command reads"),
    ("--json times.csv", "`--json` would write over `times.csv`, which the command reads"),
    ("--store times.csv", "`--store` would write over `times.csv`, which the command reads"),
    ("--json x --junit x", "`--json` and `--junit` would both write to `x`"),
    ("--json x --junit here/x", "`--json` and `--junit` would both write to `here/x`"),
    ("--store x --json ./x", "`--json` and `--store` would both write to `x`"),
    ("--json - --junit -", "standard output cannot hold both `--json` and `--junit`"),
    ("--output D --json D/result.json", "`--json` and `--output` would both write to `D/result.json`"),
    (
      "--output full --json here/full/fates.csv",
      "`--json` and `--output` would both write to `here/full/fates.csv`"
    ),
    ("--output D --json D", "`--json` and `--output` would both write to `D`"),
    ("--json out.txt > out.txt", "standard output and `--json` would both write to `out.txt`"),
  ]) func `no target is an input or another target`(options: String, words: String) throws {
    try withScenario { folder in
      let before = try names(folder)
      let result = try shell(folder, "pushsim run s.yaml $brief \(options)")
      #expect(result.status == 64, "\(result.status)")
      #expect(result.stderr == "pushsim: error: \(words)\n")
      #expect(try names(folder).filter { $0 != "out.txt" } == before)
    }
  }

  @Test func `an output folder does not replace a table that the run reads`() throws {
    try withScenario { folder in
      let result = try shell(
        folder, "ln times.csv full/metrics.csv; pushsim run s.yaml $brief --output full; ls full")
      #expect(result.stdout == "metrics.csv\n")
      #expect(result.stderr.contains("`--output` would write over `times.csv`, which the command reads"))
    }
  }

  @Test func `other commands keep their targets apart too`() throws {
    try withScenario { folder in
      let clash = try shell(
        folder, "pushsim sweep s.yaml $brief --over app.handler.duration=1s,2s --csv x --json x")
      #expect(clash.status == 64 && clash.stderr.contains("`--csv` and `--json` would both write to `x`"))
      let study = try shell(folder, "pushsim sensitivity s.yaml --metric delivered --json s.yaml")
      #expect(study.status == 64 && study.stderr.contains("`--json` would write over `s.yaml`"))
      let kept = try shell(folder, "pushsim run s.yaml $brief --store r; pushsim runs r --json r")
      #expect(kept.status == 64)
      #expect(kept.stderr.hasSuffix("`--json` would write over `r`, which the command reads\n"))
      let report = try shell(
        folder, "pushsim run s.yaml $brief --json report.html; pushsim report report.html --output .")
      #expect(report.status == 64)
      #expect(report.stderr.hasSuffix("`--output` would write over `report.html`, which the command reads\n"))
    }
  }

  @Test(arguments: ["--json no/x", "--junit no/x", "--store no/x", "--output s.yaml/x", "--json full"])
  func `a target that cannot be written is found before the work`(options: String) throws {
    try withScenario { folder in
      // Were it run, it would take hours.
      let result = try shell(
        folder,
        "PATH=\(products.path):$PATH; timeout 20 pushsim run s.yaml --devices 1000000 --quiet \(options)")
      #expect(result.status == 74, "\(result.status) \(result.stderr)")
    }
  }

  @Test func `a target that fails after the work takes no other with it`() throws {
    try withScenario { folder in
      let result = try shell(
        folder, "pushsim run s.yaml $brief --json /dev/full --junit j.xml --output out --store r")
      #expect(result.status == 74)
      #expect(result.stderr.contains("cannot write `/dev/full`: No space left on device"))
      #expect(try names(folder).contains("out/result.json"))
      #expect(try names(folder).contains("j.xml"))
      #expect(try shell(folder, "pushsim runs r").stdout.contains("finished"))
    }
  }

  @Test func `a folder holds the files of one run, and what is not ours stays`() throws {
    try withScenario { folder in
      let runs = try shell(
        folder,
        """
        pushsim run s.yaml $brief --output out || exit
        ls out > before
        echo mine > out/notes.txt; mkdir out/apns_metrics.mine.csv.d
        pushsim run s.yaml $brief --strategy hourly --output out || exit
        pushsim run s.yaml $brief --strategy hourly --output alone --json alone/all.json || exit
        rm alone/all.json
        diff -r out alone
        """)
      #expect(
        runs.stdout == "Only in out: apns_metrics.mine.csv.d\nOnly in out: notes.txt\n", "\(runs.stderr)")
      let before = try String(contentsOf: folder.appending(path: "before"), encoding: .utf8)
      #expect(before.contains("apns_metrics.daily.csv"))
    }
  }

  @Test func `a folder that cannot be written whole stays as it was`() throws {
    try withScenario { folder in
      // A folder stands where the page has to go: found before anything is replaced.
      let result = try shell(
        folder,
        """
        pushsim run s.yaml $brief --output out || exit
        rm out/report.html; mkdir out/report.html; cp -r out copy
        pushsim run s.yaml $brief --seed 2 --output out; echo $?
        diff -r out copy && ls -A out | grep tmp
        """)
      #expect(result.stdout == "74\n")
      #expect(result.stderr == "pushsim: error: cannot write `out/report.html`: Is a directory\n")
    }
  }

  @Test func `a dash reads the scenario from standard input, and JUnit goes to standard output`() throws {
    try withScenario { folder in
      let text = try String(contentsOf: folder.appending(path: "s.yaml"), encoding: .utf8)
      #expect(try shell(folder, "pushsim check -", stdin: text).stdout.hasPrefix("-: small is valid"))
      let piped = try shell(folder, "pushsim run - $brief --json -", stdin: text).stdout
      #expect(piped.contains(#""strategies""#))
      #expect(try shell(folder, "pushsim explain - --device 0", stdin: text).status == 0)
      let bad = try shell(folder, "pushsim check -", stdin: text + "typo: 1\n")
      #expect(bad.status == 65 && bad.stderr.hasPrefix("-:10:1: error: unknown key `typo`"))
      let junit = try shell(folder, "pushsim run s.yaml ${brief% --quiet} --junit -; ls -- - 2>&1")
      #expect(junit.stdout.hasPrefix("<?xml") && junit.stdout.contains("</testsuites>\nls: "))
    }
  }

  @Test func `a quiet run says which expectation was missed`() throws {
    try withScenario { folder in
      let impossible = "{strategy: hourly, metric: delivered, at_most: 0 %}"
      for options in ["--quiet", "--json -"] {
        let result = try shell(
          folder,
          "pushsim run s.yaml --devices 40 --replications 4 --set experiment.duration=1d "
            + "--set experiment.warm_up=6h \(options) --set 'expect=[\(impossible)]'")
        #expect(result.status == 1, "\(result.stderr)")
        #expect(result.stderr.hasPrefix("pushsim: missed: hourly delivered at most 0.0 %; observed "))
      }
    }
  }

  @Test func `a file of nothing has a place, and so has one that is too large`() throws {
    try withScenario { folder in
      let empty = try shell(folder, ": > times.csv; pushsim check s.yaml")
      #expect(
        empty.status == 65 && empty.stderr.hasPrefix("times.csv:1:1: error: the file holds no values\n"))
      let headings = try shell(folder, "echo 'x,seconds' > times.csv; pushsim check s.yaml")
      #expect(headings.stderr.hasPrefix("times.csv:1:3: error: the file holds no values\n"))
      let blank = try shell(folder, ": > e.yaml; pushsim check e.yaml")
      #expect(blank.status == 65 && blank.stderr.hasPrefix("e.yaml:1:1: error: the file is empty\n"))
      let large = try shell(folder, "truncate -s 5M mine.yaml; pushsim check s.yaml")
      #expect(large.status == 65)
      #expect(large.stderr.hasPrefix("s.yaml:3:9: error: `mine.yaml` is larger than 4 MiB\n"))
    }
  }
}
