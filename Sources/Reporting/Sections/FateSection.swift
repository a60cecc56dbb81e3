import Experiments
import ScenarioDecoding

/// From what was sent to how each push ended, with the reasons.
enum FateSection {
  static func blocks(_ view: RunView) -> [Block] {
    let senders = view.senders
    guard let first = senders.first else { return [] }
    let fates = first.record.fates.names.filter { fate in
      senders.contains { ($0.record.fates[fate] ?? 0) > 0 }
    }
    // Fates that are rare everywhere share a column in a terminal.
    var rare = fates.filter { fate in
      fate != "delivered"
        && senders.allSatisfy { Double($0.record.fates[fate] ?? 0) < 0.005 * Double($0.record.sent) }
    }
    if rare.count < 2 { rare = [] }
    let shown = fates.filter { !rare.contains($0) }
    func share(_ count: Int64, _ strategy: RunView.Strategy) -> Words {
      let share = Double(count) / Double(strategy.record.sent)
      return Words(count == 0 ? "–" : share < 0.0005 ? "<0.1" : NumberText.fixed(share * 100, 1))
    }
    let counts = view.table(
      "Fates by strategy", [.number("sent")] + fates.map { .number(Words(Wording.words($0))) }, of: senders
    ) { strategy in
      [strategy.at.sent.words(.count)]
        + fates.map { strategy.at.fates[$0]?.share(of: strategy.record.sent) ?? "–" }
    }
    let shares = view.table(
      "where pushes went, %",
      [.number("sent")] + shown.map { .number(Words(short($0))) }
        + (rare.isEmpty ? [] : [.number("other")]), of: senders
    ) { strategy in
      [strategy.at.sent.words(.count)] + shown.map { share(strategy.record.fates[$0] ?? 0, strategy) }
        + (rare.isEmpty ? [] : [share(rare.reduce(0) { $0 + (strategy.record.fates[$1] ?? 0) }, strategy)])
    }
    return [
      .page([
        .paragraph(
          "Every push has one fate; the reason is the policy factor, or the answer of APNs, that ended the push or held it when the run ended."
        ), .table(counts), .fold("Every reason", senders.map { .table(reasons(view, $0)) }),
        .fold("What the fates and reasons mean", [.table(meanings(view, fates))]),
      ]),
      .text(
        [.heading("where pushes went, % of those sent"), .table(shares)]
          + (rare.isEmpty ? [] : [.paragraph(Words("other: \(rare.joined(separator: ", "))"))])),
    ]
  }

  /// A fate in a column of a terminal.
  private static func short(_ fate: String) -> String {
    let words = ["_at_apns", "_on_device", "discarded_"].reduce(fate) { $0.replacing($1, with: "") }
    return Wording.words(words)
  }

  private static func reasons(_ view: RunView, _ strategy: RunView.Strategy) -> Table {
    var rows: [[Words]] = []
    for (fate, count) in strategy.at.fates.items() where count.value > 0 {
      rows.append([Words(Wording.words(fate)), "", count.share(of: strategy.record.sent)])
      for (reason, part) in strategy.at.reasons[fate]?.items() ?? [] where part.value > 0 {
        rows.append([
          Words(Wording.words(fate)), Words(Wording.words(reason)), part.share(of: strategy.record.sent),
        ])
      }
    }
    return Table(
      label: "Fates and reasons of \(strategy.label)",
      columns: [Table.Column(strategy.name), Table.Column("reason"), .number("share of the pushes sent")],
      rows: rows)
  }

  private static func meanings(_ view: RunView, _ fates: [String]) -> Table {
    let known = view.document.definitions
    var reasons: [String] = []
    for strategy in view.senders {
      for fate in strategy.record.reasons.items {
        for reason in fate.value.names where !reasons.contains(reason) { reasons.append(reason) }
      }
    }
    return Table(
      label: "Meanings", columns: [Table.Column("name"), Table.Column("kind"), Table.Column("meaning")],
      rows: fates.compactMap { fate in
        known.fates[fate].map { [Words(Wording.words(fate)), "fate", Words($0)] }
      }
        + reasons.compactMap { reason in
          known.reasons[reason].map { [Words(Wording.words(reason)), "reason", Words($0)] }
        })
  }
}
