public import PushModel
public import Quantities
public import ScenarioDecoding

// One device's pushes and days as lists and as JSON.

extension ExplainText {
  public static let format = "pushsim-explain/1"

  /// The pushes that are asked for; those of the warm-up only where a day of it is.
  private var chosen: [PushStory] {
    PushStory.all(trace).filter { push in
      (selection.push == nil || push.number == selection.push)
        && (selection.day.map { day(push.sent) == $0 }
          ?? (selection.push != nil || push.sent >= .zero + warmUp))
        && (selection.fate == nil || push.fate == selection.fate)
        && (!selection.isUndelivered || push.fate != .delivered)
    }
  }

  private func kind(_ push: PushStory) -> String {
    push.mechanism == .background ? "push" : push.mechanism == .alert ? "alert" : "VoIP push"
  }

  /// Such as `day 3 Thu 08:00  push 72  force-quit on …`, a line for each push.
  func list(width: Int) -> String {
    let pushes = chosen
    guard !pushes.isEmpty else { return "no such push\n" }
    let digits = pushes.map { "\($0.number)".count }.max()!
    return pushes.map { push in
      let number = "\(push.number)"
      let clock = NumberText.clock(push.sent, utcOffset: trace.life.traits.utcOffset)
      let start =
        "\(clock)  \(kind(push)) \(String(repeating: " ", count: digits - number.count))\(number)  "
      // `wrapped` joins words by one space, so the columns are put before it.
      let body = TextRenderer.wrapped(
        "\(said(push))", width: max(20, width - start.count))
      return start + body.dropLast().replacing("\n", with: "\n" + String(repeating: " ", count: start.count))
        + "\n"
    }.joined()
  }

  private func said(_ push: PushStory) -> String {
    guard let sentence = push.sentence else {
      let age = push.ended.map { NumberText.duration(seconds: ($0 - push.sent).seconds) } ?? "?"
      return "delivered, \(age) after it was sent"
    }
    return "\(Wording.words(push.fate.name)): \(sentence)"
  }

  private struct Day {
    var sent = 0
    var delivered = 0
    var launches = 0
    var opens = 0
    /// Why pushes of the day did not arrive, as first met.
    var losses: [(why: String, count: Int)] = []
  }

  /// By their number, in order.
  private var days: [(number: Int, day: Day)] {
    var days: [Int: Day] = [:]
    for push in PushStory.all(trace) {
      var day = days[self.day(push.sent), default: Day()]
      day.sent += 1
      if push.fate == .delivered {
        day.delivered += 1
      } else {
        let why = push.reason.map { Wording.reason($0.name) } ?? Wording.words(push.fate.name)
        if let place = day.losses.firstIndex(where: { $0.why == why }) {
          day.losses[place].count += 1
        } else {
          day.losses.append((why, 1))
        }
      }
      days[self.day(push.sent)] = day
    }
    for record in trace.records {
      switch record.event {
      case .opened: days[day(record.time), default: Day()].opens += 1
      case .launched(inForeground: false, _, _, _): days[day(record.time), default: Day()].launches += 1
      default: break
      }
    }
    return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A line for each day, and how to learn more.
  func summary(width: Int) -> String {
    var table = TextTable([
      .init("day", .right), .init("sent", .right), .init("delivered", .right), .init("launches", .right),
      .init("opens", .right), .init("did not arrive", mayShrink: true),
    ])
    for (number, day) in days {
      table.add([
        "\(number)", "\(day.sent)", "\(day.delivered)", "\(day.launches)", "\(day.opens)",
        day.losses.map { "\($0.count) \($0.why)" }.joined(separator: ", "),
      ])
    }
    return table.text(width: width) + totals
      + "\nmore: --undelivered why pushes did not arrive, --day N one day, --push N one push, --full everything\n"
  }

  /// The pushes that are asked for, and all days.
  public static func json(
    _ trace: DeviceTrace, warmUp: SimDuration, _ selection: ExplainSelection,
    head: [(String, JSONValue)]
  ) -> JSONValue {
    let explanation = ExplainText(trace, warmUp, selection)
    func seconds(_ time: SimTime) -> JSONValue { .number(time.seconds) }
    return .object(
      head + [
        ("device_kind", .string(trace.life.traits.kind.name)),
        ("user_class", .string(trace.life.traits.userClass.name)),
        ("utc_offset_s", .number(trace.life.traits.utcOffset.seconds)),
        ("warm_up_s", .number(warmUp.seconds)),
        (
          "days",
          .array(
            explanation.days.map { number, day in
              .object([
                ("day", .integer(number)), ("sent", .integer(day.sent)),
                ("delivered", .integer(day.delivered)), ("launches_in_background", .integer(day.launches)),
                ("opens", .integer(day.opens)),
              ])
            })
        ),
        (
          "pushes",
          .array(
            explanation.chosen.map { push in
              .object([
                ("push", .integer(push.number)), ("mechanism", .string(push.mechanism.name)),
                ("day", .integer(explanation.day(push.sent))), ("sent_s", seconds(push.sent)),
                ("ended_s", push.ended.map(seconds) ?? .null), ("fate", .string(push.fate.name)),
                ("reason", push.reason.map { .string($0.name) } ?? .null),
                ("sentence", push.sentence.map(JSONValue.string) ?? .null),
              ])
            })
        ),
      ])
  }
}
