import PushPolicy

extension StoryBuilder {
  static let mostHolds = 40

  mutating func takeEvaluation(_ text: Bytes, _ context: RecordContext, _ record: RecordText) {
    guard let activity = ActivityName.find(in: text), let index = story(activity, context) else { return }
    let evaluation = Evaluation.parse(text, from: activity.end)
    stories[index].wasEvaluated = true
    for policy in evaluation.policies { stories[index].add(record.line(of: policy.start)) }
    stories[index].add(context.lastLine)
    if evaluation.isHeadOnly, evaluation.final == nil { stories[index].isFiltered = true }
    if !evaluation.isWhole, evaluation.unknown.isEmpty { stories[index].isTruncated = true }
    for code in evaluation.unknown where stories[index].unknownCodes.count < 5 {
      if !stories[index].unknownCodes.contains(code) { stories[index].unknownCodes.append(code) }
    }
    Self.readScore(evaluation, &stories[index])
    guard !evaluation.contradicts || evaluation.final == .absolutelyMustProceed else { return }
    if evaluation.final == .absolutelyMustProceed { return pass(index, evaluation, context) }

    var seen: [UInt64] = []
    for policy in evaluation.policies where policy.decision.isVeto {
      seen.append(object(index, policy, record.line(of: policy.start), context))
    }
    guard evaluation.isWhole else {
      // What is missing may be what still holds.
      if evaluation.final?.isVeto ?? !seen.isEmpty { unpass(index, evaluation, context) }
      return
    }
    for hold in stories[index].holds.indices
    where stories[index].holds[hold].to == nil && !seen.contains(stories[index].holds[hold].key) {
      stories[index].holds[hold].to = context.time
    }
    if seen.isEmpty { pass(index, evaluation, context) } else { unpass(index, evaluation, context) }
  }

  private static func readScore(_ evaluation: Evaluation, _ story: inout Story) {
    guard evaluation.isWhole, evaluation.score != nil || evaluation.sum != nil else { return }
    var score = Story.Score(
      final: evaluation.score, threshold: story.score?.threshold, sum: evaluation.sum,
      denominator: evaluation.denominator)
    for policy in evaluation.policies where policy.score < 1 {
      score.belowOne.append((policy.name.text, policy.score))
    }
    story.score = score
  }

  private mutating func pass(_ index: Int, _ evaluation: Evaluation, _ context: RecordContext) {
    closeHolds(index, context.time)
    for policy in evaluation.policies where policy.decision == .absolutelyMustProceed {
      if policy.rationale.find("appIsForeground") != nil { stories[index].isInForeground = true }
      if policy.rationale.find("ebug") != nil {
        stories[index].hasDebugger = true
        seeDebugger(context)
      }
    }
    guard stories[index].started == nil, stories[index].cancelled == nil else { return }
    stories[index].passed = context.time
    stories[index].decided = context.time
    if evaluation.final == .absolutelyMustProceed { start(index, context.time, isSure: false) }
  }

  private mutating func unpass(_ index: Int, _ evaluation: Evaluation, _ context: RecordContext) {
    let isHard = evaluation.policies.contains { $0.decision == .absolutelyMustNotProceed }
    if stories[index].started == nil, stories[index].cancelled == nil {
      if stories[index].passed != nil { stories[index].decided = nil }
      stories[index].passed = nil
      if isHard, stories[index].decided == nil { stories[index].decided = context.time }
    }
    if isHard { stories[index].isHardBlock = true }
  }

  /// Opens the hold of a policy that objects, or goes on with it. Gives the hold's key.
  private mutating func object(_ index: Int, _ policy: PolicyResponse, _ line: Int, _ context: RecordContext)
    -> UInt64
  {
    var key = policy.key
    let open = stories[index].holds.lastIndex { hold in
      guard hold.to == nil, hold.decision != .bail else { return false }
      return hold.key == key || ((policy.isCutOff || hold.isCutOff) && Self.isSame(hold.policy, policy.name))
    }
    if let open {
      addEvidence(index, open, line)
      if stories[index].holds[open].isCutOff, !policy.isCutOff {
        explain(index, open, policy)
        stories[index].holds[open].key = key
      }
      return stories[index].holds[open].key
    }
    guard stories[index].holds.count < Self.mostHolds, stories[index].cancelled == nil else { return key }
    if policy.isCutOff { key = 0 }
    stories[index].holds.append(
      Story.Hold(
        policy: policy.name.text, condition: nil, decision: policy.decision, from: context.time,
        evidence: [line],
        isCutOff: policy.isCutOff, key: key))
    explain(index, stories[index].holds.count - 1, policy)
    if stories[index].holds.last?.candidates == [.forceQuit, .refreshSwitch] { hint(index, context) }
    return key
  }

  private static func isSame(_ name: String, _ bytes: Bytes) -> Bool { name.utf8.elementsEqual(bytes) }

  private mutating func explain(_ index: Int, _ hold: Int, _ policy: PolicyResponse) {
    let condition = policy.isCutOff ? nil : policy.condition
    let meaning = PolicyMeaning.of(
      policy.name.text, condition, isCutOff: policy.isCutOff, stories[index].kind)
    stories[index].holds[hold].isCutOff = policy.isCutOff
    stories[index].holds[hold].condition = condition
    stories[index].holds[hold].factor = meaning.factor
    stories[index].holds[hold].candidates = meaning.candidates
  }

  mutating func addEvidence(_ index: Int, _ hold: Int, _ line: Int) {
    guard stories[index].holds[hold].evidence.last != line else { return }
    if stories[index].holds[hold].evidence.count < 20 {
      stories[index].holds[hold].evidence.append(line)
    } else {
      stories[index].holds[hold].evidence[19] = line
    }
  }

  /// What stands in the log and fits a force quit, without proving it.
  private mutating func hint(_ index: Int, _ context: RecordContext) {
    guard var app = stories[index].app, let trail = apps[app.withUTF8(\.hash)], let ended = trail.terminated,
      let wait = (stories[index].received ?? context.time).seconds(since: ended.time), wait > 0
    else { return }
    stories[index].hints.append("app terminated \(DurationText.text(wait)) before and not seen again")
    stories[index].evidence.insert(ended.line, at: 0)
  }
}

/// Lengths of time for readers.
enum DurationText {
  static func text(_ seconds: Double) -> String {
    let seconds = abs(seconds)
    if seconds < 0.0995 { return "\(Int((seconds * 1000).rounded())) ms" }
    if seconds < 10 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    let whole = Int(min(1e12, seconds).rounded())
    func pair(_ first: Int, _ unit: String, _ second: Int, _ small: String) -> String {
      second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(small)"
    }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return pair(whole / 60, "min", whole % 60, "s") }
    let minutes = (whole + 30) / 60
    if minutes < 48 * 60 { return pair(minutes / 60, "h", minutes % 60, "min") }
    let hours = (minutes + 30) / 60
    return pair(hours / 24, "d", hours % 24, "h")
  }
}
