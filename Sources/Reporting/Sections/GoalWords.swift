import Experiments
import ScenarioDecoding

/// What became of the aims of an experiment, in sentences.
enum GoalWords {
  static func sentences(_ view: RunView) -> [Words] {
    [view.record.precision.map { precision($0, view) }, view.record.selection.map { selection($0, view) }]
      .compactMap(\.self)
  }

  private static func precision(_ goal: PrecisionRecord, _ view: RunView) -> Words {
    let style = view.style(goal.metric)
    let wanted =
      goal.isRelative
      ? "±\(NumberText.percent(goal.target)) of the value" : "±\(style.size(goal.target, decimals: 2))"
    let of = goal.strategy.map { " of \(view.label($0))" } ?? ""
    let got = goal.halfWidth.map { ", with ±\(style.size($0, decimals: 2)) at most" } ?? ""
    return
      "Precision of \(Wording.metric(goal.metric))\(of), \(wanted): \(goal.isReached ? "reached" : "not reached") after \(Int(goal.replications)) replications\(got)."
  }

  private static func selection(_ goal: SelectionRecord, _ view: RunView) -> Words {
    let what = "the \(goal.best) \(Wording.metric(goal.metric))"
    func names(_ keys: [String]) -> String { keys.map(view.label).joined(separator: ", ") }
    var text: String
    if let best = goal.selected {
      let least = view.style(goal.metric).size(goal.indifference, decimals: 2)
      text =
        "Selected: \(view.label(best)) has \(what), which is right with \(NumberText.percent(goal.confidence, decimals: 0)) if it is ahead by \(least) or more"
      if !goal.ties.isEmpty { text += "; less than that behind: \(names(goal.ties))" }
    } else {
      text =
        "Selection: after \(goal.replications) replications it is undecided which of \(names(goal.undecided)) has \(what)"
    }
    let out = goal.eliminated.map { "\(view.label($0.strategy)) (\($0.replications))" }
    if !out.isEmpty { text += "; left out, after so many replications: \(out.joined(separator: ", "))" }
    return Words(text + ".")
  }

  /// The warning of a warm-up that was too short.
  static func warmUp(_ view: RunView) -> String? {
    guard let check = view.record.warmUp, check.isAdequate == false, let metric = check.metric,
      let strategy = check.strategy
    else { return nil }
    let what = Wording.metric(metric)
    guard let enough = check.suggested?.value else {
      return Wording.sentence(
        "\(what) of \(view.label(strategy)) has not settled by the middle of the run: it is the mean of a change that goes on. For a lasting state raise warm_up and duration"
      )
    }
    return
      "The warm-up of \(Wording.span(check.given.value)) is too short: \(what) of \(view.label(strategy)) settles after about \(Wording.span(enough)). Raise warm_up."
  }
}
