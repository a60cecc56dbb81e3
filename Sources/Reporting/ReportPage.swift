/// The result as one HTML page that needs nothing else: no network, no other file. Made from the JSON of a
/// result alone, so that a page can be made again without simulating; the same JSON gives the same bytes.
public enum ReportPage {
  public static func text(_ result: JSONValue) -> String { text(result, isLive: LiveCharts.isAvailable) }

  /// - Parameter isLive: whether the page carries the chart library.
  static func text(_ result: JSONValue, isLive: Bool) -> String {
    let runs = ReportRun.all(result)
    var body: Markup = ""
    if runs.count > 1 { body += PolicySection.differences(result, runs) }
    var contents: Markup = ""
    for run in runs {
      let made = parts.map { ($0.id + run.suffix, $0.title, $0.make(run)) }.filter { !$0.2.isEmpty }
      let links = Markup.joined(made.map { id, title, _ in "<a href=\"#\(id)\">\(title)</a>" })
      if runs.count > 1 {
        body += "<h1 id=\"policy\(run.suffix)\">Under the policy <bdi>\(run.policyText)</bdi></h1>\n"
        body += "<nav aria-label=\"Contents of policy \(run.policy)\">\(links)</nav>\n"
        contents += "<a href=\"#policy\(run.suffix)\">Policy <bdi>\(run.policy)</bdi></a>"
      } else {
        contents = links
      }
      for (id, title, content) in made {
        body +=
          "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title)</h2>\n\(content)</section>\n"
      }
    }
    if runs.count > 1 { contents = "<a href=\"#policies\">Policies side by side</a>" + contents }
    contents += "<a href=\"#reproduce\">Reproduce</a>"
    body += ReproduceSection.markup(result)
    return page(
      title: result["scenario"]?.string ?? "result", question: result["question"]?.string ?? "",
      note: runs.first?.value["note"]?.string,
      contents: "<nav aria-label=\"Contents\">\(contents)</nav>", body, isLive: isLive)
  }

  /// A page around its parts.
  static func page(
    title: String, question: String, note: String?, contents: Markup, _ body: Markup, isLive: Bool = false
  ) -> String {
    let scripts = isLive ? LiveCharts.scriptSources : "'none'"
    let policy =
      "default-src 'none'; script-src \(scripts); style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    let head: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <link rel="icon" href="data:,"/>
      <title>\(title) – pushsim</title>
      <style>
      \(Markup.verbatim(ReportStyle.css))
      </style>
      </head>
      <body>
      <header>
      <h1><bdi>\(title)</bdi></h1>
      <p class="lead"><bdi>\(question)</bdi></p>
      <p class="mut">\(note ?? "")</p>
      \(contents)
      </header>
      <main>
      \(body)
      </main>
      <footer><p>Written by pushsim \(pushsimVersion). The page holds all it needs and loads nothing.</p>\(isLive ? LiveCharts.notice : "")</footer>
      \(isLive ? LiveCharts.scripts : "")
      </body>
      </html>

      """
    return head.text
  }

  private static let parts: [(id: String, title: String, make: @Sendable (ReportRun) -> Markup)] = [
    ("answer", "Answer", AnswerSection.markup),
    ("strategies", "Strategies side by side", StrategySection.markup),
    ("comparisons", "Differences between strategies", ComparisonSection.markup),
    ("fates", "Where pushes went", FateSection.markup),
    ("mechanisms", "Calls, extensions, tasks, downloads", MechanismSection.markup),
    ("latency", "How soon", LatencySection.markup),
    ("hours", "By hour of the day", HourSection.markup),
    ("segments", "By user and device", SegmentSection.markup),
    ("freshness", "Freshness at open", FreshnessSection.markup),
    ("energy", "Freshness against energy", ParetoSection.markup),
    ("held", "Time held", HeldSection.markup),
    ("timelines", "Single devices", TimelineSection.markup),
    ("uncertainty", "What is not known, carried through", UncertaintySection.markup),
    ("expectations", "Expectations", ExpectationSection.markup),
    ("assumptions", "Assumptions", AssumptionSection.markup),
    ("method", "Method", MethodSection.markup),
    ("provenance", "Provenance", ProvenanceSection.markup),
  ]
}

/// Parts that pages are made of.
enum ReportParts {
  /// A chart with its title, what it shows in a sentence, and the same as a table; `live` is what ``LiveCharts`` makes of
  /// it.
  static func figure(
    _ title: Markup, takeaway: Markup, _ chart: Markup, live: Markup = "", table: Markup, isWide: Bool = false
  ) -> Markup {
    guard !chart.isEmpty else { return "" }
    let drawing: Markup =
      isWide
      ? "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"chart\">\(chart)</div>" : chart
    let values: Markup =
      table.isEmpty ? "" : "<details><summary>Exact values</summary>\(table)</details>\n"
    return """
      <figure\(isWide ? " class=\"wide\"" as Markup : "")>
      <figcaption><h3>\(title)</h3><p>\(takeaway)</p></figcaption>
      \(drawing)
      \(live)\(values)</figure>

      """
  }

  /// Charts beside each other; those beyond the first few are folded away, so that the page stays short.
  static func charts(_ charts: [Markup], shown: Int, rest: Markup) -> Markup {
    let charts = charts.filter { !$0.isEmpty }
    guard !charts.isEmpty else { return "" }
    // A single one is not worth folding.
    let count = charts.count <= shown + 1 ? charts.count : shown
    var body: Markup = "<div class=\"charts\">\(Markup.joined(Array(charts.prefix(count))))</div>\n"
    let others = Array(charts.dropFirst(count))
    if !others.isEmpty {
      body +=
        "<details><summary>\(rest) (\(others.count))</summary><div class=\"charts\">\(Markup.joined(others))</div></details>\n"
    }
    return body
  }

  /// Sentences; those beyond the first few are folded away.
  static func list(_ items: [Markup], shown: Int) -> Markup {
    guard items.count > shown + 1 else { return list(items) }
    return list(Array(items.prefix(shown)))
      + "<details><summary>\(items.count - shown) more</summary>\(list(Array(items.dropFirst(shown))))</details>\n"
  }

  struct Column {
    var title: Markup
    var isNumber: Bool
    init(_ title: Markup, number: Bool = false) {
      self.title = title
      isNumber = number
    }
  }

  /// A table in a box that scrolls by itself. The first cell of a row names it.
  ///
  /// - Parameter isFluid: its cells are sentences, and share the width of the page.
  static func table(_ columns: [Column], _ rows: [[Markup]], label: String, isFluid: Bool = false) -> Markup {
    guard !rows.isEmpty else { return "" }
    var head: Markup = ""
    for column in columns {
      head += "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" as Markup : "")>\(column.title)</th>"
    }
    var body: Markup = ""
    for row in rows {
      body += "<tr>"
      for (index, cell) in row.enumerated() {
        let isNumber = columns.indices.contains(index) && columns[index].isNumber
        if index == 0 {
          body += "<th scope=\"row\"><div class=\"k\">\(cell)</div></th>"
        } else {
          body += isNumber ? "<td class=\"n\">\(cell)</td>" : "<td><div class=\"k\">\(cell)</div></td>"
        }
      }
      body += "</tr>\n"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table\(isFluid ? " class=\"fluid\"" as Markup : "")>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body)</tbody></table></div>

      """
  }

  static func name(_ text: String) -> Markup { "<bdi>\(text)</bdi>" }

  /// A path or a key, which may break after a dot or an underscore.
  static func code(_ text: String) -> Markup {
    var parts: Markup = ""
    var piece = ""
    for character in text {
      piece.append(character)
      if character == "." || character == "_" {
        parts += "\(piece)<wbr/>"
        piece = ""
      }
    }
    return "<code>\(parts)\(piece)</code>"
  }

  /// `not_wakeable` as words.
  static func words(_ name: String) -> String {
    name.split(separator: "_", omittingEmptySubsequences: false).map { word in
      switch word {
      case "apns": "APNs"
      case "cpu": "CPU"
      case "iphone": "iPhone"
      case "ipad": "iPad"
      case "mac": "Mac"
      default: String(word)
      }
    }.joined(separator: " ")
  }

  /// The name of a metric as words: `delivered_within_5min` is delivered within 5 min.
  static func metric(_ name: String) -> String {
    var words = name.split(separator: "_").map(String.init)
    if let unit = words.firstIndex(of: "per"), unit > 0, words[unit...] == ["per", "device", "day"] {
      words.replaceSubrange(unit..., with: ["per", "device", "and", "day"])
      if words[unit - 1] == "j" { words.remove(at: unit - 1) }
    }
    if words.count > 1, words.last == "s" { words.removeLast() }
    return words.map { word in
      let digits = word.prefix { $0.isNumber }
      return digits.isEmpty || digits.count == word.count ? word : "\(digits) \(word.dropFirst(digits.count))"
    }.joined(separator: " ")
  }

  /// With a capital at its begin and a stop at its end.
  static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  static func list(_ items: [Markup]) -> Markup {
    items.isEmpty ? "" : "<ul>\(Markup.joined(items.map { "<li>\($0)</li>" }))</ul>\n"
  }
}
