import Experiments
import Reporting
import ScenarioDecoding

/// All that is known of a command but what it does: the parser, help pages, usage lines, the manual and completions are
/// made of it.
struct CommandDescription {
  /// An option as texts name it.
  struct Option {
    let name: String
    let placeholder: String?
    let isRequired: Bool
    let mayRepeat: Bool
    let summary: String
    let hint: ValueHint

    /// `--seed N`
    var usage: String { placeholder.map { "\(name) \($0)" } ?? name }
  }

  /// One line for the overview.
  let summary: String
  let operands: Operands
  /// What a shell may offer as an operand.
  let operandHint: ValueHint
  let options: [Option]
  /// Sentences below the options, in lines of 80 columns; empty if there is nothing to say.
  let notes: String
  /// Command lines, which may go on after a backslash.
  let examples: [String]
  let parse: ([String]) throws(UsageError) -> Command

  /// - Parameter make: the command of the operands, whose number has been checked, and the options.
  init<Options: CommandOptions>(
    _ name: CommandName, _ type: Options.Type, _ summary: String, operands: Operands = Options.operands,
    hint: ValueHint? = nil, notes: String = "", examples: [String] = [],
    make: @escaping (_ operands: [String], _ options: inout Options) throws(UsageError) -> Command
  ) {
    self.summary = summary
    self.operands = operands
    operandHint = hint ?? (operands == .none ? .nothing : .files)
    options = Options.table.map {
      Option(
        name: $0.name, placeholder: $0.placeholder, isRequired: $0.isRequired, mayRepeat: $0.mayRepeat,
        summary: $0.summary, hint: $0.hint)
    }
    self.notes = notes
    self.examples = examples
    parse = { arguments throws(UsageError) in
      try Command.scan(name, operands, arguments, into: Options(), make: make)
    }
  }
}

extension CommandName {
  var description: CommandDescription {
    switch self {
    case .run: .run
    case .sweep: .sweep
    case .runs: .runs
    case .sensitivity: .sensitivity
    case .report: .report
    case .compare: .compare
    case .explain: .explain
    case .diagnose: .diagnose
    case .check: .check
    case .policy: .policy
    case .factors: .factors
    case .metrics: .metrics
    case .keys: .keys
    case .schema: .schema
    case .new: .new
    case .completion: .completion
    case .help: .help
    case .version: .version
    }
  }
}

// MARK: - Simulating

extension CommandDescription {
  fileprivate static var run: Self {
    Self(
      .run, RunOptions.self, "run a scenario and report what became of its pushes",
      notes: """
        Results go to standard output, progress and diagnostics to standard error. The
        scenario `-` is read from standard input. No output may be a file that is read,
        or that another output goes to. --output replaces the results of an earlier run
        in DIR, as a whole, and leaves other files there alone.
        With --store, a study of uncertainty that was stopped goes on where it was when
        the same command is given again.
        """,
      examples: ["pushsim run Scenarios/news_feed.yaml --set policy.hourly_budget.limit='2 /h'"]
    ) { operands, options in
      options.scenario = operands[0]
      return .run(options)
    }
  }

  fileprivate static var sweep: Self {
    Self(
      .sweep, SweepOptions.self, "run a scenario at several values of one or two of its keys",
      notes: """
        Without --over the scenario's own `sweep` is run. All values are checked before
        anything runs. With --store, a sweep that was stopped goes on where it was when
        the same command is given again. Expectations are not judged.
        """,
      examples: [
        """
        pushsim sweep Scenarios/news_feed.yaml --store results.sqlite \\
          --over 'strategies.push_hourly.background_push.send.every=20 min,1 h,4 h'
        """
      ]
    ) { operands, options in
      options.scenario = operands[0]
      return .sweep(options)
    }
  }

  fileprivate static var sensitivity: Self {
    Self(
      .sensitivity, SensitivityOptions.self,
      "find what a metric depends on and what turns a ranking round",
      notes: """
        Parameters move over what is plausible of them: from 5 % to 95 % of each prior
        one at a time and in Morris's design, over all of it for Sobol indices.
        With --store, a study that was stopped goes on where it was when the same
        command is given again.
        """,
      examples: ["pushsim sensitivity Scenarios/news_feed.yaml --metric fresh_open --devices 200"]
    ) { operands, options in
      options.scenario = operands[0]
      return .sensitivity(options)
    }
  }

  fileprivate static var explain: Self {
    Self(
      .explain, ExplainOptions.self, "show one device's days: every push, the verdicts on it, its fate",
      notes: """
        Without --push, --day, --fate, --undelivered or --full: a line for each day.
        """,
      examples: [
        "pushsim explain Scenarios/news_feed.yaml --device 17 --undelivered",
        "pushsim explain Scenarios/news_feed.yaml --device 17 --push 10",
      ]
    ) { operands, options in
      options.scenario = operands[0]
      return .explain(options)
    }
  }
}

// MARK: - Looking at results

extension CommandDescription {
  fileprivate static var runs: Self {
    Self(
      .runs, RunsOptions.self, "list the runs of a file of results, show one, or compare two",
      examples: ["pushsim runs results.sqlite 1 2"]
    ) { operands, options throws(UsageError) in
      options.file = operands[0]
      for operand in operands.dropFirst() {
        guard let id = Int(operand), id > 0 else {
          throw UsageError(.runs, .notAWholeNumber(option: "RUN", value: operand))
        }
        options.ids.append(id)
      }
      return .runs(options)
    }
  }

  fileprivate static var report: Self {
    Self(
      .report, ReportOptions.self, "render a result as page and tables again, without simulating",
      notes: "The result is that of `pushsim run --json FILE`, or result.json of `--output`."
    ) { operands, options in
      options.result = operands[0]
      return .report(options)
    }
  }

  fileprivate static var compare: Self {
    Self(
      .compare, CompareOptions.self, "show how two results differ",
      notes: """
        Differences are the second result minus the first, which is the baseline. A
        CONDITION is a metric, perhaps `of STRATEGY`, then >=, <=, > or <, and a value
        or `baseline`, perhaps `+ VALUE`, `- VALUE` or `* NUMBER`. The exit status is 1
        if one comes true, and 75 if an interval cannot tell.
        """,
      examples: [
        "pushsim compare result.json --keep main",
        """
        pushsim compare result.json --with main \\
          --fail-if 'fresh_open < baseline - 2 %'
        """,
      ]
    ) { operands, options in
      options.results = operands
      return .compare(options)
    }
  }

  fileprivate static var diagnose: Self {
    Self(
      .diagnose, DiagnoseOptions.self, "read a device's log: what became of its pushes, and why",
      notes: """
        Reads copies of Console, `idevicesyslog`, `log show` in its styles, Xcode's
        console and crash reports, packed by gzip or zstd or not; `-` is standard input.
        Documentation/Diagnose.md says how to capture one and what it cannot show.
        """,
      examples: ["pushsim diagnose device.log --app com.example.news"]
    ) { operands, options in
      options.logs = operands
      return .diagnose(options)
    }
  }
}

// MARK: - Files and references

extension CommandDescription {
  fileprivate static var check: Self {
    Self(
      .check, CheckOptions.self, "read and validate scenarios; run nothing",
      notes: "The scenario `-` is read from standard input."
    ) { operands, options in
      options.scenarios = operands
      return .check(options)
    }
  }

  fileprivate static var new: Self {
    Self(
      .new, NewOptions.self, "write a first scenario with comments",
      notes: """
        Without a name the scenario goes to standard output. Without an option a
        terminal is asked for everything; elsewhere the defaults count. A file of that
        name stays as it is, unless --force is given.
        questions: \(StartingScenario.Question.allCases.map(\.rawValue).joined(separator: ", "))
        mechanisms: \(StartingScenario.Mechanism.allCases.prefix(4).map(\.rawValue).joined(separator: ", ")),
          \(StartingScenario.Mechanism.allCases.dropFirst(4).map(\.rawValue).joined(separator: ", "))
        """,
      examples: ["pushsim new feed --question freshness --updates '12 /day'"]
    ) { operands, options in
      options.name = operands.first
      return .new(options)
    }
  }

  fileprivate static var policy: Self {
    Self(
      .policy, NoOptions.self, "print a policy's parameters with their evidence and sources",
      operands: .optional("NAME"), hint: .policies
    ) { operands, _ in .policy(name: operands.first) }
  }

  fileprivate static var factors: Self {
    Self(.factors, NoOptions.self, "list the policy factors and their parameters") { _, _ in .factors }
  }

  fileprivate static var metrics: Self {
    Self(.metrics, NoOptions.self, "list the metrics with their units and meanings") { _, _ in .metrics }
  }

  fileprivate static var keys: Self {
    let files = KeyReference.File.allCases.map(\.rawValue)
    return Self(
      .keys, NoOptions.self, "list the keys of scenario, population or policy files",
      operands: .optional(files.joined(separator: "|")), hint: .words(files),
      notes: """
        A path is what --set takes. NAME stands for a name that the author chooses, and
        `[]` for the items of a list, which --set gives as a whole.
        """,
      examples: ["pushsim keys policy"]
    ) { operands, _ throws(UsageError) in
      .keys(try word(operands.first, "FILE", of: .keys) ?? .scenario)
    }
  }

  fileprivate static var schema: Self {
    let files = SchemaFile.allCases.map(\.rawValue)
    return Self(
      .schema, NoOptions.self, "print the JSON Schema of a kind of file",
      operands: .optional(files.joined(separator: "|")), hint: .words(files),
      notes: "For editors and other checkers; Documentation/Editing.md says how.",
      examples: ["pushsim schema scenario > pushsim-scenario.schema.json"]
    ) { operands, _ throws(UsageError) in
      .schema(try word(operands.first, "FILE", of: .schema) ?? .scenario)
    }
  }

  fileprivate static var completion: Self {
    let shells = Completion.Shell.allCases.map(\.rawValue)
    return Self(
      .completion, NoOptions.self, "print what makes a shell complete commands and options",
      operands: .one(shells.joined(separator: "|")), hint: .words(shells),
      notes: """
        bash: put `source <(pushsim completion bash)` into ~/.bashrc.
        zsh: write it into the file _pushsim of a folder of $fpath, before compinit.
        fish: write it into ~/.config/fish/completions/pushsim.fish.
        """,
      examples: ["pushsim completion bash > pushsim.bash"]
    ) { operands, _ throws(UsageError) in
      .completion(try word(operands[0], "SHELL", of: .completion) ?? .bash)
    }
  }

  fileprivate static var help: Self {
    let commands = CommandName.allCases.map(\.rawValue)
    return Self(
      .help, HelpOptions.self, "explain a command", hint: .words(commands),
      examples: ["pushsim help run", "pushsim help --man > pushsim.1"]
    ) { operands, options throws(UsageError) in
      if options.isManual {
        if let topic = operands.first { throw UsageError(.help, .unexpectedArgument(topic)) }
        return .manual
      }
      guard let topic = operands.first else { return .help(nil) }
      guard let command = CommandName(rawValue: topic) else {
        throw UsageError(.help, .unknownCommand(topic))
      }
      return .help(command)
    }
  }

  fileprivate static var version: Self {
    Self(.version, NoOptions.self, "print the version") { _, _ in .version }
  }

  /// The word that an operand is; nil without one.
  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ name: String, of command: CommandName
  ) throws(UsageError) -> Word? {
    guard let text else { return nil }
    guard let word = Word(rawValue: text) else {
      throw UsageError(command, .notOneOf(name, text, of: Word.allCases.map(\.rawValue)))
    }
    return word
  }
}
