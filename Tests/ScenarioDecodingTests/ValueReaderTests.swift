import Distributions
import Quantities
import ScenarioDecoding
import Testing

/// A mapping that holds a value of every form.
private enum Sample {
  static let device = KeyTable([
    .optional("battery_level", .quantity(.proportion, 0...1), "charge of the battery"),
    .optional("charging", .flag, "whether the charger is connected"),
    .optional("network", .choice(["wifi", "cellular", "offline"]), default: "wifi", "the network in use"),
  ])
  static let sends = KeyTable([
    .optional("every", .quantity(.time, .positive), "time between two sends"),
    .optional("poisson", .quantity(.rate, .positive), "mean frequency of sends at random times"),
    .required("jitter", .quantity(.time, .notNegative), "random delay of a send"),
  ])
  static let root = KeyTable([
    .required("name", .text, "what the device is called"),
    .optional("device", .mapping(device), "the device"),
    .optional("devices", .integer(1...1_000_000), default: "10", "how many devices"),
    .optional("recheck_interval", .quantity(.time, 1...86_400), default: "15 min", "time between two looks"),
    .optional("rate", .quantity(.rate, .notNegative), "sends per time"),
    .optional("weight", .quantity(.count, .positive), "a weight"),
    .optional("modes", .list(.choice(["fetch", "push"]), count: 1...3), "background modes"),
    .optional("sends", .mapping(sends), "when to send"),
    .optional("delay", .distribution(.time, support: .notNegative), "a delay"),
    .optional("share", .distribution(.proportion, support: 0...1), "a share"),
    .optional("count", .distribution(.count), "a count"),
    .optional("names", .named(.text), "texts by name"),
  ])

  static let files = [
    "delays.csv": "# measured\ndelay_s,network\n1.5,wifi\n2,cellular\n",
    "short.csv": "network,delay_s\nwifi,1\ncellular\n",
    "quote.csv": "network,delay_s\n\"wifi,1\n",
    "empty.csv": "# nothing yet\ndelay_s\n",
    "quoted.csv":
      "\"delay, s\",note\r\n\"1.5 s\",\"said \"\"late\"\"\"\r\n\r\n 500 ms ,\"two\nlines\"\r\n# end\r\n",
  ]

  static func read(_ path: String, _ limit: Int) -> Result<[UInt8], SourceReadError> {
    guard let text = files[path] else { return .failure(.failed("No such file or directory")) }
    return text.utf8.count > limit ? .failure(.tooLarge) : .success(Array(text.utf8))
  }

  /// Reads every key.
  static func decode(_ source: SourceText, log: DiagnosticLog) {
    let context = DecodingContext(log: log, read: read)
    guard let node = YAMLComposer.compose(source, log: log),
      let root = MappingReader(ValueReader(node, label: "the sample", context: context), root)
    else { return }
    _ = root.text("name")
    if let device = root.mapping("device") {
      _ = device.quantity("battery_level")
      _ = device.flag("charging")
      _ = device.choice("network")
    }
    _ = root.integer("devices")
    _ = root.quantity("recheck_interval")
    _ = root.quantity("rate")
    _ = root.quantity("weight")
    _ = root.list("modes")?.map { $0.choice(["fetch", "push"]) }
    if let sends = root.mapping("sends") {
      _ = sends.exactlyOne(of: ["every", "poisson"]).map { sends.quantity($0) }
      _ = sends.quantity("jitter")
    }
    for key in ["delay", "share", "count"] { _ = root.distribution(key) }
    _ = root.named("names")?.map { $0.value.text() }
  }

  static func reader(_ text: String) throws -> (root: MappingReader, log: DiagnosticLog) {
    let log = DiagnosticLog()
    let node = try tree(text)
    let context = DecodingContext(log: log, read: read)
    return (try #require(MappingReader(ValueReader(node, label: "the sample", context: context), root)), log)
  }
}

struct ValueReaderTests {
  @Test(arguments: Golden.names("Values"))
  func `a value with one mistake is answered with one diagnostic`(name: String) throws {
    try Golden.check("Values", name) { source in
      let log = DiagnosticLog()
      Sample.decode(source, log: log)
      #expect(log.errorCount == 1)
      return DiagnosticText.render(log)
    }
  }

  @Test func `values of every form are read`() throws {
    let (root, log) = try Sample.reader(
      """
      name: "on"
      device: {battery_level: 40 %, charging: off, network: offline}
      devices: 1000
      recheck_interval: 1.5 h
      weight: 0.5
      modes: [push, fetch]
      sends: {poisson: 3 /h, jitter: 0}
      names: {b: x, a.c: y}
      """)
    #expect(root.text("name") == "on")
    let device = try #require(root.mapping("device"))
    #expect(device.quantity("battery_level") == 0.4)
    #expect(device.flag("charging") == false)
    #expect(device.choice("network") == 2)
    #expect(root.integer("devices") == 1000)
    #expect(root.quantity("recheck_interval") == 5400)
    #expect(root.quantity("rate") == nil)
    #expect(root.list("modes")?.map { $0.choice(["fetch", "push"]) } == [1, 0])
    let sends = try #require(root.mapping("sends"))
    #expect(sends.exactlyOne(of: ["every", "poisson"]) == "poisson")
    #expect(sends.quantity("jitter") == 0)
    #expect(root.named("names")?.map(\.key.text) == ["b", "a.c"])
    #expect(
      root.present == ["name", "device", "devices", "recheck_interval", "weight", "modes", "sends", "names"])
    #expect(!log.hasErrors)
  }

  @Test func `an absent key has its documented default, or none`() throws {
    let (root, log) = try Sample.reader("name: x\ndevice: {}")
    #expect(root.integer("devices") == 10)
    #expect(root.quantity("recheck_interval") == 900)
    #expect(root.mapping("device")?.choice("network") == 0)
    #expect(root.quantity("rate") == nil)
    #expect(!root.has("devices"))
    #expect(!log.hasErrors)
  }

  @Test func `every default of a table is a valid value`() throws {
    let (root, log) = try Sample.reader("name: x\ndevice: {}")
    for key in Sample.root.keys where key.defaultText != nil { #expect(root.value(key.name) != nil) }
    #expect(!log.hasErrors)
  }

  @Test func `a mapping of optional keys may be empty`() throws {
    let (root, log) = try Sample.reader("name: x\ndevice:")
    #expect(root.mapping("device") != nil)
    #expect(!log.hasErrors)
  }

  /// Numbers at the edge of what the numerics can do come from people who try what happens.
  @Test func `extreme and damaged values give a value or a diagnostic, never a trap`() {
    let bodies = [
      "constant: X s", "uniform: [X s, Y s]", "log_uniform: [X s, Y s]", "exponential: {mean: X s}",
      "exponential: {p99: X s}", "gaussian: {mean: X s, sigma: Y s}",
      "lognormal: {zeta: X, sigma: Y, unit: d}",
      "lognormal: {median: X s, p95: Y s}", "lognormal: {mean: X s, sd: Y s}", "gamma: {a: X, b: Y s}",
      "gamma: {mean: X s, sd: Y s}", "weibull: {a: X s, b: Y}", "weibull: {mean: X s, sd: Y s}",
      "weibull: {p10: X s, p90: Y s}", "beta: {a: X, b: Y, scale: 1 h}", "pareto: {a: X, b: Y s}",
      "exponential: {mean: X s, truncate: [1 s, Y s]}", "gamma: {a: X, b: 1 s, truncate: [1 s, Y s]}",
      "empirical: [X s, Y s]", "discrete: [{value: 1 s, weight: X}, {value: 2 s, weight: Y}]",
      "mixture: [{weight: X, of: 1 s}, {weight: 1, of: {weibull: {a: 1 s, b: Y}}}]",
      "lognormal: {median: 1 s, sigma: X, max: Y s}",
    ]
    let counts = [
      "poisson: {mean: X}", "negative_binomial: {p: Y, n: X, plus: X}", "negative_binomial: {mean: X, sd: Y}",
      "geometric: {p: Y}", "bernoulli: {p: X}", "beta: {mean: X, sd: Y, scale: 3}",
    ]
    let numbers = ["0", "-1", "1e-300", "1e-9", "0.5", "1", "7", "1e9", "1e300", "1e999", "nan", "x"]
    for x in numbers {
      for y in numbers {
        for (key, body) in bodies.map({ ("delay", $0) }) + counts.map({ ("count", $0) }) {
          let text = body.replacing("X", with: x).replacing("Y", with: y)
          let log = DiagnosticLog()
          Sample.decode(SourceText(name: "extreme", text: "name: x\n\(key): {\(text)}"), log: log)
          #expect(log.diagnostics.allSatisfy { !DiagnosticText.render($0).isEmpty })
        }
      }
    }
  }

  @Test
  func
    `a file that cannot be read is reported with the system's words, and is no matter of reading if a text names it`()
    throws
  {
    let log = DiagnosticLog()
    let context = DecodingContext(log: log) { path, _ in
      .failure(path == "big.yaml" ? .tooLarge : .failed("Permission denied"))
    }
    let place = try #require(try tree("population: mine")["population"]).span
    #expect(context.source("secret.yaml", origin: .scenario) === nil)
    #expect(context.source("mine.yaml", origin: .scenario, at: place) === nil)
    #expect(context.source("big.yaml", origin: .scenario) === nil)
    #expect(
      log.diagnostics.map { "\($0.place.text): \($0.message)" } == [
        "secret.yaml: cannot read the file: Permission denied",
        "test.yaml:1:13: cannot read `mine.yaml`: Permission denied",
        "big.yaml: the file is larger than 4 MiB",
      ])
    // What names the second file could be read, and is wrong.
    #expect(log.diagnostics.map(\.isReadFailure) == [true, false, false])
  }

  @Test func `all mistakes of a file are reported at once`() {
    let log = DiagnosticLog()
    Sample.decode(
      SourceText(name: "a.yaml", text: "nam: x\ndevices: none\nrate: 3\nshare: 4 %\ndelay: {gama: 1}\n"),
      log: log)
    // `nam` is also the `name` that is missing.
    #expect(log.errorCount == 4)
  }

  @Test(arguments: [("0.7", 0.7), ("70 %", 0.7), ("1", 1), ("0", 0)])
  func `a bare proportion is read where it is allowed`(text: String, value: Double) throws {
    let log = DiagnosticLog()
    let node = try tree("a: \(text)")["a"]
    let reader = ValueReader(
      try #require(node), label: "`within`", context: DecodingContext(log: log, read: Sample.read))
    #expect(reader.quantity(.proportion, 0...1, allowsBareProportion: true) == value)
    #expect(!log.hasErrors)
  }
}

struct DistributionReaderTests {
  private func read(_ text: String, _ key: String) throws -> Distribution? {
    let (root, log) = try Sample.reader("name: x\n\(key): \(text)")
    let distribution = root.distribution(key)
    #expect(DiagnosticText.render(log) == "", "\(text)")
    return distribution
  }

  @Test(
    arguments: [
      ("3 s", .constant(3)),
      ("{constant: 3 s}", .constant(3)),
      ("{constant: {value: 3 s}}", .constant(3)),
      ("{lognormal: {median: 1.5 s, p95: 8 s}}", try .lognormal(median: 1.5, p95: 8)),
      (
        "{lognormal: {p50: 1.5 s, p99: 8 s}}",
        try .lognormal(quantiles: Quantile(level: 0.5, value: 1.5), Quantile(level: 0.99, value: 8))
      ),
      ("{lognormal: {zeta: 0.4, sigma: 0.9}}", try .lognormal(zeta: 0.4, sigma: 0.9)),
      ("{lognormal: {zeta: 0.4, sigma: 0.9, unit: s}}", try .lognormal(zeta: 0.4, sigma: 0.9)),
      ("{exponential: {mean: 20 min}}", try .exponential(mean: 1200)),
      ("{uniform: [1 h, 2 h]}", try .uniform(low: 3600, high: 7200)),
      ("{uniform: {low: 1 h, high: 2 h}}", try .uniform(low: 3600, high: 7200)),
      ("{log_uniform: [1 min, 1 h]}", try .logUniform(low: 60, high: 3600)),
      ("{gamma: {a: 2, b: 1.5 d}}", try .gamma(a: 2, b: 129_600)),
      ("{weibull: {a: 640 s, b: 0.473}}", try .weibull(a: 640, b: 0.473)),
      ("{beta: {a: 2, b: 3, scale: 1 min}}", try .beta(a: 2, b: 3, scale: 60)),
      ("{pareto: {a: 1.2, b: 5 s}}", try .pareto(a: 1.2, b: 5)),
      ("{exponential: {mean: 1 s, max: 30 s}}", try .capped(.exponential(mean: 1), high: 30)),
      (
        "{exponential: {mean: 10 s, min: 1 s, max: 30 s}}",
        try .capped(.exponential(mean: 10), low: 1, high: 30)
      ),
      (
        "{exponential: {mean: 1 s, truncate: [1 s, 3 s]}}",
        try .truncated(.exponential(mean: 1), low: 1, high: 3)
      ),
      ("{empirical: [1 s, 2 s, 2 s]}", try .empirical([1, 2, 2])),
      ("{empirical: [1 s, 200 s], max: 30 s}", try .capped(.empirical([1, 200]), high: 30)),
      (
        "{discrete: [{value: 3 s, weight: 0.2}, {value: 5 s, weight: 80 %}]}",
        try .discrete(values: [3, 5], weights: [0.2, 0.8])
      ),
      ("{discrete: {3 s: 1, 5 s: 4}}", try .discrete(values: [3, 5], weights: [1, 4])),
      (
        "{mixture: [{weight: 0.9, of: {exponential: {mean: 1 s}}}, {weight: 0.1, of: 1 min}]}",
        try .mixture([(0.9, .exponential(mean: 1)), (0.1, .constant(60))])
      ),
    ] as [(String, Distribution)])
  func `a distribution of durations is read`(text: String, distribution: Distribution) throws {
    #expect(try read(text, "delay") == distribution)
  }

  @Test(
    arguments: [
      ("{negative_binomial: {p: 0.8, n: 1.2, plus: 1}}", try .negativeBinomial(p: 0.8, n: 1.2, plus: 1)),
      ("{negative_binomial: {p: 80 %, n: 1.2}}", try .negativeBinomial(p: 0.8, n: 1.2)),
      ("{poisson: {mean: 3}}", try .poisson(mean: 3)),
      ("{geometric: {p: 0.3}}", try .geometric(p: 0.3)),
      ("{bernoulli: {p: 30 %}}", try .bernoulli(p: 0.3)),
      (#"{discrete: {"27": 0.4, "26": 0.45}}"#, try .discrete(values: [27, 26], weights: [0.4, 0.45])),
      ("{gaussian: {mean: 1, sigma: 2}}", try .gaussian(mean: 1, sigma: 2)),
      ("{lognormal: {zeta: -0.06, sigma: 0.35}}", try .lognormal(zeta: -0.06, sigma: 0.35)),
      ("{beta: {a: 1, b: 2, scale: 5}}", try .beta(a: 1, b: 2, scale: 5)),
    ] as [(String, Distribution)])
  func `a distribution of pure numbers is read`(text: String, distribution: Distribution) throws {
    #expect(try read(text, "count") == distribution)
  }

  @Test(
    arguments: [
      ("{beta: {a: 0.35, b: 22}}", try .beta(a: 0.35, b: 22)),
      ("{beta: {mean: 20 %, sd: 10 %}}", try .beta(mean: 0.2, sd: 0.1)),
      ("{beta: {a: 1, b: 2, scale: 50 %}}", try .beta(a: 1, b: 2, scale: 0.5)),
      ("{uniform: [0 %, 100 %]}", try .uniform(low: 0, high: 1)),
    ] as [(String, Distribution)])
  func `a distribution of proportions is read`(text: String, distribution: Distribution) throws {
    #expect(try read(text, "share") == distribution)
  }

  @Test func `zeta is the logarithm of the value in the unit named`() throws {
    let minutes = try #require(try read("{lognormal: {zeta: 1, sigma: 0.5, unit: min}}", "delay"))
    #expect(abs(minutes.quantile(0.5) / (60 * 2.718_281_828_459_045) - 1) < 1e-12)
  }

  @Test func `an endless tail is cut to the support, a negligible one is left alone`() throws {
    let share = try #require(try read("{lognormal: {median: 50 %, sigma: 1}}", "share"))
    #expect(share == (try .capped(.lognormal(median: 0.5, sigma: 1), high: 1)))
    #expect(
      try read("{lognormal: {median: 1 %, sigma: 0.1}}", "share") == .lognormal(median: 0.01, sigma: 0.1))
    #expect(try read("{gaussian: {mean: 1 h, sigma: 1 h}}", "delay")?.support.lowerBound == 0)
    #expect(try read("{beta: {a: 1, b: 3, scale: 200 %}}", "share")?.support == 0...1)
  }

  @Test func `values of a CSV file are read by the heading of their column`() throws {
    #expect(
      try read("{empirical: {file: delays.csv, column: delay_s, unit: s}}", "delay") == .empirical([1.5, 2]))
  }

  @Test func `a CSV file may quote, comment, and give each value its unit`() throws {
    #expect(
      try read(#"{empirical: {file: quoted.csv, column: "delay, s"}}"#, "delay") == .empirical([1.5, 0.5]))
  }

  @Test func `a bad cell of a CSV file is shown where it stands`() throws {
    let log = DiagnosticLog()
    let node = try tree("{empirical: {file: quoted.csv, column: note}}")
    let reader = ValueReader(node, label: "`x`", context: DecodingContext(log: log, read: Sample.read))
    #expect(reader.distribution(.time) == nil)
    #expect(log.diagnostics.map(\.place.text) == ["quoted.csv:2:9"])
  }

  @Test(arguments: [
    ("Scenarios/night.yaml", SourceText.Origin.scenario, "data/x.csv", "Scenarios/data/x.csv"),
    ("night.yaml", .scenario, "x.csv", "x.csv"),
    ("Scenarios/night.yaml", .scenario, "/tmp/x.csv", "/tmp/x.csv"),
    ("--set", .commandLine, "x.csv", "x.csv"),
  ])
  func `a file is sought beside the text that names it`(
    name: String, origin: SourceText.Origin, file: String, path: String
  ) throws {
    let node = try tree("a: 1", name: name, origin: origin)
    let context = DecodingContext(log: DiagnosticLog(), read: Sample.read)
    #expect(context.path(file, from: node.span) == path)
  }

  @Test func `every family can be written`() throws {
    for family in Distribution.families {
      for names in family.parameterSets {
        let parameters = names.map { name in
          // Values that satisfy every family: increasing, positive, proportions below one.
          switch (family.name, name) {
          case (_, "low"): "low: 1"
          case (_, "high"): "high: 2"
          case (_, "p"): "p: 0.5"
          case ("beta", "mean"): "mean: 0.5"
          case ("beta", "sd"): "sd: 0.1"
          case (_, "mean"): "mean: 3"
          case (_, "sd"): "sd: 2"
          default: "\(name): 1.5"
          }
        }
        let text = "{\(family.name): {\(parameters.joined(separator: ", "))}}"
        #expect(try read(text, "count")?.family == family.name, "\(text)")
      }
    }
  }
}
