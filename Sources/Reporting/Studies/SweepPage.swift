import Experiments
public import ScenarioDecoding

/// The result of `pushsim sweep` as a page, from its JSON alone: curves over one input, heat maps over two.
public enum SweepPage {
  public static func text(_ sweep: JSONValue) -> String {
    let view = SweepView(sweep)
    let sections =
      view.metrics.enumerated().map { place, metric in
        Section("metric-\(place)", Wording.capital(Wording.metric(metric)), view.blocks(metric))
      } + [Section("method", "Method", view.method)]
    let links = sections.map { "<a href=\"#\($0.id)\">\($0.title)</a>" as Markup }
    return ReportPage.page(
      name: sweep["scenario"]?.string ?? "sweep", title: HTMLRenderer.title(view.title),
      question: sweep["question"]?.string ?? "", note: "\(sweep["note"]?.string ?? "")",
      contents: "<nav class=\"top\" aria-label=\"Contents\">\(Markup.joined(links))</nav>",
      Markup.joined(sections.map(HTMLRenderer.section)))
  }
}

/// A sweep's file as its page looks at it.
private struct SweepView {
  struct Input {
    var path: String
    var values: [String]
    /// In SI units; nil where the values are no numbers in rising order.
    var numbers: [Double]?
    var name: String { path.split(separator: ".").last.map(String.init) ?? path }
  }

  struct Curve {
    /// Gives the colour.
    var index: Int
    var name: String
    var metric: String
    var style: NumberStyle
    /// By point.
    var values: [(estimate: Double, low: Double?, high: Double?)?]
    var knee: JSONValue?

    var isConstant: Bool {
      let known = values.compactMap { $0?.estimate }
      return known.allSatisfy { $0 == known.first }
    }
    func text(_ point: Int) -> String {
      values[point].map { style.estimate($0.estimate, $0.low, $0.high) } ?? "–"
    }
  }

  let file: JSONValue
  let inputs: [Input]
  /// By point, the place of each input's value.
  let points: [[Int]]
  let curves: [Curve]

  init(_ file: JSONValue) {
    self.file = file
    let inputs = (file["inputs"]?.elements ?? []).map { input -> Input in
      let values = (input["values"]?.elements ?? []).compactMap(\.string)
      let numbers = (input["numbers"]?.elements ?? []).compactMap(\.double)
      let rise = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
      return Input(
        path: input["path"]?.string ?? "–", values: values,
        numbers: numbers.count == values.count && rise && numbers.count > 1 ? numbers : nil)
    }
    self.inputs = inputs
    let points = (file["points"]?.elements ?? []).map { point in
      zip(inputs, (point["values"]?.elements ?? []).compactMap(\.string)).compactMap {
        $0.values.firstIndex(of: $1)
      }
    }
    self.points = points
    let found = file["curves"]?.elements ?? []
    let policies = Set(found.compactMap { $0["policy"]?.string }).count
    var names: [String] = []
    curves = found.compactMap { curve in
      guard let metric = curve["metric"]?.string, let strategy = curve["strategy"]?.string else { return nil }
      let name = policies > 1 ? "\(strategy), \(Wording.policy(curve["policy"]?.string ?? ""))" : strategy
      if !names.contains(name) { names.append(name) }
      let values = (curve["points"]?.elements ?? []).map { point in
        point["estimate"]?.double.map { ($0, point["low"]?.double, point["high"]?.double) }
      }
      guard values.count == points.count else { return nil }
      return Curve(
        index: names.firstIndex(of: name)!, name: name, metric: metric,
        style: NumberStyle(unit: curve["unit"]?.string ?? ""), values: values, knee: curve["knee"])
    }
  }

  /// What says most first; the file has all.
  var metrics: [String] {
    var all: [String] = []
    for curve in curves where !all.contains(curve.metric) { all.append(curve.metric) }
    let main = Metric.main.map(\.name).filter(all.contains)
    return main.isEmpty ? Array(all.prefix(6)) : main
  }

  private func label(_ point: Int) -> String {
    if inputs.count == 1 { return inputs[0].values[points[point][0]] }
    return zip(inputs, points[point]).map { "\($0.name) \($0.values[$1])" }.joined(separator: ", ")
  }

  private func best(_ curve: Curve) -> Int? {
    curve.values.indices.filter { curve.values[$0] != nil }.max {
      (curve.values[$0]!.estimate, $1) < (curve.values[$1]!.estimate, $0)
    }
  }

  /// Where the first metric is highest.
  var title: Words {
    let chosen = curves.filter { $0.metric == metrics.first && !$0.isConstant }
    let tops = chosen.compactMap { curve in best(curve).map { (curve, $0) } }
    guard let top = tops.max(by: { $0.0.values[$0.1]!.estimate < $1.0.values[$1.1]!.estimate }) else {
      return "Nothing changes with \(Wording.list(inputs.map(\.name)))."
    }
    let (curve, point) = top
    return
      "\(name: curve.name): \(Wording.metric(curve.metric)) is highest at \(label(point)), \(curve.style.text(curve.values[point]!.estimate))."
  }

  func blocks(_ metric: String) -> [Block] {
    let all = curves.filter { $0.metric == metric }
    let moving = all.filter { !$0.isConstant }
    var blocks: [Block] = []
    if inputs.count == 1, !moving.isEmpty {
      blocks.append(.figure(figure(all, metric)))
    } else if inputs.count == 2 {
      blocks.append(.figures(moving.compactMap(heat), shown: 4, rest: "The other strategies"))
    }
    let still = all.filter(\.isConstant)
    if !still.isEmpty, !moving.isEmpty {
      blocks.append(.paragraph("The same at every point: \(name: Wording.list(still.map(\.name))).", .faint))
    }
    blocks.append(table(all, metric))
    return blocks
  }

  private func table(_ curves: [Curve], _ metric: String) -> Block {
    .table(
      Table(
        label: "\(Wording.metric(metric)) by point",
        columns: inputs.map { Table.Column(Words([.code($0.name)])) }
          + curves.map { .number("\(name: $0.name)") },
        rows: points.indices.map { point in
          zip(inputs, points[point]).map { Words($0.values[$1]) } + curves.map { Words($0.text(point)) }
        }))
  }

  private func figure(_ curves: [Curve], _ metric: String) -> Figure {
    let input = inputs[0]
    let places = input.numbers ?? input.values.indices.map(Double.init)
    let x = Scale(
      (places[0], max(places[places.count - 1], places[0] + 1e-9)), ticks: places, (46, Chart.width - 138))
    let style = curves[0].style
    let highest = curves.flatMap { $0.values.compactMap { $0.map { max($0.estimate, $0.high ?? 0) } } }.max()
    let y = Scale(
      upTo: highest ?? 1, (240, 24), limit: style == .percent(decimals: 1) ? 1 : .infinity)
    let drawn = curves.map { curve in
      let known = curve.values.indices.filter { curve.values[$0] != nil }
      return Chart.Curve(
        name: curve.name, index: curve.index,
        points: known.map { (places[points[$0][0]], curve.values[$0]!.estimate) },
        band: known.compactMap { point in
          let value = curve.values[point]!
          return value.low.flatMap { low in value.high.map { (places[points[point][0]], low, $0) } }
        }, title: curve.name, hasMarks: true)
    }
    let what = Wording.metric(metric)
    let knees = curves.compactMap(knee)
    let tops = curves.filter { !$0.isConstant }.compactMap { curve in
      best(curve).map { "\(curve.name) at \(input.values[points[$0][0]])" }
    }
    return Figure(
      title: "\(Wording.capital(what)) by \(input.name)",
      takeaway: Words(
        (tops.isEmpty ? "" : "Highest: \(tops.joined(separator: "; ")). ") + knees.joined(separator: " ")),
      chart: Chart.curves(
        drawn, x: x, y: y, xStyle: .count, yStyle: style, xTitle: input.path, yTitle: what,
        label: "\(what) by \(input.path)", xNames: input.values))
  }

  private func knee(_ curve: Curve) -> String? {
    guard let knee = curve.knee, knee["found"]?.bool == true, let value = knee["value"]?.string else {
      return nil
    }
    let (low, high) = (knee["low"]?.string ?? value, knee["high"]?.string ?? value)
    return "\(curve.name) bends at \(value)\(low == high ? "" : " (\(low) to \(high))")."
  }

  private func heat(_ curve: Curve) -> Figure? {
    let known = curve.values.compactMap { $0?.estimate }
    guard let least = known.min(), let most = known.max(), let top = best(curve) else { return nil }
    var cells = [[Int?]](
      repeating: Array(repeating: nil, count: inputs[1].values.count), count: inputs[0].values.count)
    for (point, place) in points.enumerated() where place.count == 2 { cells[place[0]][place[1]] = point }
    let what = Wording.metric(curve.metric)
    return Figure(
      title: "\(name: curve.name)",
      takeaway: "Highest at \(label(top)): \(curve.text(top)).",
      chart: Chart.heat(
        cells.map { $0.map { $0.flatMap { curve.values[$0]?.estimate } } }, between: least, most,
        rows: Chart.HeatAxis(title: inputs[1].name, names: inputs[1].values),
        columns: Chart.HeatAxis(title: inputs[0].path, names: inputs[0].values),
        key: (curve.style.text(least), curve.style.text(most)),
        titles: { column, row in
          cells[column][row].map { "\(label($0)): \(curve.text($0))" } ?? "not run"
        }, label: "\(what) of \(curve.name) by \(inputs[0].path) and \(inputs[1].path)"))
  }

  var method: [Block] {
    [
      .paragraph(
        "All points meet the same lives of the same devices, so what differs is the input alone. Bands and brackets: intervals over replications."
      ),
      .paragraph(Words(file["knee_method"]?.string ?? "")),
      .table(
        Table(
          label: "Provenance", columns: [Table.Column("what"), Table.Column("value")],
          rows: (file["provenance"]?.members ?? []).map {
            [Words([.code($0.key)]), Words($0.value.plainText)]
          })),
    ]
  }
}
