import CChartLibrary
import CLibMD
import ScenarioDecoding

/// Charts that answer to the pointer: Vega-Lite draws them over the page's own drawings, which stay for paper, for
/// readers without scripts, and where the library is missing.
enum LiveCharts {
  static var isAvailable: Bool { chart_library_size > 0 }

  /// What the page's policy allows: the two scripts of the page by their hashes, and nothing else. A script that came
  /// from a scenario would have another hash.
  static var scriptSources: String {
    isAvailable
      ? "'sha256-\(sha256(loader))' 'sha256-\(String(cString: chart_library_sha256))'" : "'none'"
  }

  /// The specification of a chart, to be put into its figure.
  static func specification(_ value: JSONValue) -> Markup {
    guard isAvailable else { return "" }
    return "<script type=\"application/json\" class=\"spec\">\(Markup.verbatim(inScript(value)))</script>\n"
  }

  /// Names as charts show them: short, since each row of the data repeats its own, and still different.
  static func shown(_ names: [String]) -> [String] {
    names.enumerated().map { index, name in
      let text = Markup.visible(String(name.unicodeScalars.prefix(61)))
      return name.unicodeScalars.count <= 60 ? text : text + "… \(index + 1)"
    }
  }

  /// JSON that can stand in a script of HTML and of XML: `</script` cannot occur.
  static func inScript(_ value: JSONValue) -> String {
    var text = ""
    for scalar in value.text.unicodeScalars {
      switch scalar {
      case "<": text += "\\u003c"
      case ">": text += "\\u003e"
      case "&": text += "\\u0026"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The library and what starts it, at the end of a page.
  static var scripts: Markup {
    guard isAvailable else { return "" }
    return """
      <script type="application/gzip" id="chart-library">\(Markup.verbatim(library))</script>
      <script>\(Markup.verbatim(loader))</script>
      """
  }

  /// For the end of the page, as the licences want it.
  static var notice: Markup {
    guard isAvailable else { return "" }
    return """
      <details><summary>The chart library in this page: \(String(cString: chart_library_name))</summary>
      <p>The page carries Vega, Vega-Lite, Vega-Embed and what they are built with, under these licences.</p>
      <pre class="wrap" tabindex="0">\(ChartLibraryLicences.text)</pre></details>
      """
  }

  private static let library = String(
    decoding: UnsafeBufferPointer(start: chart_library_text(), count: chart_library_size), as: UTF8.self)

  /// No `<` and no `&`, so that it reads the same in HTML and in XML. A failure leaves the drawings as they are.
  private static let loader = """
    (async()=>{const root=document.documentElement;root.dataset.charts='loading';try{
    const packed=atob(document.getElementById('chart-library').textContent.trim());
    const bytes=Uint8Array.from(packed,c=>c.charCodeAt(0));
    const stream=new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script=document.createElement('script');script.textContent=await new Response(stream).text();
    document.head.append(script);
    const draw=async spec=>{
    const figure=spec.closest('figure');const box=document.createElement('div');box.className='vega';
    const still=figure.querySelector('svg');still.before(box);figure.classList.add('live');
    await window.vegaEmbed(box,JSON.parse(spec.textContent),{mode:'vega-lite',ast:true,actions:false,renderer:'svg'})
    .then(()=>{const live=box.querySelector('svg');live.setAttribute('role','img');
    live.setAttribute('aria-label',still.getAttribute('aria-label'))})
    .catch(error=>{box.remove();figure.classList.remove('live');console.error(error)})};
    for(const spec of document.querySelectorAll('script.spec')){const folded=spec.closest('details:not([open])');
    if(folded)folded.addEventListener('toggle',()=>draw(spec),{once:true});else await draw(spec)}
    }catch(error){console.error(error)}root.dataset.charts='ready'})()
    """

  private static func sha256(_ text: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var context = SHA2_CTX()
    let bytes = Array(text.utf8)
    SHA256Init(&context)
    SHA256Update(&context, bytes, bytes.count)
    SHA256Final(&digest, &context)
    return base64(digest)
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(letters[Int(bits >> shift & 63)]) }
      (bits, count) = (0, 0)
    }
    if count == 1 { text += [letters[Int(bits >> 2)], letters[Int(bits << 4 & 63)], 61, 61] }
    if count == 2 {
      text += [letters[Int(bits >> 10)], letters[Int(bits >> 4 & 63)], letters[Int(bits << 2 & 63)], 61]
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension LiveCharts {
  /// Colours and letters as the page has them.
  private static let config: JSONValue = [
    "font": "system-ui, Liberation Sans, Arial, sans-serif",
    "view": ["stroke": nil],
    "axis": [
      "labelColor": "var(--mut)", "titleColor": "var(--mut)", "gridColor": "var(--grid)",
      "domainColor": "var(--mut)", "tickColor": "var(--mut)", "titleFontWeight": "normal",
      "labelFontSize": 12,
      "titleFontSize": 12, "labelFlush": false, "labelOverlap": "greedy", "labelSeparation": 8,
    ],
    "legend": [
      "labelColor": "var(--fg)", "labelFontSize": 12, "orient": "bottom", "labelLimit": 230,
      "symbolStrokeWidth": 2, "symbolOpacity": 1, "title": nil,
    ],
  ]

  /// Long names need a row each on a phone.
  private static func columns(_ names: [String]) -> JSONValue { names.contains { $0.count > 13 } ? 1 : 2 }

  private static func frame(_ description: String, _ height: Int, _ members: [(String, JSONValue)])
    -> JSONValue
  {
    .object(
      [
        ("description", .string(description)), ("width", "container"), ("height", .integer(height)),
        ("autosize", ["type": "fit-x", "contains": "padding"]), ("background", "transparent"),
        ("config", config),
      ] + members)
  }

  private static func color(_ index: Int) -> JSONValue { .string("var(--s\(index % 6))") }

  private static func dash(_ index: Int) -> JSONValue {
    ([[1, 0], [7, 4], [2, 3]] as [JSONValue])[Chart.dash(index)]
  }

  /// A scale by which names have their colours.
  private static func scale(_ names: [String], _ range: [JSONValue]) -> JSONValue {
    .object([("domain", .array(names.map(JSONValue.string))), ("range", .array(range))])
  }

  private static let percentAxis: JSONValue = ["labelExpr": "format(datum.value * 100, '.3~g') + ' %'"]

  private static let durationLabels =
    "datum.value >= 86400 ? format(datum.value / 86400, '.3~g') + ' d' : datum.value >= 3600 ? format(datum.value / 3600, '.3~g') + ' h' : datum.value >= 60 ? format(datum.value / 60, '.3~g') + ' min' : datum.value >= 1 ? format(datum.value, '.3~g') + ' s' : format(datum.value * 1000, '.3~g') + ' ms'"

  /// Curves of shares: the wheel zooms, dragging moves, a click in the legend picks one.
  static func curves(
    _ curves: [Chart.Curve], x: Scale, y: Scale, xTitle: String, yTitle: String, label: String
  ) -> Markup {
    let names = shown(curves.map(\.name))
    var rows: [JSONValue] = []
    for (curve, name) in zip(curves, names) {
      for (index, point) in curve.points.enumerated() {
        var row: [(String, JSONValue)] = [
          ("s", .string(name)), ("x", .number(point.x)), ("y", .number(point.y)),
          (
            "t",
            .string(
              x.isLog
                ? NumberText.duration(seconds: point.x) : "\(NumberText.grouped(point.x.rounded(.down))) h")
          ),
        ]
        if curve.band.indices.contains(index) {
          row += [("l", .number(curve.band[index].low)), ("h", .number(curve.band[index].high))]
        }
        rows.append(.object(row))
      }
    }
    let xAxis: JSONValue =
      x.isLog
      ? [
        "labelExpr": .string(durationLabels), "values": .array(x.ticks.map(JSONValue.number)), "grid": false,
      ] : ["values": .array(x.ticks.map(JSONValue.number)), "grid": false]
    let xScale: JSONValue = .object([
      ("type", x.isLog ? "log" : "linear"), ("domain", [.number(x.domain.0), .number(x.domain.1)]),
      ("nice", false),
    ])
    let xChannel: JSONValue = .object([
      ("field", "x"), ("type", "quantitative"), ("title", .string(xTitle)), ("scale", xScale),
      ("axis", xAxis),
    ])
    let yScale: JSONValue = ["domain": [.number(y.domain.0), .number(y.domain.1)], "nice": false]
    func yChannel(_ field: String) -> JSONValue {
      [
        "field": .string(field), "type": "quantitative", "title": .string(yTitle), "axis": percentAxis,
        "scale": yScale,
      ]
    }
    let legend: JSONValue = ["symbolType": "stroke", "symbolSize": 250, "columns": columns(names)]
    let color: JSONValue = .object([
      ("field", "s"), ("type", "nominal"), ("title", nil), ("legend", legend),
      ("scale", scale(names, curves.map { Self.color($0.index) })),
    ])
    let dash: JSONValue = .object([
      ("field", "s"), ("type", "nominal"), ("title", nil), ("legend", legend),
      ("scale", scale(names, curves.map { Self.dash($0.index) })),
    ])
    func dimmed(_ full: Double, _ low: Double) -> JSONValue {
      ["condition": ["param": "pick", "value": .number(full)], "value": .number(low)]
    }
    // Many marks would hide the line; they answer to the pointer all the same.
    let isDense = curves.contains { $0.points.count > 12 }
    var layers: [JSONValue] = []
    if curves.contains(where: { !$0.band.isEmpty }) {
      layers.append([
        "transform": [["filter": "isValid(datum.l)"]], "mark": ["type": "area", "clip": true],
        "encoding": [
          "x": xChannel, "y": yChannel("l"),
          "y2": ["field": "h"], "color": color, "opacity": dimmed(0.13, 0.02),
        ],
      ])
    }
    layers += [
      [
        "params": [
          ["name": "zoom", "select": "interval", "bind": "scales"],
          ["name": "pick", "select": ["type": "point", "fields": ["s"]], "bind": "legend"],
        ],
        "mark": ["type": "line", "clip": true, "strokeWidth": 2],
        "encoding": [
          "x": xChannel, "y": yChannel("y"), "color": color, "strokeDash": dash, "opacity": dimmed(1, 0.15),
        ],
      ],
      [
        "mark": ["type": "point", "clip": true, "filled": true, "size": 45],
        "encoding": [
          "x": xChannel, "y": yChannel("y"), "color": color,
          "opacity": isDense ? ["value": 0.0] : dimmed(1, 0.15),
          "tooltip": [
            ["field": "s", "title": "strategy"],
            ["field": "t", "title": .string(x.isLog ? "within" : "hour")],
            ["field": "y", "title": "share", "format": ".1%"],
          ],
        ],
      ],
    ]
    return specification(
      frame(label, 260, [("data", ["values": .array(rows)]), ("layer", .array(layers))]))
  }
}
