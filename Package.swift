// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

// What simulates is optimised in debug builds too, with its assertions: tests play thousands of lives.
func simulating(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: swiftSettings + [
      .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
    ])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["PushsimTestSupport"], exclude: resources,
    swiftSettings: swiftSettings)
}

// Targets stand in the order of dependency: a module imports only what stands above it.
let package = Package(
  name: "pushsim",
  products: [.executable(name: "pushsim", targets: ["pushsim"])],
  targets: [
    // C libraries from Debian.
    .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CLibMD", pkgConfig: "libmd", providers: [.apt(["libmd-dev"]), .brew(["libmd"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    // Philox (librandom123-dev, headers only) as a gsl_rng_type, and GSL's samplers on caller-owned streams.
    .target(name: "CPushsim", dependencies: ["CGSL"]),

    // The profiles of Scenarios, embedded for the same reason.
    .target(name: "CShippedProfiles"),

    // Values with units and ranges; evidence grades.
    module("Quantities"),
    // The generic discrete-event kernel.
    simulating("EventKernel", ["Quantities"]),
    // Random streams and variates over GSL.
    simulating("Distributions", ["Quantities", "CGSL", "CPushsim"]),
    // Pure: may the system launch the app for this push now?
    simulating("PushPolicy", ["Quantities"]),
    // Generic statistics.
    simulating("OutputAnalysis", ["Quantities", "CGSL", "CPushsim"]),
    // Points at which to run a model, and what the runs say about its inputs.
    module("ExperimentDesign", ["Quantities", "Distributions", "OutputAnalysis", "CGSL"]),
    // The simulated world: lives of devices, the path of a push, tallies.
    simulating("PushModel", ["Quantities", "EventKernel", "Distributions", "PushPolicy", "OutputAnalysis"]),
    // Replications, strategies compared, results.
    module(
      "Experiments",
      [
        "Quantities", "EventKernel", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis",
        "ExperimentDesign", "CLibMD",
      ]),
    // What replications yielded, kept in an SQLite file.
    module("ResultsStore", ["PushModel", "OutputAnalysis", "Experiments", "CSQLite"]),
    // YAML text to an experiment, or diagnostics with file, line and column.
    module(
      "ScenarioDecoding",
      [
        "Quantities", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis", "Experiments", "CLibYAML",
      ]),
    // A device's log to what became of its pushes: strings and values only.
    module("DeviceLogs", ["Quantities", "PushPolicy", "CZlib", "CZstd"]),
    // Results as text, JSON, CSV and pages, and results read again: strings only, no files.
    module(
      "Reporting",
      [
        "Quantities", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis", "ExperimentDesign",
        "Experiments", "ResultsStore", "ScenarioDecoding", "DeviceLogs",
      ]),
    // Arguments, files, threads, exit statuses.
    .executableTarget(
      name: "pushsim",
      dependencies: [
        "Quantities", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis", "Experiments",
        "ResultsStore", "ScenarioDecoding", "DeviceLogs", "Reporting", "CShippedProfiles",
      ],
      swiftSettings: swiftSettings),

    // What the performance measurements run (Benchmarks/README.md).
    .executableTarget(
      name: "pushsim-bench",
      dependencies: [
        "Quantities", "EventKernel", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis",
        "Experiments", "ScenarioDecoding", "Reporting", "CPushsim",
      ],
      path: "Benchmarks/pushsim-bench", swiftSettings: swiftSettings),

    // How often intervals and selections are right where the answer is known (Documentation/Coverage.md).
    .executableTarget(
      name: "pushsim-coverage",
      dependencies: [
        "Distributions", "OutputAnalysis", "PushModel", "Experiments", "PushsimTestSupport",
      ],
      path: "Benchmarks/pushsim-coverage", swiftSettings: swiftSettings),

    // What several test targets share.
    .target(
      name: "PushsimTestSupport",
      dependencies: [
        "Quantities", "Distributions", "PushPolicy", "PushModel", "OutputAnalysis", "Experiments",
        "ScenarioDecoding",
      ], path: "Tests/Support",
      swiftSettings: swiftSettings),
    tests("QuantitiesTests", ["Quantities"]),
    tests("EventKernelTests", ["EventKernel", "Distributions", "Quantities"]),
    tests("DistributionsTests", ["Distributions", "Quantities"]),
    // ScenarioDecoding reads the shipped profiles, of which each factor needs its rows.
    tests("PushPolicyTests", ["PushPolicy", "Quantities", "Distributions", "ScenarioDecoding"]),
    tests(
      "OutputAnalysisTests", ["OutputAnalysis", "Distributions", "Quantities", "pushsim-coverage"],
      resources: ["Fixtures"]),
    tests("ExperimentDesignTests", ["ExperimentDesign", "OutputAnalysis", "Distributions", "Quantities"]),
    tests(
      "PushModelTests",
      [
        "PushModel", "PushPolicy", "Distributions", "Quantities", "ScenarioDecoding", "Experiments",
        "OutputAnalysis",
      ], resources: ["Fixtures"]),
    // The model against closed forms, and what must hold of every run.
    tests(
      "VerificationTests",
      [
        "ScenarioDecoding", "Experiments", "ExperimentDesign", "PushModel", "PushPolicy", "Distributions",
        "OutputAnalysis", "Quantities", "Reporting",
      ]),
    // The model against what the guides claim and what developers report.
    tests(
      "ValidationTests",
      [
        "ScenarioDecoding", "Experiments", "PushModel", "PushPolicy", "Distributions", "OutputAnalysis",
        "Quantities",
      ]),
    tests(
      "ScenarioDecodingTests",
      ["ScenarioDecoding", "Quantities", "Distributions", "PushPolicy", "PushModel", "Experiments"],
      resources: ["Fixtures"]),
    tests(
      "DeviceLogsTests", ["DeviceLogs", "PushPolicy", "Quantities", "Reporting", "CZlib", "CZstd"],
      resources: ["Fixtures"]),
    tests(
      "ResultsStoreTests",
      ["ResultsStore", "Experiments", "PushModel", "OutputAnalysis", "Quantities", "CSQLite"]),
    tests(
      "ReportingTests",
      [
        "Reporting", "Experiments", "OutputAnalysis", "PushModel", "PushPolicy", "ScenarioDecoding",
        "Quantities",
      ]),
    // The parts of the executable that can be tested within a process.
    tests("PushsimTests", ["pushsim", "Reporting", "ScenarioDecoding"]),
    // The executables as their users run them; it depends on them to have them built.
    tests(
      "EndToEndTests", ["pushsim", "pushsim-bench", "Reporting", "ScenarioDecoding"],
      resources: ["kill_test.py"]),
  ],
  swiftLanguageModes: [.v6]
)
