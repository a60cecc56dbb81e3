import ScenarioDecoding

/// A few devices' days.
enum TimelineSection {
  static func blocks(_ view: RunView) -> [Block] {
    let figures = (view.record.timelines ?? []).enumerated().map { index, value in
      figure(At(value, view.run.path + ["timelines", "\(index)"]), id: "device\(view.suffix)-\(index)")
    }
    guard !figures.isEmpty else { return [] }
    return [
      .paragraph(
        "Devices picked by the share of their pushes that was delivered, with what \(code: "pushsim explain") tells in full. Times are the device's own."
      ), .figures(figures, shown: 3, rest: ""),
    ]
  }

  private static let width = 960.0
  private static let left = 150.0

  /// - Parameter id: begins the names of the figure's places in the page.
  private static func figure(_ at: At<JSONValue>, id: String) -> Figure {
    let value = at.value
    func text(_ key: String) -> String { value[key]?.plainText ?? "–" }
    func count(_ key: String) -> Words { at.map(key, value[key]?.count).words(.count) }
    let role = value["role"]?.string ?? ""
    let kind = Wording.words(value["device_kind"]?.string ?? "device")
    return Figure(
      title: "\(role.isEmpty ? "Device" : Wording.capital(role) + ": device") \(text("device"))",
      takeaway:
        "\(kind), \(text("user_class")) user, strategy \(name: text("strategy")): \(count("delivered")) of \(count("sent")) pushes of the whole run delivered. Shown: \(span(value)). A push stands in the row of its fate, its line running from the send to the end. Choose one that did not arrive to read why.",
      chart: chart(value, label: "Timeline of device \(text("device"))", id: id), below: sentences(value, id),
      table: table(value), isWide: true)
  }

  /// Why a push did not arrive, for the one that is chosen.
  private static func sentences(_ value: JSONValue, _ id: String) -> Markup {
    let offset = value["utc_offset_s"]?.double ?? 0
    return Markup.joined(
      (value["pushes"]?.elements ?? []).enumerated().map { place, push in
        guard let sentence = push["sentence"]?.string else { return "" }
        let number = push["push"]?.count.map { "Push \($0), sent" } ?? "Sent"
        let sent = clock(push["sent_s"]?.double ?? 0, offset)
        let fate = Wording.words(push["fate"]?.string ?? "")
        return "<p class=\"said\" id=\"\(id)-\(place)\">\(number) \(sent), \(fate): \(sentence).</p>\n"
      })
  }

  private static func span(_ value: JSONValue) -> String {
    let length = (value["to_s"]?.double ?? 0) - (value["from_s"]?.double ?? 0)
    return NumberText.duration(seconds: length) + " after the warm-up"
  }

  /// Day and time of day on the device, the run beginning on a Monday at midnight UTC.
  private static func clock(_ seconds: Double, _ offset: Double) -> String {
    let local = Int(min(1e12, max(-1e12, seconds + offset)))
    let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let rest = local - day * 86_400
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return "\(names[((day % 7) + 7) % 7]) \(two(rest / 3600)):\(two(rest / 60 % 60))"
  }

  private static func chart(_ value: JSONValue, label: String, id: String) -> Markup {
    guard let from = value["from_s"]?.double, let to = value["to_s"]?.double, to > from else { return "" }
    let offset = value["utc_offset_s"]?.double ?? 0
    let x = Scale((from, to), ticks: [], (left, width - 8))
    var content: Markup = ""
    var y = 6.0
    let batteryHeight = 54.0
    let rows = laneRows(value, id)
    let bottom = y + batteryHeight + 10 + Double(rows.count) * 20
    // A line every six hours, a label where there is room.
    var lastEnd = -Double.infinity
    var tick = ((from + offset) / 21_600).rounded(.up) * 21_600 - offset
    while tick <= to, to - from <= 30 * 86_400 {
      content += Chart.line(x(tick), y, x(tick), bottom, "grid")
      let text = clock(tick, offset)
      let half = Chart.textWidth(text, size: 11) / 2
      if x(tick) - half > lastEnd + 6, x(tick) + half <= width {
        content += Chart.label(text, x(tick), bottom + 15, anchor: "middle", class: "tick")
        lastEnd = x(tick) + half
      }
      tick += 21_600
    }
    let times = value["battery"]?["time_s"]?.elements.compactMap(\.double) ?? []
    let levels = value["battery"]?["level"]?.elements.compactMap(\.double) ?? []
    content += Chart.label("battery", left - 8, y + 30, anchor: "end")
    content += Chart.label("100 %", left - 8, y + 10, anchor: "end", class: "tick")
    content += Chart.label("0 %", left - 8, y + batteryHeight, anchor: "end", class: "tick")
    if times.count == levels.count, !times.isEmpty {
      let path = zip(times, levels).map { time, level in
        "\(Markup.coordinate(x(time))) \(Markup.coordinate(y + (1 - level) * batteryHeight))"
      }
      content +=
        "<path d=\"M\(path.joined(separator: "L"))\" class=\"level\"><title>battery level</title></path>"
    }
    content += Chart.line(left, y + batteryHeight, width - 8, y + batteryHeight, "axis")
    y += batteryHeight + 10
    for row in rows {
      content += Chart.label(Chart.fitted(row.name, left - 12), left - 8, y + 14, anchor: "end")
      content += row.draw(y, x, offset)
      y += 20
    }
    content += Chart.line(left, y, width - 8, y, "axis")
    return Chart.svg(height: bottom + 22, width: width, label: label, content)
  }

  /// One line of the chart: a state, the opens, or the pushes of one fate.
  private struct Lane {
    var name: String
    var draw: (_ y: Double, _ x: Scale, _ offset: Double) -> Markup
  }

  private static func laneRows(_ value: JSONValue, _ id: String) -> [Lane] {
    var lanes: [Lane] = []
    for state in value["states"]?.members ?? [] {
      let name = Wording.words(state.key)
      let kind = state.key == "low_power_mode" ? "lpm" : state.key == "charging" ? "charge" : "off"
      let edges = state.value.elements.compactMap(\.double)
      lanes.append(
        Lane(name: name) { y, x, offset in
          var content: Markup = ""
          for index in stride(from: 0, to: edges.count - 1, by: 2) {
            let (a, b) = (x(edges[index]), x(edges[index + 1]))
            content +=
              "<rect x=\"\(a)\" y=\"\(y + 4)\" width=\"\(max(1, b - a))\" height=\"12\" class=\"state \(kind)\"><title>\(name): \(clock(edges[index], offset)) to \(clock(edges[index + 1], offset))</title></rect>"
          }
          return content
        })
    }
    let opens = value["opens"]?.elements ?? []
    if !opens.isEmpty {
      lanes.append(
        Lane(name: opens.contains { $0["fresh"]?.bool != nil } ? "opens (filled: fresh)" : "opens") {
          y, x, offset in
          var content: Markup = ""
          for open in opens {
            guard let time = open["at_s"]?.double else { continue }
            let isFresh = open["fresh"]?.bool
            let words = isFresh.map { $0 ? ", fresh" : ", stale" } ?? ""
            content += Chart.marker(
              2, x(time), y + 10, hollow: isFresh == false, title: "opened \(clock(time, offset))\(words)")
          }
          return content
        })
    }
    let launches = value["launches"]?.elements ?? []
    if !launches.isEmpty {
      lanes.append(
        Lane(name: "background launches") { y, x, offset in
          var content: Markup = ""
          for launch in launches {
            guard let time = launch["at_s"]?.double else { continue }
            content +=
              "<rect x=\"\(x(time) - 1)\" y=\"\(y + 4)\" width=\"2\" height=\"12\" class=\"node f8\"><title>launched \(clock(time, offset)): \(Wording.words(launch["result"]?.string ?? ""))</title></rect>"
          }
          return content
        })
    }
    return lanes + pushLanes(value, id)
  }

  private static let fateColors = [
    "rejected", "discarded_at_apns", "expired_at_apns", "overwritten_at_apns", "lost", "not_wakeable",
    "coalesced_on_device", "discarded_by_policy", "delivered", "pending",
  ]

  private static func pushLanes(_ value: JSONValue, _ id: String) -> [Lane] {
    let pushes = value["pushes"]?.elements ?? []
    var fates: [String] = []
    for push in pushes {
      if let fate = push["fate"]?.string, !fates.contains(fate) { fates.append(fate) }
    }
    fates.sort { (fateColors.firstIndex(of: $1) ?? 0, $0) < (fateColors.firstIndex(of: $0) ?? 0, $1) }
    return fates.map { fate in
      let color = fateColors.firstIndex(of: fate) ?? 9
      return Lane(name: Wording.words(fate)) { y, x, offset in
        var content: Markup = ""
        for (place, push) in pushes.enumerated() where push["fate"]?.string == fate {
          guard let sent = push["sent_s"]?.double else { continue }
          let end = push["ended_s"]?.double ?? x.domain.1
          let reason = push["reason"]?.string.map { ", \(Wording.words($0))" } ?? ""
          let after =
            push["ended_s"]?.double.map { " after \(NumberText.duration(seconds: $0 - sent))" } ?? ""
          let drawing: Markup =
            "<g class=\"f\(color)\"><title>sent \(clock(sent, offset)): \(Wording.words(fate))\(reason)\(after)</title><rect x=\"\(x(sent) - 1)\" y=\"\(y + 4)\" width=\"2.4\" height=\"12\"/><rect x=\"\(x(sent))\" y=\"\(y + 9)\" width=\"\(max(0.5, x(end) - x(sent)))\" height=\"2\"/></g>"
          // Not a stop of the keyboard each: the table says the same.
          content +=
            push["sentence"]?.string == nil
            ? drawing : "<a href=\"#\(id)-\(place)\" tabindex=\"-1\">\(drawing)</a>"
        }
        return content
      }
    }
  }

  private static func table(_ value: JSONValue) -> Table {
    let offset = value["utc_offset_s"]?.double ?? 0
    return Table(
      label: "Pushes of this device",
      columns: [
        Table.Column("sent"), Table.Column("fate"), .number("ended after"), Table.Column("why"),
      ],
      rows: (value["pushes"]?.elements ?? []).map { push -> [Words] in
        let sent = push["sent_s"]?.double ?? 0
        return [
          Words(clock(sent, offset)), Words(Wording.words(push["fate"]?.string ?? "")),
          Words(push["ended_s"]?.double.map { NumberText.duration(seconds: $0 - sent) } ?? "–"),
          Words(push["sentence"]?.string ?? Wording.words(push["reason"]?.string ?? "")),
        ]
      })
  }
}
