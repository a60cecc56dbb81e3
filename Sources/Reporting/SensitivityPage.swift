/// The result of `pushsim sensitivity` as a page, from its JSON alone.
public enum SensitivityPage {
  /// Parameters of a chart or table; the file has all.
  private static let mostShown = 15

  public static func text(_ study: JSONValue) -> String {
    let metric = study["metric"]?.string ?? ""
    let style = NumberStyle(unit: study["unit"]?.string ?? "")
    var body = answer(study, metric, style)
    for (index, strategy) in (study["base"]?.members ?? []).enumerated() {
      let parts: [Markup] = [
        tornado(study, strategy.key, metric, style), morris(study, strategy.key, style),
        sobol(study, strategy.key),
      ]
      body +=
        "<section aria-labelledby=\"strategy-\(index)\">\n<h2 id=\"strategy-\(index)\"><bdi>\(strategy.key)</bdi></h2>\n\(Markup.joined(parts))</section>\n"
    }
    body += method(study)
    let links = (study["base"]?.members ?? []).enumerated().map { index, strategy -> Markup in
      "<a href=\"#strategy-\(index)\"><bdi>\(strategy.key)</bdi></a>"
    }
    return ReportPage.page(
      title: "\(study["scenario"]?.string ?? "scenario"): what \(ReportParts.metric(metric)) depends on",
      question: study["question"]?.string ?? "", note: study["note"]?.string,
      contents: "<nav aria-label=\"Contents\">\(Markup.joined(links))<a href=\"#method\">Method</a></nav>",
      body)
  }

  private static func answer(_ study: JSONValue, _ metric: String, _ style: NumberStyle) -> Markup {
    let base: [Markup] = (study["base"]?.members ?? []).map { strategy in
      var text: Markup =
        "<b><bdi>\(strategy.key)</bdi></b>: \(ReportParts.metric(metric)) \(strategy.value["mean"]?.double.map(style.text) ?? "–")"
      if let low = strategy.value["low"]?.double, let high = strategy.value["high"]?.double {
        let ends = style.interval(low, high)
        text += " <span class=\"ci\">(\(ends.low) to \(ends.high))</span>"
      }
      return text + " at the scenario's values."
    }
    let conclusion = (study["conclusion"]?.elements ?? []).compactMap(\.string).map { text -> Markup in
      "<bdi>\(text)</bdi>"
    }
    return
      "<section aria-labelledby=\"answer\">\n<h2 id=\"answer\">What would change the conclusion</h2>\n<div class=\"answer\">\(ReportParts.list(conclusion, shown: 8))\(ReportParts.list(base))</div>\n</section>\n"
  }

  private static func tornado(_ study: JSONValue, _ strategy: String, _ metric: String, _ style: NumberStyle)
    -> Markup
  {
    guard let all = study["tornado"]?.elements, !all.isEmpty else { return "" }
    func effect(_ bar: JSONValue, _ end: String) -> JSONValue? { bar[end]?["effects"]?[strategy] }
    func size(_ bar: JSONValue) -> Double {
      max(
        (effect(bar, "low")?["mean"]?.double ?? 0).magnitude,
        (effect(bar, "high")?["mean"]?.double ?? 0).magnitude)
    }
    let clear = all.filter { $0["within_chance"]?[strategy]?.bool == false && size($0) > 0 }
      .sorted { size($1) < size($0) }
    let shown = clear.prefix(mostShown)
    guard !shown.isEmpty else {
      return "<p>No parameter by itself has an effect beyond chance.</p>\n"
    }
    let bars = shown.map { bar in
      Chart.Swing(
        label: bar["parameter"]?.string ?? "–",
        low: effect(bar, "low")?["mean"]?.double ?? 0, high: effect(bar, "high")?["mean"]?.double ?? 0,
        lowText: bar["low"]?["value"]?.string ?? "", highText: bar["high"]?["value"]?.string ?? "")
    }
    func cell(_ bar: JSONValue, _ end: String) -> Markup {
      guard let found = effect(bar, end), let mean = found["mean"]?.double else { return "–" }
      var text: Markup = "\(style.difference(mean))"
      if let low = found["low"]?.double, let high = found["high"]?.double {
        text += "<span class=\"ci\"> (\(style.difference(low)) to \(style.difference(high)))</span>"
      }
      return text
    }
    let table = ReportParts.table(
      [
        ReportParts.Column("parameter"), ReportParts.Column("from", number: true),
        ReportParts.Column("effect", number: true), ReportParts.Column("to", number: true),
        ReportParts.Column("effect", number: true),
      ],
      shown.map { bar in
        [
          ReportParts.code(bar["parameter"]?.string ?? "–"), "\(bar["low"]?["value"]?.string ?? "–")",
          cell(bar, "low"), "\(bar["high"]?["value"]?.string ?? "–")", cell(bar, "high"),
        ]
      }, label: "Effects of single parameters on \(strategy)")
    return "<div class=\"charts\">"
      + ReportParts.figure(
        "One parameter at a time",
        takeaway:
          "Change of \(ReportParts.metric(metric)) when a parameter goes from the scenario's value to the 5 % (hollow) and 95 % (filled) point of what is plausible. Of \(all.count) parameters \(clear.count) have an effect beyond chance\(clear.count > shown.count ? "; the largest are shown" : "").",
        Chart.swings(bars, style: style, label: "Effects of single parameters on \(strategy)"), table: table,
        isWide: true) + "</div>\n"
  }

  private static func number(_ value: JSONValue?, _ style: NumberStyle) -> Markup {
    "\(value?.double.map { style.size($0) } ?? "–")"
  }

  private static func morris(_ study: JSONValue, _ strategy: String, _ style: NumberStyle) -> Markup {
    guard let all = study["morris"]?[strategy]?.elements, !all.isEmpty else { return "" }
    let clear = all.filter { $0["above_chance"]?.bool == true }
      .sorted { ($1["mu_star"]?.double ?? 0) < ($0["mu_star"]?.double ?? 0) }
    return
      "<h3>All parameters at once (Morris)</h3>\n<p>\(clear.count) of \(all.count) parameters have effects beyond chance. Spread: how much an effect depends on where the others are.</p>\n"
      + ReportParts.table(
        [
          ReportParts.Column("parameter"), ReportParts.Column("mean size of the effect", number: true),
          ReportParts.Column("from", number: true), ReportParts.Column("to", number: true),
          ReportParts.Column("mean effect", number: true), ReportParts.Column("spread", number: true),
        ],
        clear.prefix(mostShown).map { row in
          [ReportParts.code(row["parameter"]?.string ?? "–")]
            + ["mu_star", "mu_star_low", "mu_star_high", "mu", "sigma"].map { number(row[$0], style) }
        }, label: "Effects with all parameters moving, \(strategy)")
  }

  private static func sobol(_ study: JSONValue, _ strategy: String) -> Markup {
    guard let all = study["sobol"]?[strategy]?.elements, !all.isEmpty else { return "" }
    let ranked = all.sorted { ($1["total"]?.double ?? 0) < ($0["total"]?.double ?? 0) }
    return
      "<h3>Shares of the variance (Sobol indices)</h3>\n<p>Alone: what the answer's variance would lose were the parameter known. With interactions: what would be left were all others known.</p>\n"
      + ReportParts.table(
        [
          ReportParts.Column("parameter"), ReportParts.Column("alone", number: true),
          ReportParts.Column("with interactions", number: true),
        ],
        ranked.prefix(mostShown).map { row in
          [ReportParts.code(row["parameter"]?.string ?? "–")]
            + ["first", "total"].map { key in
              func share(_ key: String) -> String {
                row[key]?.double.map { NumberText.percent($0, decimals: 0) } ?? "–"
              }
              return
                "\(share(key))<span class=\"ci\"> (\(share(key + "_low")) to \(share(key + "_high")))</span>"
            }
        }, label: "Shares of the variance, \(strategy)")
  }

  private static func method(_ study: JSONValue) -> Markup {
    "<section aria-labelledby=\"method\">\n<h2 id=\"method\">Method</h2>\n<p>All points meet the same lives of the same devices. An effect is within chance when its intervals hold 0 at both ends; of many parameters that do nothing a few will seem to have an effect. What the priors say is itself assumed.</p>\n"
      + ReportParts.table(
        [ReportParts.Column("what"), ReportParts.Column("value")],
        (study["provenance"]?.members ?? []).map { [ReportParts.code($0.key), "\($0.value.plainText)"] },
        label: "Provenance")
      + "<details><summary>The parameters (\(study["parameters"]?.elements.count ?? 0))</summary>"
      + ReportParts.table(
        [
          ReportParts.Column("parameter"), ReportParts.Column("value"), ReportParts.Column("plausible"),
          ReportParts.Column("evidence"),
        ],
        (study["parameters"]?.elements ?? []).map { item in
          [ReportParts.code(item["parameter"]?.string ?? "")]
            + ["value", "prior", "evidence"].map { "\(item[$0]?.string ?? "–")" }
        }, label: "Parameters", isFluid: true) + "</details>\n</section>\n"
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
      // The end that reaches farther says so.
      let isLow = swing.low.magnitude > swing.high.magnitude
      let value = isLow ? swing.low : swing.high
      let text = "\(isLow ? swing.lowText : swing.highText): \(style.difference(value))"
      content += Self.label(
        fitted(text, 148, size: 11), scale(value) + (value < 0 ? -4 : 4), y + 27,
        anchor: value < 0 ? "end" : "start",
        class: "l small")
    }
    return svg(height: bottom + 4, width: width, label: label, content)
  }
}
