/// What each mechanism did: calls, notification extensions, background tasks and downloads, of which fates say nothing.
enum MechanismSection {
  /// A mechanism of a strategy that has one.
  private struct Item {
    let strategy: RunView.Strategy
    let mechanism: String
    let at: At<MechanismRecord>
    var record: MechanismRecord { at.value }
  }

  private static func items(_ view: RunView, _ isWanted: (MechanismRecord) -> Bool = { _ in true }) -> [Item]
  {
    view.strategies.flatMap { strategy in
      (strategy.at.mechanisms.present()?.items() ?? []).filter { isWanted($0.at.value) }
        .map { Item(strategy: strategy, mechanism: $0.name, at: $0.at) }
    }
  }

  static func blocks(_ view: RunView) -> [Block] {
    pushes(view) + calls(view) + serviceExtension(view) + contentExtension(view) + provoked(view)
      + tasks(view)
      + refusals(view) + downloads(view)
  }

  // MARK: In sentences

  /// A sentence for each mechanism of each strategy that has more to say than fates do.
  static func words(_ view: RunView, withCalls: Bool = true) -> [Block] {
    let sentences = items(view) { withCalls || $0.calls == nil }.compactMap { item in
      words(item.record).map { words -> Words in
        "\(item.strategy.name), \(Wording.words(item.mechanism)): \(words)."
      }
    }
    return sentences.isEmpty ? [] : [.list(sentences, shown: 6)]
  }

  private static func words(_ record: MechanismRecord) -> String? {
    var parts: [String] = []
    if let sent = record.sent, let calls = record.calls {
      parts.append("\(NumberText.grouped(sent)) sent")
      parts += shares(calls.items, of: sent)
      if let soon = record.rangWithin5s, sent > 0 {
        parts.append("rang within 5 s of the push \(NumberText.percent(Double(soon) / Double(sent)))")
      }
    }
    for (outcomes, what) in [
      (record.serviceExtension, "alerts at the service extension"),
      (record.contentExtension, "notifications shown"),
    ] {
      guard let outcomes else { continue }
      let whole = outcomes.sum(without: ["not_permitted"])
      guard whole > 0 else { continue }
      parts.append("\(NumberText.grouped(whole)) \(what)")
      parts += shares(outcomes.items.filter { $0.name != "not_permitted" }, of: whole)
    }
    if let opens = record.opensProvoked { parts.append("\(NumberText.grouped(opens)) opens brought about") }
    if let all = record.opportunities, let runs = record.runs {
      parts.append("\(NumberText.grouped(all)) opportunities, \(NumberText.grouped(runs)) runs")
      if runs > 0, let new = record.results?["new_data"] {
        parts.append("new data in \(NumberText.percent(Double(new) / Double(runs))) of the runs")
      }
      if let most = heldBack(record), all > 0 {
        let share = NumberText.percent(Double(most.count) / Double(all))
        parts.append("mostly held back by \(Wording.words(most.reason)) (\(share))")
      }
    }
    if let started = record.started {
      parts.append("\(NumberText.grouped(started)) downloads started")
      parts += shares(
        [
          ("completed", record.completed), ("superseded", record.superseded), ("cancelled", record.cancelled),
          ("pending", record.pending),
        ].map { (name: $0.0, value: $0.1 ?? 0) }, of: started)
      if let half = record.time?.p50 {
        parts.append("half of those completed within \(NumberText.duration(seconds: half))")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// What most often kept a task from being started: refused it, or made the system pass it over.
  private static func heldBack(_ record: MechanismRecord) -> (reason: String, count: Int64)? {
    var counts: [(reason: String, count: Int64)] = []
    for item in (record.refused?.items ?? []) + (record.passedOverFor?.items ?? []) {
      if let known = counts.firstIndex(where: { $0.reason == item.name }) {
        counts[known].count += item.value
      } else {
        counts.append((item.name, item.value))
      }
    }
    return counts.max { $0.count < $1.count }
  }

  private static func shares(_ outcomes: [(name: String, value: Int64)], of whole: Int64) -> [String] {
    guard whole > 0 else { return [] }
    return outcomes.filter { $0.value > 0 }.map {
      "\(Wording.words($0.name)) \(NumberText.percent(Double($0.value) / Double(whole)))"
    }
  }

  // MARK: In tables

  /// Pushes of strategies that send several kinds.
  private static func pushes(_ view: RunView) -> [Block] {
    let rows = items(view) { $0.sent != nil }.filter { $0.strategy.record.pushMechanisms.count > 1 }.map {
      item -> [Words] in
      [
        item.strategy.name, Words([.code(item.mechanism)]), item.at.sent.words(.count),
        item.at.deliveredWithin.present()?["5min"]?.share(of: item.record.sent) ?? "–",
        item.at.fates.present()?["delivered"]?.share(of: item.record.sent) ?? "–",
        item.at.latency.present()?.p50.words(.duration) ?? "–",
      ]
    }
    return table(
      "Pushes by kind",
      [
        Table.Column("strategy"), Table.Column("kind"), .number("sent"), .number("delivered within 5 min"),
        .number("delivered"), .number("median of those delivered"),
      ], rows)
  }

  private static func table(_ title: String, _ columns: [Table.Column], _ rows: [[Words]], _ note: Words = "")
    -> [Block]
  {
    guard !rows.isEmpty else { return [] }
    let table = Block.table(Table(label: title, columns: columns, rows: rows))
    return [.heading(Words(title)), table] + (note.isEmpty ? [] : [.paragraph(note, .faint)])
  }

  private static let meanings: [String: String] = [
    "rang": "a call was reported, and rang",
    "silent": "no call was reported, and nothing followed",
    "timed_out": "the app did not process it within the time limit",
    "killed_at_return": "the system ended the app: its delegate method returned without a report",
    "killed_at_check": "the system ended the app at a check some seconds after the push",
    "killed_uncompleted":
      "the system ended the app for want of the completion handler; the call may have rung before",
    "enriched": "shown as the extension made it",
    "without_attachment": "shown as the extension made it, but for the attachment",
    "best_attempt": "shown as far as the extension had got when its time was about to expire",
    "original": "shown as it came",
    "not_shown": "lost with the extension",
    "not_opened": "the user did not expand the notification",
    "standard": "the system's view: no extension has the category",
    "custom": "the extension's view",
    "killed": "the extension was terminated, and the system's view came back",
  ]

  /// What the outcomes are that a table has.
  private static func legend(_ names: [String]) -> Words {
    Words.joined(
      names.compactMap { name in
        meanings[name].map { "\(strong: Words(Wording.words(name))): \($0)" }
      }, by: "; ") + "."
  }

  /// Outcomes that some strategy has, with shares of a whole.
  private static func outcomes(
    _ view: RunView, _ title: String, _ field: KeyPath<MechanismRecord, Named<Int64>?>,
    leaving: [String] = [],
    first: String, whole: (Item) -> Int64?, more: [(title: Words, cell: (Item) -> Words)] = []
  ) -> [Block] {
    let items = items(view) { $0[keyPath: field] != nil }
    guard let order = items.first?.record[keyPath: field]?.names else { return [] }
    let names = order.filter { name in
      !leaving.contains(name) && items.contains { ($0.record[keyPath: field]?[name] ?? 0) > 0 }
    }
    guard !names.isEmpty else { return [] }
    return table(
      title,
      [Table.Column("strategy"), .number(Words(first))] + names.map { .number(Words(Wording.words($0))) }
        + more.map { .number($0.title) },
      items.map { item -> [Words] in
        let total = whole(item)
        return [item.strategy.name, Words(NumberText.grouped(total ?? 0))]
          + names.map { name in
            item.at[dynamicMember: field].present()?[name]?.share(of: total) ?? "–"
          } + more.map { $0.cell(item) }
      }, legend(names))
  }

  private static func calls(_ view: RunView) -> [Block] {
    outcomes(
      view, "Calls: what became of VoIP pushes", \.calls, first: "sent", whole: { $0.record.sent },
      more: [
        (
          "not handed to the app",
          { item in
            guard let sent = item.record.sent, sent > 0, let calls = item.record.calls else { return "–" }
            return Words(NumberText.percent(Double(max(0, sent - calls.sum())) / Double(sent)))
          }
        ),
        ("rang within 5 s of the push", { $0.at.rangWithin5s.share(of: $0.record.sent) }),
        ("median to the ring", { $0.at.ring.present()?.p50.words(.duration) ?? "–" }),
        ("p95", { $0.at.ring.present()?.p95.words(.duration) ?? "–" }),
      ])
  }

  private static func serviceExtension(_ view: RunView) -> [Block] {
    // What the user does not allow has not come as far as the device.
    outcomes(
      view, "Service extension: how the alerts were shown that reached the device", \.serviceExtension,
      leaving: ["not_permitted"], first: "alerts",
      whole: { $0.record.serviceExtension?.sum(without: ["not_permitted"]) })
  }

  private static func contentExtension(_ view: RunView) -> [Block] {
    outcomes(
      view, "Content extension: what users saw who expanded a notification", \.contentExtension,
      first: "notifications", whole: { $0.record.contentExtension?.sum() })
  }

  private static func provoked(_ view: RunView) -> [Block] {
    let lines = items(view) { ($0.opensProvoked ?? 0) > 0 }.map { item -> Words in
      "\(item.strategy.name): \(item.at.opensProvoked.words(.count)) of \(item.strategy.at.opens.words(.count)) opens were brought about by alerts."
    }
    return lines.isEmpty ? [] : [.list(lines)]
  }

  private static func tasks(_ view: RunView) -> [Block] {
    let rows = items(view) { $0.opportunities != nil }.map { item -> [Words] in
      let all = item.record.opportunities
      let refused = item.record.refused?.sum() ?? 0
      return [
        item.strategy.name, Words(Wording.words(item.mechanism)), item.at.opportunities.words(.count),
        item.at.notDue.share(of: all),
        Words(all.map { $0 > 0 ? NumberText.percent(Double(refused) / Double($0)) : "–" } ?? "–"),
        item.at.passedOver.share(of: all), item.at.runs.share(of: all),
        item.at.results.present()?["new_data"]?.share(of: item.record.runs) ?? "–",
        item.at.interrupted.share(of: item.record.runs),
      ]
    }
    return table(
      "Background tasks",
      [
        Table.Column("strategy"), Table.Column("task"), .number("opportunities"), .number("not due"),
        .number("refused"), .number("passed over"), .number("run"), .number("of the runs: new data"),
        .number("interrupted"),
      ], rows,
      "At an opportunity the system could have started the task. It was not yet due, or it was refused, or the system passed it over (it chose not to, or the app was running anyhow), or it ran."
    )
  }

  private static func refusals(_ view: RunView) -> [Block] {
    let items = items(view) { !($0.refused?.isEmpty ?? true) }
    var reasons: [String] = []
    for item in items {
      for reason in item.record.refused?.names ?? [] where !reasons.contains(reason) {
        reasons.append(reason)
      }
    }
    return [
      .page(
        table(
          "What tasks were refused for",
          [Table.Column("reason")]
            + items.map { .number("\($0.strategy.name): \(Wording.words($0.mechanism))") }
            + [Table.Column("what that is")],
          reasons.map { reason in
            [Words(Wording.words(reason))]
              + items.map { item in
                item.at.refused.present()?[reason]?.share(of: item.record.opportunities) ?? "–"
              }
              + [Words(view.document.definitions.reasons[reason] ?? "")]
          }, "Shares of the opportunities."))
    ]
  }

  private static func downloads(_ view: RunView) -> [Block] {
    let rows = items(view) { $0.started != nil }.map { item -> [Words] in
      [item.strategy.name, item.at.started.words(.count)]
        + [item.at.completed, item.at.superseded, item.at.cancelled, item.at.pending].map {
          $0.share(of: item.record.started)
        }
        + [item.at.time.present()?.p50, item.at.time.present()?.p95].map { $0?.words(.duration) ?? "–" }
    }
    return table(
      "Background downloads",
      [
        Table.Column("strategy"), .number("started"), .number("completed"), .number("superseded"),
        .number("cancelled"), .number("pending"), .number("median to completion"), .number("p95"),
      ], rows,
      "\(strong: "superseded"): called off for one that brings what is newer, or does not wait; \(strong: "cancelled"): by a force quit, or with the app; \(strong: "pending"): under way when the run ended."
    )
  }
}
