import Experiments
import Quantities

/// Texts about what a whole scenario means, beside those about its form.
extension Messages {
  static func noSuchProfile(_ kind: String, _ name: String, _ span: SourceSpan, known: [String]) -> Diagnostic
  {
    Diagnostic(
      span, "there is no \(kind) \(quoted(name))", expected: known.isEmpty ? "a file's name" : oneOf(known),
      got: quoted(name),
      help: Suggestion.best(for: name, among: known).map { "did you mean \(quoted($0))?" })
  }

  static func profileInCircle(_ kind: String, _ name: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the \(kind) \(quoted(name)) is based on itself")
  }

  static func wrongProfileForm(_ kind: String, _ node: YAMLNode) -> Diagnostic {
    wrongForm(quoted(kind), node, expected: "the name of a \(kind), a mapping, or `{base: NAME, set: {…}}`")
  }

  static func noUncertainParameter(_ pattern: String, _ node: YAMLNode, known: [String]) -> Diagnostic {
    Diagnostic(
      node.span, "no parameter with a prior fits \(quoted(pattern))",
      expected: "a path such as `policy.hourly_budget.limit` or `population.settings.*`",
      got: quoted(pattern),
      help: Suggestion.best(for: pattern, among: known).map { "did you mean \(quoted($0))?" })
  }

  static func noPolicies(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the list of policies is empty", expected: "at least one policy, such as `guide`")
  }

  static func policyTwice(_ name: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "the policy \(quoted(name)) stands twice in the list",
      help: node.scalar != nil
        ? "remove one of the two"
        : "give the changed one a name, in a file of its own that starts with `policy: NAME` and `base: \(name)`"
    )
  }

  static func surroundingsMoved(_ span: SourceSpan) -> Diagnostic {
    var diagnostic = Diagnostic(
      span, "`policy.surroundings` is read as `population.surroundings`",
      help: "write it under `population`: what happens around the app is the same under every policy")
    diagnostic.severity = .warning
    return diagnostic
  }

  static func surroundingsDiffer(_ path: String, _ span: SourceSpan, values: [String]) -> Diagnostic {
    Diagnostic(
      span, "the policies of one run differ in \(quoted(path))",
      expected: "one value, as \(quoted("population.\(path)"))", got: values.joined(separator: ", "),
      help: "policies that are compared need the same surroundings: the radio is shared with them")
  }

  static func sharesDoNotAddUp(
    _ span: SourceSpan, _ label: String, sum: Double, parts: [(name: String, share: Double)] = [],
    help: String? = nil
  ) -> Diagnostic {
    func text(_ share: Double) -> String { Quantity.format(share, .proportion, digits: 6) }
    let parts = parts.map { "\($0.name) \(text($0.share))" }.joined(separator: ", ")
    return Diagnostic(
      span, "the shares of \(label) do not add up", expected: "shares that add up to 100 %",
      got: text(sum) + (parts.isEmpty ? "" : ": \(parts)"), help: help)
  }

  /// - Parameters:
  ///   - table: what stands before the table's paths on the command line.
  ///   - other: a share that nobody changed.
  static func sharesDoNotAddUp(
    _ group: ShareGroup, _ span: SourceSpan, _ shares: [(name: String, share: Double)], table: String,
    other: String?
  ) -> Diagnostic {
    let isOption = span.source.origin == .commandLine
    func write(_ value: String) -> String {
      isOption ? "`--set \(table).\(group.rest)=\(value)`" : "`\(group.rest): \(value)`"
    }
    return sharesDoNotAddUp(
      span, quoted(group.label), sum: shares.reduce(0) { $0 + $1.share }, parts: shares,
      help: other.map {
        "add \(write("scaled")) to scale the other shares to what is left, or \(write($0)) to give `\($0)` all of it"
      })
  }

  /// - Parameter what: `pushes to a device in a run`.
  static func tooMany(_ what: String, _ count: Double, _ most: Double, _ span: SourceSpan) -> Diagnostic {
    func millions(_ count: Double) -> String { "\(decimalText((count / 1e6).rounded())) million" }
    return Diagnostic(
      span, "there are too many \(what)", expected: "at most \(millions(most))",
      got: "about \(millions(count))", help: "send less often, or simulate a shorter time")
  }

  static func restIsNamed(_ group: ShareGroup, _ name: String, _ node: YAMLNode, at span: SourceSpan)
    -> Diagnostic
  {
    Diagnostic(
      node.span, "\(quoted(group.rest)) names \(quoted(name)), whose share is given",
      expected: "`scaled`, or a share that is not given here",
      notes: [Diagnostic.Note(place: .at(span), text: "its share is given here")])
  }

  static func policyNotTheScenarios(
    _ name: String, _ span: SourceSpan, changed: String, at place: SourceSpan, canMove: Bool
  ) -> Diagnostic {
    Diagnostic(
      span, "the scenario sets values in the policy \(quoted(changed)), and \(quoted(name)) is another one",
      expected: quoted(changed),
      help: "`--set policy=\(name)` runs \(quoted(name)) without the scenario's values"
        + (canMove ? ", `--set policy.base=\(name)` with them" : ""),
      notes: [Diagnostic.Note(place: .at(place), text: "it sets them here")])
  }

  static func policiesChosenTwice(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "`--policy` chooses the policies as well", expected: "one of the two",
      help: "leave out `--policy`")
  }

  static func noStrategies(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "the scenario has no strategy", expected: "at least one, such as `hourly: {background_push: …}`")
  }

  static func noMechanism(_ name: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "the strategy \(quoted(name)) has no mechanism",
      expected: "`background_push`, `sync_on_open` or both",
      help: "write `sync_on_open: {}` for a strategy that only loads what is new when the app is opened")
  }

  static func nothingToAcknowledge(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "`unacknowledged` needs silent pushes to acknowledge",
      expected: "`background_push` in the strategy")
  }

  static func alertShowsNothing(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "an alert push has nothing to show",
      expected: "`alert`, `sound` or `badge` among the keys of `aps`")
  }

  static func unknownStrategy(_ name: String, _ span: SourceSpan, known: [String]) -> Diagnostic {
    Diagnostic(
      span, "there is no strategy \(quoted(name))", expected: oneOf(known), got: quoted(name),
      help: Suggestion.best(for: name, among: known).map { "did you mean \(quoted($0))?" })
  }

  static func unknownMetric(_ name: String, _ span: SourceSpan, known: [String]) -> Diagnostic {
    Diagnostic(
      span, "there is no metric \(quoted(name))", expected: oneOf(known), got: quoted(name),
      help: Suggestion.best(for: name, among: known).map { "did you mean \(quoted($0))?" })
  }

  static func tooFewHaveMetric(_ name: String, _ span: SourceSpan, count: Int, atLeast: Int) -> Diagnostic {
    Diagnostic(
      span, "\(count == 0 ? "no strategy" : "only one strategy") here has the metric \(quoted(name))",
      expected: atLeast == 1 ? "a metric that the strategy has" : "a metric of at least two strategies")
  }

  static func leastAboveMostReplications(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "`max_replications` must not be below `min_replications`")
  }

  static func noBaseline(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "there is no baseline to compare with", expected: "`baseline: NAME` in `experiment`",
      help: "write `against: all_pairs` to compare each strategy with each")
  }

  static func emptyBand(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the first value of `within` is above the second")
  }

  static func leastAboveMost(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "`at_most` must not be below `at_least`")
  }

  static func noBand(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the expectation states no bound", expected: "`within`, `at_least` or `at_most`")
  }

  static func bandTwice(_ key: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "`within` already states both bounds", help: "leave out \(quoted(key))")
  }

  static func notAscending(_ label: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "the times of \(label) are not in order", expected: "times in ascending order, none twice")
  }

  static func allWeightsZero(_ label: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the numbers of \(label) are all 0", expected: "at least one hour with a weight above 0")
  }

  static func notATimeOfDay(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "\(label) is not a time of day",
      expected: "a time from `\"00:00\"` to `\"23:59\"`, two digits each, such as `\"07:30\"`", got: got(node)
    )
  }

  static func jitterTooLong(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "`jitter` is longer than the interval",
      expected: "at most the value of `every`, so that sends keep their order")
  }

  static func onlyWithEvery(_ key: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "\(quoted(key)) goes with `every` only")
  }

  static func activityWithoutType(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "`activity` goes with `type: liveactivity` only",
      help: "add `type: liveactivity`, or leave `activity` out")
  }

  static func wrongSend(_ node: YAMLNode) -> Diagnostic {
    let text = node.scalar ?? ""
    let isInterval = (try? Quantity.parse(text))?.dimension == .time
    let meant =
      isInterval
      ? "{every: \(text)}" : Suggestion.best(for: text, among: ["each_update"])
    return Diagnostic(
      node.span.firstLine, "`send` has the wrong form",
      expected: "`each_update` or a mapping such as `{every: 1 h}`", got: got(node),
      help: meant.map { "did you mean \(quoted($0))?" })
  }

  static func eachUpdateWithoutContent(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "`each_update` needs updates", expected: "`content: {updates: …}` in the scenario")
  }

  static func wrongPriority(_ node: YAMLNode) -> Diagnostic {
    // Numbers are not misspelt: no suggestion.
    Diagnostic(
      node.span, "`priority` has an unknown value", expected: oneOf(["10", "5", "1"]), got: got(node))
  }

  static func wrongStatus(_ label: String, _ node: YAMLNode, valid: [String]) -> Diagnostic {
    Diagnostic(node.span, "\(label) has an unknown value", expected: oneOf(valid), got: got(node))
  }

  static func wrongExpiration(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span, "`expiration` has an unknown value", expected: "`absent`, `0` or a duration such as `1 h`",
      got: got(node),
      help: Suggestion.best(for: node.scalar ?? "", among: ["absent"]).map { "did you mean \(quoted($0))?" })
  }

  static func wrongSeed(_ node: YAMLNode) -> Diagnostic {
    outOfRange("`seed`", node, expected: "a whole number from 0 to \(UInt64.max)")
  }

  static func collapseIDTooLong(_ span: SourceSpan, bytes: Int) -> Diagnostic {
    Diagnostic(span, "`collapse_id` is too long", expected: "at most 64 bytes", got: "\(bytes) bytes")
  }

  static func exactlyOneEvent(_ span: SourceSpan, got: [String]) -> Diagnostic {
    Diagnostic(
      span, "an entry of `timeline` says `at` and one thing that happens",
      expected: oneOf(ScenarioKeys.entry.names.filter { $0 != "at" }),
      got: got.isEmpty ? "nothing" : list(got, "and"))
  }

  static func onlyTrue(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span, "\(label) has an unknown value", expected: "`true`: it happens at that time", got: got(node))
  }

  static func timelineAfterEnd(_ span: SourceSpan, end: Double) -> Diagnostic {
    var diagnostic = Diagnostic(span, "this is after the end of the run and will not happen")
    diagnostic.severity = .warning
    diagnostic.expected = "a time up to \(Quantity.format(end, .time))"
    return diagnostic
  }
}

// MARK: - Sweeps

extension Messages {
  static func noSweep(_ name: String) -> Diagnostic {
    Diagnostic(
      .error, .file(name), "the scenario has no `sweep`, so nothing is varied",
      expected: "a key such as `sweep: {experiment.devices: [100, 200]}`",
      help: "or say what to vary with `--over 'PATH=V1,V2,…'`")
  }

  static func sweptValueTwice(_ text: String, _ span: SourceSpan, first: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "the value \(quoted(text)) stands twice", help: "remove one of the two",
      notes: [Diagnostic.Note(place: .at(first), text: "it stands here first")])
  }

  static func endIsNoQuantity(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(node.span, "\(label) is no quantity", expected: "a number with its unit", got: got(node))
  }

  static func endsDoNotSpan(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "`from` and `to` are no range",
      expected: "two different values of the same kind, such as `{from: 10 min, to: 1 h, steps: 6}`",
      got: quoted(node.flowText))
  }

  static func wrongNumberOfInputs(_ count: Int, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "a sweep varies one or two inputs", got: "\(count)",
      help: count > Sweep.mostInputs ? "make several sweeps; one file of results can keep them all" : nil)
  }

  static func cannotBeSwept(_ path: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "\(quoted(path)) cannot be swept",
      help: path.hasPrefix("experiment")
        ? "points can be compared because they share seed, replications and confidence" : nil)
  }

  static func sweptTwice(_ path: String, _ span: SourceSpan, first: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "\(quoted(path)) is swept twice, or is part of the other input", help: "remove one of the two",
      notes: [Diagnostic.Note(place: .at(first), text: "the other one is written here")])
  }

  static func tooManyPoints(_ count: Int, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "a sweep has at most \(Sweep.mostPoints) points", got: "\(count)",
      help: "take fewer values; each point is a run of its own")
  }
}
