import Experiments

/// How far a study of several stages is, and how long all of it will take.
struct StudyProgress {
  var line: ProgressLine
  private let stages: [SensitivityStudy.Stage]
  private let devices: Int
  private var current = 0
  /// Of the stages before the current one, and of all: at most so many.
  private var before = 0
  private var total: Int

  /// - Parameter devices: of a point, in all its replications.
  init(_ stages: [SensitivityStudy.Stage], devices: Int, isWanted: Bool) {
    self.stages = stages
    self.devices = devices
    total = stages.reduce(0) { $0 + $1.points } * devices
    line = ProgressLine(total: total, unit: "devices", isWanted: isWanted)
  }

  /// - Parameter all: how many devices the part has, which may be fewer than was planned.
  mutating func update(_ part: String, done: Int, of all: Int) {
    // The search for a turn belongs to no stage, and adds to the work.
    guard let stage = stages.firstIndex(where: { $0.part == part }) else { return }
    while current < stage {
      before += stages[current].points * devices
      current += 1
    }
    // Nobody knew how many parameters the last stage would look at.
    line.total = total - stages[stage].points * devices + all
    line.unit = "devices, stage \(stage + 1) of \(stages.count): \(part)"
    line.update(done: before + done)
  }
}
