/// How long pushes took.
enum LatencySection {
  /// Ends of a smaller share of the pushes have no chart.
  private static let smallest = 0.005

  static func blocks(_ view: RunView) -> [Block] {
    guard !view.senders.isEmpty else { return [] }
    var figures = incidence(view)
    if figures.isEmpty { figures = [fromQuantiles(view)].compactMap(\.self) }
    return [
      .figures(figures, shown: 2, rest: "When pushes ended otherwise"),
      .text([.heading("how soon")]), .table(table(view)),
      .text([.paragraph("p50 to p99: of the pushes delivered. By when: of all that were sent.")]),
      .text(ofAllSent(view)),
    ]
  }

  private static func table(_ view: RunView) -> Table {
    var columns: [String] = []
    for strategy in view.strategies {
      for name in strategy.record.metrics.names
      where name.hasPrefix("delivered_within_") && !name.hasSuffix("_of_wakeable") && !columns.contains(name)
      {
        columns.append(name)
      }
    }
    return view.table(
      "Latency by strategy",
      columns.map { .number(Words(Wording.metric($0).replacing("delivered within", with: "within"))) }
        + ["p50", "p90", "p95", "p99"].map { .number("\($0)") }, of: view.senders
    ) { strategy in
      columns.map { strategy.words($0) }
        + LatencyRecord.shares.map { strategy.at.latency[dynamicMember: $0.key].words(.duration) }
    }
  }

  /// By when shares of the pushes sent were delivered: the median of those delivered says nothing of the others.
  private static func ofAllSent(_ view: RunView) -> [Block] {
    let levels = ["p10", "p25", "p50", "p75", "p90"]
    let known = view.strategies.filter { $0.record.quantilesOfSent != nil }
    guard !known.isEmpty else { return [] }
    return [
      .table(
        view.table(
          "delivered of all sent", levels.map { .number(Words($0.dropFirst() + " % by")) }, of: known
        ) { strategy in
          levels.map { level in
            let time = strategy.record.quantilesOfSent?[level]?.estimate
            return Words(time.map { NumberText.duration(seconds: $0) } ?? "never")
          }
        })
    ]
  }

  private static func figure(_ curves: [Chart.Curve], _ title: Words, _ takeaway: Words, _ table: Table?)
    -> Figure?
  {
    let times = curves.flatMap { $0.points.map(\.x) }.filter { $0 > 0 }
    guard let low = times.min(), let high = times.max() else { return nil }
    let top = curves.flatMap { $0.points.map(\.y) + $0.band.map(\.high) }.max() ?? 1
    let x = Scale(durations: max(low, 0.1), max(high, 1), (46, Chart.width - 138))
    let y = Scale(upTo: top, (240, 24), limit: 1)
    let (xTitle, yTitle) = ("time since the send", "share of the pushes sent")
    let label = "Share of pushes by time since the send"
    return Figure(
      title: title, takeaway: takeaway,
      chart: Chart.curves(
        curves, x: x, y: y, xStyle: .duration, yStyle: .percent(decimals: 1), xTitle: xTitle, yTitle: yTitle,
        label: label),
      table: table)
  }

  /// With other ends competing, shares of all pushes.
  private static func incidence(_ view: RunView) -> [Figure] {
    var ends: [String] = []
    for strategy in view.senders {
      for end in strategy.record.incidence?.ends.names ?? [] where !ends.contains(end) { ends.append(end) }
    }
    var charts: [(most: Double, chart: Figure)] = []
    for end in ends {
      var curves: [Chart.Curve] = []
      var table = Table(label: "Cumulative incidence", columns: [Table.Column("time")], rows: [])
      for strategy in view.strategies {
        guard let at = strategy.at.incidence.present(), let field = at.ends[end] else { continue }
        let (times, values) = (at.value.times, field.value.estimate)
        guard times.count == values.count, values.contains(where: { $0 > 0 }) else { continue }
        var curve = Chart.Curve(
          name: strategy.label, index: strategy.index, points: [], title: strategy.label)
        let (low, high) = ((field.value.low ?? nil) ?? [], (field.value.high ?? nil) ?? [])
        for (i, time) in times.enumerated() where time > 0 {
          curve.points.append((time, values[i]))
          if low.indices.contains(i), high.indices.contains(i) { curve.band.append((time, low[i], high[i])) }
        }
        curves.append(curve)
        table.columns.append(.number(strategy.name))
        let numbers = field.estimate.elements()
        // Every third time of many, and the last: the file has them all.
        let listed = times.indices.filter { times.count <= 16 || ($0 - times.count + 1) % 3 == 0 }
        for (row, i) in listed.enumerated() {
          if table.rows.count <= row { table.rows.append([Words(NumberText.duration(seconds: times[i]))]) }
          table.rows[row].append(numbers[i].words(.percent(decimals: 1)))
        }
      }
      // A fate of next to no push has no curve worth a look; the counts have it.
      guard let best = curves.max(by: { ($0.points.last?.y ?? 0) < ($1.points.last?.y ?? 0) }),
        let last = best.points.last, end == "delivered" || last.y >= smallest
      else { continue }
      let bands = curves.contains { !$0.band.isEmpty } ? " Bands: \(view.confidence) intervals." : ""
      let figure = figure(
        curves, "Ended as: \(Wording.words(end))",
        "The share of all pushes that had ended so by then. Most: \(name: best.name), \(NumberText.percent(last.y)) by \(NumberText.duration(seconds: last.x)).\(bands)",
        table)
      if let figure { charts.append((end == "delivered" ? .infinity : last.y, figure)) }
    }
    // Delivery first, then what ends most.
    return charts.enumerated().sorted { ($1.element.most, $0.offset) < ($0.element.most, $1.offset) }
      .map(\.element.chart)
  }

  /// Without incidence: the quantiles of those delivered, as shares of all.
  private static func fromQuantiles(_ view: RunView) -> Figure? {
    let curves = view.senders.map { strategy -> Chart.Curve in
      let latency = strategy.record.latency
      let points = LatencyRecord.shares.compactMap { key, share -> (Double, Double)? in
        latency[keyPath: key].map {
          (max($0, 0.01), share * Double(latency.count) / Double(strategy.record.sent))
        }
      }
      return Chart.Curve(
        name: strategy.label, index: strategy.index, points: points, title: strategy.label, hasMarks: true)
    }
    guard let fastest = curves.filter({ !$0.points.isEmpty }).min(by: { $0.points[0].x < $1.points[0].x })
    else { return nil }
    return figure(
      curves, "Delivered by then",
      "At the times by which 50, 90, 95 and 99 % of the delivered pushes had come. Shortest median: \(name: fastest.name), \(NumberText.duration(seconds: fastest.points[0].x)).",
      nil)
  }
}

/// When pushes were delivered.
enum HourSection {
  static func blocks(_ view: RunView) -> [Block] {
    let all = [lines(view)] + view.senders.map { heat(view, $0) }
    return [
      .figures(all.compactMap(\.self), shown: 2, rest: "By hour and battery level, the other strategies")
    ]
  }

  private static func lines(_ view: RunView) -> Figure? {
    var table = Table(
      label: "Pushes by hour", columns: [Table.Column("hour")], rows: (0..<24).map { ["\($0)–\($0 + 1)"] })
    var curves: [Chart.Curve] = []
    for strategy in view.senders where strategy.record.byHour.count == 24 {
      var points: [(x: Double, y: Double)] = []
      for (hour, cell) in strategy.at.byHour.elements().enumerated() {
        table.rows[hour] += [cell.sent.words(.count), cell.within5min.words(.count)]
        guard cell.value.sent > 0 else { continue }
        points.append((Double(hour) + 0.5, Double(cell.value.within5min) / Double(cell.value.sent)))
      }
      table.columns += [.number("\(strategy.name): sent"), .number("within 5 min")]
      curves.append(
        Chart.Curve(name: strategy.label, index: strategy.index, points: points, title: strategy.label))
    }
    let all = curves.flatMap { curve in curve.points.map { (curve.name, $0) } }
    guard let best = all.max(by: { $0.1.y < $1.1.y }), let worst = all.min(by: { $0.1.y < $1.1.y }) else {
      return nil
    }
    let x = Scale((0, 24), ticks: (0...8).map { Double($0) * 3 }, (46, Chart.width - 138))
    let y = Scale(upTo: best.1.y, (240, 24), limit: 1)
    let (xTitle, yTitle) = ("hour of the day, local time", "share of the pushes sent")
    let label = "Share delivered within 5 min by hour of the day"
    return Figure(
      title: "Delivered within 5 min, by hour of the send",
      takeaway:
        "Best: \(NumberText.percent(best.1.y)) at \(Int(best.1.x)) h with \(name: best.0). Worst: \(NumberText.percent(worst.1.y)) at \(Int(worst.1.x)) h with \(name: worst.0).",
      chart: Chart.curves(
        curves, x: x, y: y, xStyle: .fixed(suffix: ""), yStyle: .percent(decimals: 1), xTitle: xTitle,
        yTitle: yTitle, label: label),
      table: table)
  }

  /// 24 hours of tenths of the battery each; nil where they all say about the same.
  private static func heat(_ view: RunView, _ strategy: RunView.Strategy) -> Figure? {
    guard let cells = strategy.record.byHourAndBattery, cells.count == 24, let rows = cells.first?.count,
      rows > 0, cells.allSatisfy({ $0.count == rows })
    else { return nil }
    func share(_ part: [HourCellRecord]) -> Double? {
      let sent = part.reduce(0) { $0 + $1.sent }
      return sent > 0 ? Double(part.reduce(0) { $0 + $1.within5min }) / Double(sent) : nil
    }
    let shares = cells.map { $0.map { share([$0]) } }
    let known = shares.joined().compactMap(\.self)
    guard let least = known.min(), let most = known.max(), most - least > 0.02 else { return nil }
    func range(_ row: Int) -> String { "\(row * 100 / rows)–\((row + 1) * 100 / rows) %" }
    let (low, high) = (share(cells.flatMap { $0.prefix(2) }), share(cells.flatMap { $0.dropFirst(2) }))
    return Figure(
      title: "\(strategy.name): by hour and battery level",
      takeaway:
        "Delivered within 5 min. In the lowest fifth of the battery: \(low.map { NumberText.percent($0) } ?? "–"); above it: \(high.map { NumberText.percent($0) } ?? "–"). Empty cells: no push.",
      chart: Chart.heat(
        shares, between: least, most,
        rows: Chart.HeatAxis(
          title: "battery level",
          names: (0..<rows).map { $0 % 2 == 0 ? "\($0 * 100 / rows) %" : "" }),
        columns: Chart.HeatAxis(
          title: "hour of the day, local time", names: (0..<24).map { $0 % 3 == 0 ? "\($0)" : "" }),
        key: (
          NumberText.percent(least, decimals: 0), "\(NumberText.percent(most, decimals: 0)) within 5 min"
        ),
        titles: { hour, row in
          let words =
            shares[hour][row].map {
              "\(NumberText.percent($0)) of \(NumberText.grouped(cells[hour][row].sent)) pushes"
            }
            ?? "no push"
          return "\(hour) h, battery \(range(row)): \(words)"
        }, label: "Delivered within 5 min by hour and battery level, \(strategy.label)"))
  }
}

/// How old the content was that users found.
enum FreshnessSection {
  static func blocks(_ view: RunView) -> [Block] {
    let metric = "staleness_at_open_s"
    let known = view.strategies.filter { $0.record.metric(metric) != nil }
    let rows = known.map { strategy in
      let record = strategy.record.metrics[metric]!
      let values = [("p50", record.p50), ("p90", record.p90), ("p99", record.p99)]
      return (
        label: strategy.label,
        values: values.compactMap { name, value in (value ?? nil).map { (name: name, seconds: $0) } }
      )
    }.filter { !$0.values.isEmpty }
    guard !rows.isEmpty else { return [] }
    let none = rows.filter { $0.values[0].seconds == 0 }.map(\.label)
    let words =
      none.isEmpty
      ? "Lowest median: "
        + (rows.min { $0.values[0].seconds < $1.values[0].seconds }.map {
          "\($0.label), \(NumberText.duration(seconds: $0.values[0].seconds))"
        } ?? "–") + "."
      : "With \(Wording.list(none)) at least half of the opens find nothing missed."
    return [
      .page([
        .figure(
          Figure(
            title: "Age of what users found",
            takeaway: Words(
              "The age of the first missed update at an open: median (p50), and the age below which 90 and 99 % of opens lie. "
                + words),
            chart: Chart.ranges(rows, title: "age of the content", label: "Staleness at open by strategy")))
      ]), .text([.heading("age of the first missed update at an open, 0 when fresh")]),
      .table(
        view.table(
          "Staleness at open",
          [
            .number("mean"), .number("p50"), .number("p90"), .number("p99"), .number("fresh"),
            .number("fresh, by user"),
          ], of: known
        ) { strategy in
          let at = strategy.at.metrics[metric]!
          return [strategy.words(metric)]
            + [at.p50.words(.duration), at.p90.words(.duration), at.p99.words(.duration)]
            + [strategy.words("fresh_open"), strategy.words("fresh_open_per_user")]
        }),
    ]
  }
}

/// How long each factor held pushes.
enum HeldSection {
  static func blocks(_ view: RunView) -> [Block] {
    let figures = view.senders.compactMap { strategy -> Figure? in
      let bars = strategy.record.heldTime.items.filter { $0.value > 0 }.sorted { $1.value < $0.value }
        .map { name, seconds in
          let each = seconds / Double(strategy.record.sent)
          return Chart.Bar(
            label: Wording.words(name), value: each, low: nil, high: nil,
            text: NumberText.duration(seconds: each), index: strategy.index)
        }
      guard let most = bars.first else { return nil }
      return Figure(
        title: strategy.name, takeaway: "Longest: \(most.label), \(most.text) for each push sent.",
        chart: Chart.bars(
          bars, axis: "time held, for each push sent", style: .duration, limit: .infinity,
          label: "Time held by factor, \(strategy.label)"))
    }
    guard !figures.isEmpty else { return [] }
    return [
      .page([
        .paragraph(
          "How long pushes waited on devices by the factor of the policy that held them when they arrived, spread over all that were sent."
        ), .figures(figures, shown: 2, rest: "The other strategies"),
      ])
    ]
  }
}
