import PushModel

/// What Apple's delivery metrics would show of a run, in the form of their export: a line for each day and status.
public enum APNsMetricsCSV {
  /// The day on which every run starts, at 00:00 UTC: a Monday.
  static let firstDay = (year: 2026, month: 1, day: 5)

  /// Sums over all devices and replications of the pushes sent after the warm-up, by push type, status and day; nothing
  /// is rounded.
  static func counts(_ all: [(plan: PushPlan, metrics: APNsMetrics)], days: Int) -> Named<Named<[Int64]>> {
    var labels: [String] = []
    for label in APNsMetrics.Status.allCases.compactMap(\.label) where !labels.contains(label) {
      labels.append(label)
    }
    var types: [String] = []
    for type in all.map(\.plan.declaredType.name) where !types.contains(type) { types.append(type) }
    return Named(
      types.map { type in
        let metrics = all.filter { $0.plan.declaredType.name == type }.map(\.metrics)
        return (
          type,
          Named(
            labels.map { label in
              // What Apple calls the same is one line.
              let statuses = APNsMetrics.Status.allCases.filter { $0.label == label }
              return (
                label,
                (0..<days).map { day in
                  metrics.reduce(0) { sum, metrics in statuses.reduce(sum) { $0 + metrics[$1, day: day] } }
                }
              )
            }.filter { $0.1.contains { $0 > 0 } })
        )
      })
  }

  static func text(_ counts: Named<Named<[Int64]>>) -> String {
    var text = "Push Type,Status,Date (UTC),Count\n"
    let days = counts.items.flatMap { $0.value.items.map(\.value.count) }.max() ?? 0
    for day in 0..<days {
      for type in counts.items {
        for status in type.value.items where status.value.indices.contains(day) && status.value[day] > 0 {
          text += "\(type.name),\(status.name),\(date(day)),\(status.value[day])\n"
        }
      }
    }
    return text
  }

  /// The date of a day of the run, as in `2026-01-05`.
  static func date(_ day: Int) -> String {
    var (year, month, day) = (firstDay.year, firstDay.month, firstDay.day + day)
    while true {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      guard day > length else { break }
      day -= length
      month += 1
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(padded(month))-\(padded(day))"
  }

  /// A file for each strategy that sends pushes: `apns_metrics.csv` if there is but one, else with the strategy in the
  /// name, and the policy before it if there are several.
  public static func files(_ result: ResultDocument) -> [(name: String, text: String)] {
    let all = result.runs.flatMap { run in
      run.strategies.items.compactMap { strategy in
        strategy.value.apnsMetrics.map {
          (policy: run.provenance.policy, strategy: strategy.name, counts: $0)
        }
      }
    }
    if all.count == 1 { return [("apns_metrics.csv", text(all[0].counts))] }
    var files: [(name: String, text: String)] = []
    for (policy, strategy, counts) in all {
      let parts = ["apns_metrics"] + (result.runs.count > 1 ? [policy] : []) + [strategy]
      var name = parts.map(fileName).joined(separator: ".")
      // Two strategies may differ in what a file's name cannot show.
      while files.contains(where: { $0.name == name + ".csv" }) { name += "_" }
      files.append((name + ".csv", text(counts)))
    }
    return files
  }

  private static func fileName(_ text: String) -> String {
    // A name of a file ends at 255 bytes.
    String(
      text.prefix(80).map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" ? $0 : "_" })
  }
}
