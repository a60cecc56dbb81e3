import Experiments
import ScenarioDecoding

/// How the numbers came about.
enum MethodSection {
  /// For how many of what, as a line of its own in summaries.
  static func setting(_ view: RunView) -> Words {
    let given = view.record.provenance
    return
      "\(NumberText.grouped(given.devices)) devices, \(Wording.span(given.duration?.value)) after a warm-up of \(Wording.span(given.warmUp?.value)), \(NumberText.grouped(given.replications)) replication\(given.replications == 1 ? "" : "s"), seed \("\(given.seed)"), policy \(view.policyText), population \(given.population)."
  }

  static func blocks(_ view: RunView) -> [Block] {
    let given = view.run.provenance
    var items: [Words] = [
      "\(given.replications.words(.count)) independent replications of \(given.devices.words(.count)) devices each, seed \("\(given.value.seed)").",
      "\(Wording.span(given.value.warmUp?.value)) of warm-up, then \(Wording.span(given.value.duration?.value)) that count. A push counts if it was sent after the warm-up.",
      "Every strategy meets the same lives of the same devices, so differences between strategies are taken within each replication.",
      "Intervals are \(view.confidence) Student-t intervals over replications; a single replication gives none. Shares over all replications, such as fates and those by hour, are ratios of counts and have no interval.",
    ]
    if view.policyText != view.policy { items.append("The policy: \(name: view.policyText).") }
    if view.record.timelines != nil {
      items.append("The single devices were picked among the first of replication 0 and simulated once more.")
    }
    return [
      .page([
        .list(items),
        .paragraph(
          "The model: a discrete-event simulation of each device's life, of APNs and of the system's policy, factor by factor. Its description, what it leaves out and how it was checked: \(code: "Documentation/Model.md") and \(code: "Documentation/Validation.md") of pushsim."
        ),
      ])
    ]
  }
}

/// Where the numbers come from.
enum ProvenanceSection {
  static func blocks(_ view: RunView) -> [Block] {
    [
      .page([
        .table(
          Table(
            label: "Provenance", columns: [Table.Column("what"), Table.Column("value")],
            rows: view.record.provenance.members.map { [Words([.code($0.key)]), Words($0.value.plainText)] }))
      ])
    ]
  }
}

/// The command and the scenario.
enum ReproduceSection {
  static func markup(_ document: ResultDocument) -> Markup {
    var body: Markup = ""
    if let given = document.reproduce, !given.command.isEmpty {
      body +=
        "<p>The same version with the same files gives the same bytes, on any number of threads:</p>\n<pre class=\"wrap\" tabindex=\"0\">\(given.command)</pre>\n"
    }
    if let given = document.reproduce, !given.scenarioText.isEmpty {
      body += HTMLRenderer.fold(
        "The scenario<bdi> \(given.scenarioFile)</bdi>", "<pre tabindex=\"0\">\(given.scenarioText)</pre>")
    }
    if body.isEmpty { body = "<p>The result file does not say how it was made.</p>\n" }
    return "<section aria-labelledby=\"reproduce\">\n<h2 id=\"reproduce\">Reproduce</h2>\n\(body)</section>\n"
  }
}
