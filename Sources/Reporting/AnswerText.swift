import Experiments

/// What a run comes to, in sentences made from its numbers. The first are about what the scenario asks, as far as the
/// result shows it: what its claims are about, then freshness and its price; without either, what its pushes are for.
enum AnswerText {
  static func sentences(_ run: ReportRun) -> [String] {
    let claimed = run.value["expectations"]?.elements.compactMap { $0["metric"]?.string } ?? []
    var metrics: [String] = []
    for name in claimed where !metrics.contains(name) { metrics.append(name) }
    let sentences =
      metrics.compactMap { values(run, $0) } + finishedTasks(run)
      + (run.value["recommendation"]?.elements.compactMap(\.string) ?? [])
    if !sentences.isEmpty { return sentences }
    return Metric.headlines.map(\.name).first(where: run.has).flatMap { values(run, $0) }.map { [$0] } ?? []
  }

  /// A metric of every strategy that has it.
  private static func values(_ run: ReportRun, _ metric: String) -> String? {
    let parts = run.strategies.compactMap { strategy in
      run.metric(strategy.value, metric).map {
        "\(strategy.name) \(NumberStyle(unit: $0.unit).text($0.estimate))"
      }
    }
    guard !parts.isEmpty else { return nil }
    return ReportParts.sentence("\(ReportParts.metric(metric)): \(parts.joined(separator: ", "))")
  }

  /// How often processing tasks came to their end, where no strategy sends a push.
  private static func finishedTasks(_ run: ReportRun) -> [String] {
    func number(_ key: String) -> Double { run.value["provenance"]?[key]?.double ?? 0 }
    let deviceDays = number("devices") * number("replications") * number("duration_s") / 86_400
    guard run.senders.isEmpty, deviceDays > 0 else { return [] }
    let parts = run.strategies.compactMap { strategy in
      strategy.value["mechanisms"]?["processing_task"]?["results"]?["new_data"]?.count.map {
        "\(strategy.name) \(NumberText.fixed(Double($0) / deviceDays, 2))"
      }
    }
    guard !parts.isEmpty else { return [] }
    let what = "Processing tasks that ended with new data, per device and day"
    return ["\(what): \(parts.joined(separator: ", "))."]
  }
}
