import Experiments

/// How the share of pushes that are delivered differs from device to device.
struct DeviceShares {
  /// Devices that got none of theirs, then up to each tenth.
  let counts: [Int64]
  private let all: Double

  /// Nil of a result without it, and where nothing was sent.
  init?(_ strategy: StrategyRecord) {
    guard let counts = strategy.byShareDelivered, counts.count == 11 else { return nil }
    self.counts = counts
    all = Double(counts.reduce(0, +))
    guard all > 0 else { return nil }
  }

  /// Of the devices, those in these places.
  func share(_ places: ClosedRange<Int>) -> Double { Double(counts[places].reduce(0, +)) / all }

  /// Best first.
  private static let classes: [(name: String, places: ClosedRange<Int>)] = [
    ("over 90 %", 10...10), ("50 to 90 %", 6...9), ("up to 50 %", 1...5), ("none", 0...0),
  ]

  /// What an architect means by reliable: a sentence for each strategy, or one for those that agree.
  static func blocks(_ view: RunView) -> [Block] {
    var groups: [(shares: [Double], names: [String])] = []
    for strategy in view.senders {
      guard let own = DeviceShares(strategy.record) else { continue }
      let shares = classes.map { own.share($0.places) }
      if let known = groups.firstIndex(where: { zip($0.shares, shares).allSatisfy { abs($0 - $1) < 0.02 } }) {
        groups[known].names.append(strategy.label)
      } else {
        groups.append((shares, [strategy.label]))
      }
    }
    guard let first = groups.first else { return [] }
    func sentence(_ shares: [Double]) -> String {
      func percent(_ share: Double) -> String {
        share > 0 && share < 0.005 ? "less than 1 %" : NumberText.percent(share, decimals: 0)
      }
      return "\(percent(shares[0])) of devices get over 90 % of their pushes, \(percent(shares[3])) get none"
    }
    let isOne = groups.count == 1
    let title = isOne ? sentence(first.shares) : "How many of their pushes devices get"
    let chart = StackedBar.markup(
      groups.map { shares, names in
        StackedBar.Row(
          label: isOne ? nil : Wording.list(names),
          parts: zip(classes, shares).enumerated().map { place, part in
            StackedBar.Part(name: part.0.name, share: part.1, color: place == 0 ? nil : [9, 2, 4, 3][place])
          })
      }, title)
    let note = "Of 100 devices, by the share of their pushes that was delivered."
    return [
      .page([.figure(Figure(title: Words(title), takeaway: Words(note), chart: chart, isWide: true))]),
      .text([
        .list(
          groups.map { shares, names in
            isOne ? Words(sentence(shares) + ".") : "\(name: Wording.list(names)): \(sentence(shares))."
          })
      ]),
    ]
  }

  /// All of it, as a table.
  static func details(_ view: RunView) -> [Block] {
    let rows = view.senders.compactMap { strategy in DeviceShares(strategy.record).map { (strategy, $0) } }
    guard !rows.isEmpty else { return [] }
    let names = ["none"] + (1...10).map { $0 == 1 ? "up to 10 %" : "\(($0 - 1) * 10) to \($0 * 10) %" }
    return [
      .text([.heading("devices by the share of their pushes that was delivered")] + blocks(view)),
      .table(
        Table(
          label: "Devices by the share of their pushes that was delivered",
          columns: [Table.Column("of their pushes")] + rows.map { .number($0.0.name) },
          rows: names.enumerated().map { place, name in
            [Words(name)]
              + rows.map { strategy, shares in
                let at = strategy.at.map("devices_by_share_delivered", shares.counts).elements()[place]
                return at.share(of: shares.counts.reduce(0, +))
              }
          })),
    ]
  }
}

extension Sections {
  /// Users and devices apart.
  static func whom(_ view: RunView) -> [Block] {
    let hasContent = view.has(Pareto.benefit)
    let part: KeyPath<SegmentRecord, Int64> = hasContent ? \.freshOpens : \.within5min
    let whole: KeyPath<SegmentRecord, Int64> = hasContent ? \.opens : \.sent
    let what = hasContent ? "opens that find the newest content" : "pushes delivered within 5 min"
    func table(_ title: String, _ field: (StrategyRecord) -> Named<SegmentRecord>) -> [Block] {
      var names: [String] = []
      for strategy in view.strategies {
        for item in field(strategy.record).items
        where item.value[keyPath: whole] > 0 && !names.contains(item.name) { names.append(item.name) }
      }
      let chosen = view.strategies.filter { strategy in
        field(strategy.record).items.contains { $0.value[keyPath: whole] > 0 }
      }
      guard names.count > 1, !chosen.isEmpty else { return [] }
      func cell(_ name: String, _ strategy: RunView.Strategy) -> Words {
        guard let segment = field(strategy.record)[name], segment[keyPath: whole] > 0 else { return "–" }
        let share = Double(segment[keyPath: part]) / Double(segment[keyPath: whole])
        return Words([.text(NumberText.percent(share, decimals: 0)), .meter(share)])
      }
      let table = Table(
        label: "\(title): \(what)",
        columns: [Table.Column(Words(title))] + chosen.map { Table.Column($0.name, number: true) },
        rows: names.map { name in [Words(Wording.words(name))] + chosen.map { cell(name, $0) } })
      return [.table(table)]
    }
    let tables = table("class of user") { $0.byClass } + table("kind of device") { $0.byDeviceKind }
    guard !tables.isEmpty else { return DeviceShares.blocks(view) }
    return DeviceShares.blocks(view) + [
      .paragraph("Share of \(what), by who the user is and what the device.", .faint)
    ] + tables
  }
}
