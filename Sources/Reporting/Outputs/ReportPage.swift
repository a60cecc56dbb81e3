import ScenarioDecoding

/// The result as one HTML page that needs nothing else: no network, no other file. Made from the result's document alone,
/// so that a page can be made again without simulating; the same result gives the same bytes.
public enum ReportPage {
  public static func text(_ result: ResultDocument) -> String {
    let views = RunView.all(result)
    let isOne = views.count == 1
    func each(_ blocks: (RunView) -> [Block]) -> [Block] {
      views.flatMap { view in
        let made = blocks(view)
        return isOne || made.isEmpty ? made : [.heading("\(name: Wording.capital(view.rules))")] + made
      }
    }
    var sure: [Block] = views.first.map(Sections.sureness) ?? []
    for view in views.dropFirst() {
      sure += .under("\(name: Wording.capital(view.rules))", Sections.expectations(view))
    }
    let parts = [
      Section("why", "Why", each(Sections.why)),
      Section("for-whom", "For whom", views.first.map(Sections.whom) ?? []),
      Section("how-sure", "How sure", sure),
    ]
    let sections = parts.map { ($0, HTMLRenderer.section($0)) }.filter { !$0.1.isEmpty }
    let links =
      [("answer", "Answer")] + sections.map { ($0.0.id, $0.0.title) } + [("details", "Details")]
    let nav = Markup.joined(links.map { "<a href=\"#\($0.0)\">\($0.1)</a>" })
    return page(
      name: result.scenario, title: HTMLRenderer.title(Answer.title(views)), question: result.question,
      note: HTMLRenderer.markup(Answer.caveat(views)),
      contents: "<nav class=\"top\" aria-label=\"Contents\">\(nav)</nav>",
      answer(result, views) + Markup.joined(sections.map(\.1)) + details(result, views))
  }

  /// The first screen: the strategies with what they give and cost, and the front.
  private static func answer(_ result: ResultDocument, _ views: [RunView]) -> Markup {
    let answers = views.compactMap { Answer($0) }
    var blocks: [Block] = Answer.table(answers).map { [.table($0)] } ?? []
    for answer in answers {
      if answers.count > 1 { blocks.append(.heading("\(name: Wording.capital(answer.view.rules))")) }
      let figure = FrontFigure.figure(answer)
      blocks.append(figure.map { .columns([[.table(answer.table)], [.figure($0)]]) } ?? .table(answer.table))
      blocks += Sections.consequences(answer.view)
      if let words = Sections.outcomes(answer.view) { blocks.append(.paragraph(words)) }
    }
    return
      "<section aria-labelledby=\"answer\">\n<h2 id=\"answer\" class=\"first\">The strategies</h2>\n<div class=\"answer\">\(HTMLRenderer.markup(blocks))</div></section>\n"
  }

  private static func details(_ result: ResultDocument, _ views: [RunView]) -> Markup {
    var body: Markup = ""
    if views.count > 1 { body += HTMLRenderer.section(PolicySection.section(result, views)) }
    for view in views {
      let sections = Markup.joined(Sections.details(view).map(HTMLRenderer.section))
      body +=
        views.count == 1
        ? sections
        : "<h2 id=\"policy\(view.suffix)\"><bdi>\(Wording.capital(view.rules))</bdi> (<bdi>\(view.policyText)</bdi>)</h2>\n\(sections)"
    }
    return
      "<details id=\"details\" class=\"all\"><summary>Details: every metric, curve and assumption</summary>\n\(body)\(ReproduceSection.markup(result))</details>\n"
  }

  /// A page around its parts.
  ///
  /// - Parameters:
  ///   - name: of the page, in a browser's tab.
  ///   - title: what it says first.
  ///   - note: what its numbers are.
  static func page(
    name: String, title: Markup, question: String, note: Markup, contents: Markup, _ body: Markup
  ) -> String {
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    let head: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <link rel="icon" href="data:,"/>
      <title>\(name) – pushsim</title>
      <style>
      \(Markup.verbatim(ReportStyle.css))
      </style>
      </head>
      <body>
      <header>
      <p class="lead"><bdi>\(question)</bdi></p>
      <h1>\(title)</h1>
      <p class="caveat">\(note)</p>
      </header>
      \(contents)
      <main>
      \(body)
      </main>
      <footer><p>Scenario <bdi>\(name)</bdi>. Written by pushsim \(pushsimVersion). The page holds all it needs and loads nothing.</p></footer>
      </body>
      </html>

      """
    return head.text
  }
}

/// Benefit against cost, with names at the points.
enum FrontFigure {
  static func figure(_ answer: Answer) -> Figure? {
    let view = answer.view
    guard let front = view.record.pareto?.front, answer.kind == .freshness || answer.kind == .rate else {
      return nil
    }
    let battery = "battery_per_device_day"
    let cost = view.strategies.allSatisfy { $0.value(battery) != nil } ? battery : "energy_j_per_device_day"
    let points = view.strategies.compactMap { strategy -> Chart.Point? in
      guard let x = strategy.record.metric(cost), let y = strategy.record.metric(answer.metric) else {
        return nil
      }
      let text =
        "\(strategy.label): \(y.style.estimate(y.estimate!, y.low, y.high, plausible: y.plausible)), \(x.style.estimate(x.estimate!, x.low, x.high, plausible: x.plausible))"
      return Chart.Point(
        name: strategy.label, index: strategy.index, x: x, y: y,
        isOnFront: front.contains(strategy.key), title: text)
    }
    guard points.count > 1 else { return nil }
    let what = Wording.metric(answer.metric)
    return Figure(
      title: "\(Wording.capital(what)) against battery",
      takeaway:
        "Up is better, left is cheaper. Coloured: the best buys. Grey: another is at least as good for no more.\(points.contains { $0.plausible != nil } ? " \(UncertaintySection.marks)" : "")",
      chart: Chart.scatter(
        points, xStyle: view.style(cost), yStyle: view.style(answer.metric),
        xTitle: cost == battery ? "battery a day, of a charge" : "energy a day", yTitle: what,
        label: "\(what) against cost"))
  }
}

/// Where the answer depends on which policy is right.
enum PolicySection {
  static func section(_ result: ResultDocument, _ views: [RunView]) -> Section {
    Section("policies", "Policies side by side", blocks(result, views))
  }

  static func blocks(_ result: ResultDocument, _ views: [RunView]) -> [Block] {
    guard let first = views.first, views.count > 1 else { return [] }
    return first.shownMetrics.flatMap { metric in
      [Block.heading(Words(Wording.metric(metric))), .table(table(result, views, metric))]
    }
  }

  static func table(_ result: ResultDocument, _ views: [RunView], _ metric: String) -> Table {
    let first = views[0]
    let all = At(result.policyDifferences ?? [], ["policy_differences"]).elements()
    return first.table(
      "\(Wording.metric(metric)) by policy",
      views.map { .number("\(name: $0.policy)") }
        + views.dropFirst().map { .number("\(name: $0.policy) - \(name: first.policy)") },
      of: first.strategies.filter { $0.record.metric(metric) != nil }
    ) { strategy in
      views.map { $0.strategy(strategy.key)?.words(metric) ?? "–" }
        + views.dropFirst().map { view -> Words in
          let found = all.first {
            $0.value.metric == metric && $0.value.strategy == strategy.key
              && $0.value.baseline == "\(view.policy) - \(first.policy)"
          }
          guard let found else { return "–" }
          return found.words(jointly: false, first.style(metric))
        }
    }
  }
}
