extension SensitivityStudy {
  /// A part of the study that is known before it runs.
  public struct Stage: Sendable {
    /// As ``run(keeper:progress:shouldStop:)`` calls it.
    public var part: String
    /// At most so many.
    public var points: Int
  }

  /// The parts in the order in which they run. The search for what turns a ranking round belongs to "one at a
  /// time" and is not counted, for nobody knows before how long it takes.
  public var stages: [Stage] {
    let method = settings.method
    let count = parameters.count
    let screens = method == .sobol && count > Self.mostIndexed
    var stages = [Stage(part: "at the scenario's values", points: 1)]
    guard count > 0 else { return stages }
    if method == .tornado || method == .all {
      stages.append(Stage(part: "one at a time", points: 2 * count))
    }
    if method == .morris || method == .all || screens {
      stages.append(Stage(part: "screening", points: settings.trajectories * (count + 1)))
    }
    if method == .sobol || method == .all {
      let indexed = min(count, Self.mostIndexed)
      stages.append(Stage(part: "Sobol indices", points: settings.samples * (indexed + 2)))
    }
    return stages
  }
}
