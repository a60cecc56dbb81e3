public import ScenarioDecoding

/// The result of `pushsim sensitivity` as a page, from its JSON alone.
public enum SensitivityPage {
  /// Parameters of a chart or table; the file has all.
  private static let mostShown = 15

  public static func text(_ study: JSONValue) -> String {
    let metric = study["metric"]?.string ?? ""
    let style = NumberStyle(unit: study["unit"]?.string ?? "")
    let strategies = (study["base"]?.members ?? []).map(\.key)
    var sections = [Section("answer", "What would change the conclusion", answer(study, metric, style))]
    for (index, strategy) in strategies.enumerated() {
      sections.append(
        Section(
          "strategy-\(index)", strategy,
          tornado(study, strategy, metric, style) + morris(study, strategy, style) + sobol(study, strategy)))
    }
    sections.append(Section("method", "Method", method(study)))
    let links = sections.dropFirst().map { "<a href=\"#\($0.id)\"><bdi>\($0.title)</bdi></a>" as Markup }
    let name = "\(study["scenario"]?.string ?? "scenario"): what \(Wording.metric(metric)) depends on"
    return ReportPage.page(
      name: name, title: "<bdi>\(name)</bdi>", question: study["question"]?.string ?? "",
      note: "\(study["note"]?.string ?? "")",
      contents: "<nav class=\"top\" aria-label=\"Contents\">\(Markup.joined(links))</nav>",
      Markup.joined(sections.map(HTMLRenderer.section)))
  }

  private static func answer(_ study: JSONValue, _ metric: String, _ style: NumberStyle) -> [Block] {
    let base = (study["base"]?.members ?? []).map { strategy -> Words in
      let value = strategy.value
      let words = value["mean"]?.double.map {
        style.estimate($0, value["low"]?.double, value["high"]?.double)
      }
      return
        "\(strong: Words([.name(strategy.key)])): \(Wording.metric(metric)) \(words ?? "–") at the scenario's values."
    }
    let conclusion = (study["conclusion"]?.elements ?? []).compactMap(\.string).map { Words([.name($0)]) }
    return [.list(conclusion, shown: 8), .list(base)]
  }

  private static func tornado(_ study: JSONValue, _ strategy: String, _ metric: String, _ style: NumberStyle)
    -> [Block]
  {
    guard let all = study["tornado"]?.elements, !all.isEmpty else { return [] }
    func effect(_ bar: JSONValue, _ end: String) -> JSONValue? { bar[end]?["effects"]?[strategy] }
    func mean(_ bar: JSONValue, _ end: String) -> Double { effect(bar, end)?["mean"]?.double ?? 0 }
    func size(_ bar: JSONValue) -> Double { max(mean(bar, "low").magnitude, mean(bar, "high").magnitude) }
    let clear = all.filter { $0["within_chance"]?[strategy]?.bool == false && size($0) > 0 }
      .sorted { size($1) < size($0) }
    let shown = clear.prefix(mostShown)
    guard !shown.isEmpty else { return [.paragraph("No parameter by itself has an effect beyond chance.")] }
    let bars = shown.map { bar in
      Chart.Swing(
        label: bar["parameter"]?.string ?? "–", low: mean(bar, "low"), high: mean(bar, "high"),
        lowText: bar["low"]?["value"]?.string ?? "", highText: bar["high"]?["value"]?.string ?? "")
    }
    func cell(_ bar: JSONValue, _ end: String) -> Words {
      guard let found = effect(bar, end), let mean = found["mean"]?.double else { return "–" }
      return Words(style.change(mean, found["low"]?.double, found["high"]?.double))
    }
    func value(_ bar: JSONValue, _ end: String) -> Words { Words(bar[end]?["value"]?.string ?? "–") }
    let table = Table(
      label: "Effects of single parameters on \(strategy)",
      columns: [
        Table.Column("parameter"), .number("from"), .number("effect"), .number("to"), .number("effect"),
      ],
      rows: shown.map { bar in
        [
          Words([.code(bar["parameter"]?.string ?? "–")]), value(bar, "low"), cell(bar, "low"),
          value(bar, "high"), cell(bar, "high"),
        ]
      })
    return [
      .figure(
        Figure(
          title: "One parameter at a time",
          takeaway:
            "Change of \(Wording.metric(metric)) when a parameter goes from the scenario's value to the 5 % (hollow) and 95 % (filled) point of what is plausible. Of \(all.count) parameters \(clear.count) have an effect beyond chance\(clear.count > shown.count ? "; the largest are shown" : "").",
          chart: Chart.swings(bars, style: style, label: "Effects of single parameters on \(strategy)"),
          table: table, isWide: true))
    ]
  }

  private static func morris(_ study: JSONValue, _ strategy: String, _ style: NumberStyle) -> [Block] {
    guard let all = study["morris"]?[strategy]?.elements, !all.isEmpty else { return [] }
    let clear = all.filter { $0["above_chance"]?.bool == true }
      .sorted { ($1["mu_star"]?.double ?? 0) < ($0["mu_star"]?.double ?? 0) }
    return [
      .heading("All parameters at once (Morris)"),
      .paragraph(
        "\(clear.count) of \(all.count) parameters have effects beyond chance. Spread: how much an effect depends on where the others are."
      ),
      .table(
        Table(
          label: "Effects with all parameters moving, \(strategy)",
          columns: [Table.Column("parameter")]
            + ["mean size of the effect", "from", "to", "mean effect", "spread"].map { .number(Words($0)) },
          rows: clear.prefix(mostShown).map { row in
            [Words([.code(row["parameter"]?.string ?? "–")])]
              + ["mu_star", "mu_star_low", "mu_star_high", "mu", "sigma"].map {
                Words(row[$0]?.double.map { style.size($0) } ?? "–")
              }
          })),
    ]
  }

  private static func sobol(_ study: JSONValue, _ strategy: String) -> [Block] {
    guard let all = study["sobol"]?[strategy]?.elements, !all.isEmpty else { return [] }
    let ranked = all.sorted { ($1["total"]?.double ?? 0) < ($0["total"]?.double ?? 0) }
    return [
      .heading("Shares of the variance (Sobol indices)"),
      .paragraph(
        "Alone: what the answer's variance would lose were the parameter known. With interactions: what would be left were all others known."
      ),
      .table(
        Table(
          label: "Shares of the variance, \(strategy)",
          columns: [Table.Column("parameter"), .number("alone"), .number("with interactions")],
          rows: ranked.prefix(mostShown).map { row in
            func share(_ key: String) -> Words {
              let style = NumberStyle.percent(decimals: 0)
              return Words(
                row[key]?.double.map {
                  style.estimate($0, row[key + "_low"]?.double, row[key + "_high"]?.double)
                }
                  ?? "–")
            }
            return [Words([.code(row["parameter"]?.string ?? "–")]), share("first"), share("total")]
          })),
    ]
  }

  private static func method(_ study: JSONValue) -> [Block] {
    let parameters = study["parameters"]?.elements ?? []
    return [
      .paragraph(
        "All points meet the same lives of the same devices. An effect is within chance when its intervals hold 0 at both ends; of many parameters that do nothing a few will seem to have an effect. What the priors say is itself assumed."
      ),
      .table(
        Table(
          label: "Provenance", columns: [Table.Column("what"), Table.Column("value")],
          rows: (study["provenance"]?.members ?? []).map {
            [Words([.code($0.key)]), Words($0.value.plainText)]
          })),
      .fold(
        "The parameters (\(parameters.count))",
        [
          .table(
            Table(
              label: "Parameters",
              columns: ["parameter", "value", "plausible", "evidence"].map { Table.Column(Words($0)) },
              rows: parameters.map { item in
                [Words([.code(item["parameter"]?.string ?? "")])]
                  + ["value", "prior", "evidence"].map { Words(item[$0]?.string ?? "–") }
              }, isFluid: true))
        ]),
    ]
  }
}

extension Chart {
  /// What a parameter does at the two ends of its range.
  struct Swing {
    var label: String
    var low: Double
    var high: Double
    var lowText: String
    var highText: String
  }

  /// Bars to both sides of zero, the largest first; the end below is hollow.
  static func swings(_ swings: [Swing], style: NumberStyle, label: String) -> Markup {
    let width = 960.0
    let rowHeight = 34.0
    let middle = width / 2
    let largest = max(swings.map { max($0.low.magnitude, $0.high.magnitude) }.max() ?? 0, 1e-12)
    let scale = { (value: Double) in middle + value / largest * (width / 2 - 150) }
    let bottom = Double(swings.count) * rowHeight + 6
    var content = line(middle, 0, middle, bottom, "axis")
    for (index, swing) in swings.enumerated() {
      let y = Double(index) * rowHeight
      content += Self.label(fitted(swing.label, width - 8), 2, y + 12)
      // Side by side where both ends go the same way.
      for (value, text, offset, name) in [
        (swing.low, swing.lowText, 16.0, "swing"), (swing.high, swing.highText, 23.0, "bar"),
      ] {
        let (a, b) = (min(middle, scale(value)), max(middle, scale(value)))
        content +=
          "<rect x=\"\(a)\" y=\"\(y + offset)\" width=\"\(max(1, b - a))\" height=\"6\" class=\"\(name)\"><title>\(swing.label) \(text): \(style.difference(value))</title></rect>"
      }
      // Both ends say where they lead; of two that go the same way the nearer one speaks beyond the axis.
      let isLowNearer = swing.low.magnitude <= swing.high.magnitude
      let isSameWay = swing.low * swing.high > 0
      for (value, text, isNearer) in [
        (swing.low, swing.lowText, isLowNearer), (swing.high, swing.highText, !isLowNearer),
      ] {
        let isBeyond = isSameWay && isNearer
        let goesLeft = (value < 0) != isBeyond
        let end = isBeyond ? middle : scale(value)
        content += Self.label(
          fitted("\(text): \(style.difference(value))", 148, size: 11), end + (goesLeft ? -4 : 4), y + 27,
          anchor: goesLeft ? "end" : "start", class: "l small")
      }
    }
    return svg(height: bottom + 4, width: width, label: label, content)
  }
}
