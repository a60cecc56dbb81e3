/// How long pushes took.
enum LatencySection {
  private static let quantiles: [(key: String, share: Double)] = [
    ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99),
  ]

  /// Ends of a smaller share of the pushes have no chart.
  private static let smallest = 0.005

  static func markup(_ run: ReportRun) -> Markup {
    guard !run.senders.isEmpty else { return "" }
    var charts = incidence(run)
    if charts.isEmpty { charts = [fromQuantiles(run)] }
    return ReportParts.charts(charts, shown: 2, rest: "When pushes ended otherwise") + table(run)
  }

  private static func table(_ run: ReportRun) -> Markup {
    let thresholds = run.strategies.flatMap { $0.value["metrics"]?.members.map(\.key) ?? [] }
      .filter { $0.hasPrefix("delivered_within_") && !$0.hasSuffix("_of_wakeable") }
    var columns: [String] = []
    for name in thresholds where !columns.contains(name) { columns.append(name) }
    return ReportParts.table(
      [ReportParts.Column("strategy")]
        + columns.map { ReportParts.Column("\(ReportParts.metric($0))", number: true) }
        + quantiles.map { ReportParts.Column("\($0.key) of those delivered", number: true) },
      run.senders.map { strategy in
        [ReportParts.name(strategy.name)] + columns.map { run.estimate(strategy.name, $0) }
          + quantiles.map { run.number(["strategies", strategy.name, "latency_s", $0.key], .duration) }
      }, label: "Latency by strategy")
  }

  private static func figure(
    _ run: ReportRun, _ curves: [Chart.Curve], _ title: Markup, _ takeaway: Markup, _ table: Markup
  ) -> Markup {
    let times = curves.flatMap { $0.points.map(\.x) }.filter { $0 > 0 }
    guard let low = times.min(), let high = times.max() else { return "" }
    let top = curves.flatMap { $0.points.map(\.y) + $0.band.map(\.high) }.max() ?? 1
    let x = Scale(durations: max(low, 0.1), max(high, 1), (46, Chart.width - 138))
    let y = Scale(upTo: top, (240, 24), limit: 1)
    let (xTitle, yTitle) = ("time since the send", "share of the pushes sent")
    let label = "Share of pushes by time since the send"
    return ReportParts.figure(
      title, takeaway: takeaway,
      Chart.curves(
        curves, x: x, y: y, xStyle: .duration,
        yStyle: .percent(decimals: 1),
        xTitle: xTitle, yTitle: yTitle, label: label),
      live: LiveCharts.curves(curves, x: x, y: y, xTitle: xTitle, yTitle: yTitle, label: label), table: table)
  }

  /// With other ends competing, shares of all pushes; from the optional field `incidence`.
  private static func incidence(_ run: ReportRun) -> [Markup] {
    var ends: [String] = []
    for strategy in run.senders {
      for end in strategy.value["incidence"]?["ends"]?.members ?? [] where !ends.contains(end.key) {
        ends.append(end.key)
      }
    }
    var charts: [(most: Double, chart: Markup)] = []
    for end in ends {
      var curves: [Chart.Curve] = []
      var columns = [ReportParts.Column("time")]
      var rows: [[Markup]] = []
      for (index, strategy) in run.strategies.enumerated() {
        guard let field = strategy.value["incidence"] else { continue }
        let times = field["times_s"]?.elements.compactMap(\.double) ?? []
        let values = field["ends"]?[end]?["estimate"]?.elements.map(\.double) ?? []
        guard times.count == values.count, values.contains(where: { ($0 ?? 0) > 0 }) else { continue }
        let low = field["ends"]?[end]?["low"]?.elements.map(\.double) ?? []
        let high = field["ends"]?[end]?["high"]?.elements.map(\.double) ?? []
        var curve = Chart.Curve(name: strategy.name, index: index, points: [], title: strategy.name)
        for (i, time) in times.enumerated() where time > 0 {
          guard let value = values[i] else { continue }
          curve.points.append((time, value))
          if low.indices.contains(i), high.indices.contains(i), let a = low[i], let b = high[i] {
            curve.band.append((time, a, b))
          }
        }
        curves.append(curve)
        columns.append(ReportParts.Column(ReportParts.name(strategy.name), number: true))
        let keys = ["strategies", strategy.name, "incidence", "ends", end, "estimate"]
        // Every third time of many, and the last: the file has them all.
        let listed = times.indices.filter { times.count <= 16 || ($0 - times.count + 1) % 3 == 0 }
        for (row, i) in listed.enumerated() {
          if rows.count <= row { rows.append(["\(NumberText.duration(seconds: times[i]))"]) }
          rows[row].append(run.number(keys + ["\(i)"], .percent(decimals: 1)))
        }
      }
      guard let best = curves.max(by: { ($0.points.last?.y ?? 0) < ($1.points.last?.y ?? 0) }),
        let last = best.points.last
      else { continue }
      // A fate of next to no push has no curve worth a look; the counts have it.
      let isDelivery = end == "delivered"
      guard isDelivery || last.y >= smallest else { continue }
      let chart = figure(
        run, curves, "Ended as: \(ReportParts.words(end))",
        "Cumulative incidence: the share of all pushes that had ended so by then. Most: \(ReportParts.name(best.name)), \(NumberText.percent(last.y)) by \(NumberText.duration(seconds: last.x)). \(curves.contains { !$0.band.isEmpty } ? "Bands: \(run.confidence) intervals." : "")",
        ReportParts.table(columns, rows, label: "Cumulative incidence"))
      charts.append((isDelivery ? .infinity : last.y, chart))
    }
    // Delivery first, then what ends most.
    return charts.enumerated().sorted { ($1.element.most, $0.offset) < ($0.element.most, $1.offset) }
      .map(\.element.chart)
  }

  /// Without `incidence`: the quantiles of those delivered, as shares of all.
  private static func fromQuantiles(_ run: ReportRun) -> Markup {
    var curves: [Chart.Curve] = []
    for (index, strategy) in run.strategies.enumerated() {
      guard let sent = strategy.value["sent"]?.double, sent > 0,
        let delivered = strategy.value["latency_s"]?["count"]?.double
      else { continue }
      let points = quantiles.compactMap { quantile -> (Double, Double)? in
        guard let seconds = strategy.value["latency_s"]?[quantile.key]?.double else { return nil }
        return (max(seconds, 0.01), quantile.share * delivered / sent)
      }
      curves.append(
        Chart.Curve(name: strategy.name, index: index, points: points, title: strategy.name, hasMarks: true))
    }
    guard let fastest = curves.filter({ !$0.points.isEmpty }).min(by: { $0.points[0].x < $1.points[0].x })
    else { return "" }
    return figure(
      run, curves, "Delivered by then",
      "At the times by which 50, 90, 95 and 99 % of the delivered pushes had come. Shortest median: \(ReportParts.name(fastest.name)), \(NumberText.duration(seconds: fastest.points[0].x)).",
      "")
  }
}

/// When pushes were delivered.
enum HourSection {
  static func markup(_ run: ReportRun) -> Markup {
    let heats = run.senders.map { heat(run, $0.name, $0.value) }.filter { !$0.isEmpty }
    return ReportParts.charts(
      [lines(run)] + heats, shown: 2, rest: "By hour and battery level, the other strategies")
  }

  private static func lines(_ run: ReportRun) -> Markup {
    var curves: [Chart.Curve] = []
    var columns = [ReportParts.Column("hour")]
    var rows: [[Markup]] = (0..<24).map { ["\($0)–\($0 + 1)"] }
    for (index, strategy) in run.strategies.enumerated() {
      let hours = strategy.value["by_hour"]?.elements ?? []
      guard hours.count == 24, (strategy.value["sent"]?.count ?? 0) > 0 else { continue }
      var points: [(x: Double, y: Double)] = []
      for (hour, cell) in hours.enumerated() {
        let keys = ["strategies", strategy.name, "by_hour", "\(hour)"]
        rows[hour] += [
          run.number(keys + ["sent"], .count), run.number(keys + ["delivered_within_5min"], .count),
        ]
        guard let sent = cell["sent"]?.double, sent > 0, let part = cell["delivered_within_5min"]?.double
        else { continue }
        points.append((Double(hour) + 0.5, part / sent))
      }
      columns += [
        ReportParts.Column("\(ReportParts.name(strategy.name)): sent", number: true),
        ReportParts.Column("within 5 min", number: true),
      ]
      curves.append(Chart.Curve(name: strategy.name, index: index, points: points, title: strategy.name))
    }
    let all = curves.flatMap { curve in curve.points.map { (curve.name, $0) } }
    guard let best = all.max(by: { $0.1.y < $1.1.y }), let worst = all.min(by: { $0.1.y < $1.1.y }) else {
      return ""
    }
    let x = Scale((0, 24), ticks: (0...8).map { Double($0) * 3 }, (46, Chart.width - 138))
    let y = Scale(upTo: all.map(\.1.y).max() ?? 1, (240, 24), limit: 1)
    let (xTitle, yTitle) = ("hour of the day, local time", "share of the pushes sent")
    let label = "Share delivered within 5 min by hour of the day"
    return ReportParts.figure(
      "Delivered within 5 min, by hour of the send",
      takeaway:
        "Best: \(NumberText.percent(best.1.y)) at \(Int(best.1.x)) h with \(ReportParts.name(best.0)). Worst: \(NumberText.percent(worst.1.y)) at \(Int(worst.1.x)) h with \(ReportParts.name(worst.0)).",
      Chart.curves(
        curves, x: x, y: y,
        xStyle: .fixed(suffix: ""),
        yStyle: .percent(decimals: 1), xTitle: xTitle, yTitle: yTitle, label: label),
      live: LiveCharts.curves(curves, x: x, y: y, xTitle: xTitle, yTitle: yTitle, label: label),
      table: ReportParts.table(columns, rows, label: "Pushes by hour"))
  }

  /// From the optional field `by_hour_and_battery`: 24 hours of 10 tenths of the battery each.
  private static func heat(_ run: ReportRun, _ name: String, _ strategy: JSONValue) -> Markup {
    let hours = strategy["by_hour_and_battery"]?.elements ?? []
    guard hours.count == 24 else { return "" }
    let cells = hours.map { hour in
      hour.elements.map { cell -> (sent: Double, within: Double) in
        (cell["sent"]?.double ?? 0, cell["delivered_within_5min"]?.double ?? 0)
      }
    }
    guard let rows = cells.first?.count, rows > 0, cells.allSatisfy({ $0.count == rows }) else { return "" }
    func range(_ row: Int) -> String { "\(row * 100 / rows)–\((row + 1) * 100 / rows) %" }
    let lines = cells.enumerated().map { hour, column in
      ["\(hour)" as Markup]
        + column.map { cell in
          cell.sent > 0
            ? "\(NumberText.percent(cell.within / cell.sent))<span class=\"ci\">of \(NumberText.grouped(cell.sent))</span>"
            : "–"
        }
    }
    let shares = cells.map { $0.map { $0.sent > 0 ? $0.within / $0.sent : nil } }
    let low = cells.flatMap { $0.prefix(2) }
    let high = cells.flatMap { $0.dropFirst(2) }
    func share(_ part: [(sent: Double, within: Double)]) -> String {
      let sent = part.reduce(0) { $0 + $1.sent }
      return sent > 0 ? NumberText.percent(part.reduce(0) { $0 + $1.within } / sent) : "–"
    }
    return ReportParts.figure(
      "\(ReportParts.name(name)): by hour and battery level",
      takeaway:
        "Delivered within 5 min. In the lowest fifth of the battery: \(share(low)); above it: \(share(high)). Empty cells: no push.",
      Chart.heat(
        shares, rowNames: (0..<rows).map { "\($0 * 100 / rows) %" }, rowTitle: "battery level",
        titles: { hour, row in
          let cell = cells[hour][row]
          return cell.sent > 0
            ? "\(hour) h, battery \(range(row)): \(NumberText.percent(cell.within / cell.sent)) of \(NumberText.grouped(cell.sent)) pushes"
            : "\(hour) h, battery \(range(row)): no push"
        }, label: "Delivered within 5 min by hour and battery level, \(name)"),
      // Of many strategies these tables would be most of the page; each cell says its value under the pointer.
      table: run.senders.count > 4
        ? ""
        : ReportParts.table(
          [ReportParts.Column("hour")] + (0..<rows).map { ReportParts.Column("\(range($0))", number: true) },
          lines, label: "Pushes by hour and battery level"))
  }
}

/// Users and devices apart.
enum SegmentSection {
  static func markup(_ run: ReportRun) -> Markup {
    var body: Markup = ""
    for (field, title) in [("by_class", "User class"), ("by_device_kind", "Kind of device")] {
      body += table(run, field, title)
    }
    return body.isEmpty ? "" : "<div class=\"cols\">\(body)</div>\n"
  }

  private static func table(_ run: ReportRun, _ field: String, _ title: String) -> Markup {
    var names: [String] = []
    for strategy in run.strategies {
      for member in strategy.value[field]?.members ?? [] where !names.contains(member.key) {
        if (member.value["sent"]?.count ?? 0) + (member.value["opens"]?.count ?? 0) > 0 {
          names.append(member.key)
        }
      }
    }
    guard !names.isEmpty else { return "" }
    func rows(_ part: String, _ whole: String) -> [[Markup]] {
      run.strategies.compactMap { strategy in
        let cells = names.map { name -> Markup in
          let segment = strategy.value[field]?[name]
          guard let total = segment?[whole]?.double, total > 0, let count = segment?[part]?.double else {
            return "–"
          }
          let keys = ["strategies", strategy.name, field, name]
          return
            "\(NumberText.percent(count / total))<span class=\"ci\"> \(run.number(keys + [part], .count)) of \(run.number(keys + [whole], .count))</span><span class=\"meter\"><i style=\"width:\(Markup.verbatim(NumberText.fixed(count / total * 100, 1)))%\"></i></span>"
        }
        return cells.allSatisfy { $0 == "–" } ? nil : [ReportParts.name(strategy.name)] + cells
      }
    }
    let columns =
      [ReportParts.Column("strategy")]
      + names.map { ReportParts.Column("\(ReportParts.words($0))", number: true) }
    let pushes = rows("delivered_within_5min", "sent")
    let opens = rows("fresh_opens", "opens")
    var body: Markup = ""
    if !pushes.isEmpty {
      body += "<div><h3>\(title): pushes delivered within 5 min</h3>\n"
      body += ReportParts.table(columns, pushes, label: "\(title): delivered within 5 min") + "</div>\n"
    }
    let hasContent = run.has("fresh_open")
    if hasContent, !opens.isEmpty {
      body += "<div><h3>\(title): opens that found the newest content</h3>\n"
      body += ReportParts.table(columns, opens, label: "\(title): fresh opens") + "</div>\n"
    }
    return body
  }
}
