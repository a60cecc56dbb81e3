import Experiments
import ScenarioDecoding

/// All that the answer stands on.
enum AssumptionSection {
  static func blocks(_ view: RunView) -> [Block] {
    let (assumed, known) = (view.record.assumptions, view.record.knownParameters)
    guard !assumed.isEmpty || !known.isEmpty else { return [] }
    func folded(_ items: [AssumptionRecord], _ title: String, _ label: String) -> Block {
      .fold(
        "\(title) (\(items.count))",
        items.isEmpty
          ? []
          : [
            .table(
              Table(
                label: label,
                columns: ["parameter", "value", "plausible", "evidence", "source"].map {
                  Table.Column(Words($0))
                },
                rows: items.map { item in
                  [
                    Words([.code(item.parameter)]), Words(item.value),
                    Words(item.prior.map(Wording.prior) ?? ""),
                    Words([.tag(item.evidence, .plain)]), Words(item.source),
                  ]
                }, isFluid: true))
          ])
    }
    return [
      .page([
        .paragraph(
          "\(assumed.count) of \(assumed.count + known.count) parameters are assumed, or rest on a source that could not be checked: nobody outside Apple knows them. Another value may give another answer."
        ),
        folded(
          assumed.filter { $0.evidence == "assumed" }, "All that are assumed: no source was found",
          "Assumed parameters"),
        folded(
          assumed.filter { $0.evidence != "assumed" },
          "All that are unverified: the source could not be checked", "Unverified parameters"),
        folded(known, "The other parameters, with their sources", "Other parameters"),
      ])
    ]
  }
}
