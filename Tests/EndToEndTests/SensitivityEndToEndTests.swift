import Foundation
import Testing

@Suite struct SensitivityEndToEndTests {
  /// A few seconds of a debug build: two strategies, few devices, a day.
  private let tiny = [
    "--devices", "16", "--set", "experiment.duration=1 d", "--set", "experiment.warm_up=0 s", "--set",
    "strategies={often: {background_push: {send: {every: 15 min}}}, rare: {background_push: {send: {every: 4 h}}}}",
    "--set", "experiment.baseline=rare",
  ]

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `a study of the uncertainty tells ignorance from chance, the same on any number of threads`()
    throws
  {
    let study = "experiment.uncertainty={samples: 6, replications: 2, parameters: [policy.hourly_budget.*]}"
    let line = ["run", news, "--replications", "2", "--json", "-", "--set", study] + tiny
    let one = try runPushsim(line + ["--threads", "1"])
    #expect(one.stdout == (try runPushsim(line + ["--threads", "2"])).stdout)
    let uncertainty = try #require(try object(one.stdout)["uncertainty"] as? [String: Any])
    #expect(uncertainty["samples"] as? Int == 6 && uncertainty["replications"] as? Int == 2)
    let parameters = try #require(uncertainty["parameters"] as? [[String: Any]])
    #expect(parameters.compactMap { $0["parameter"] as? String }.contains("policy.hourly_budget.limit"))
    let strategies = try #require(uncertainty["strategies"] as? [String: [String: [String: Any]]])
    let often = try #require(strategies["often"]?["delivered"])
    for key in ["mean", "low", "high", "chance_variance", "ignorance_variance", "ignorance_share"] {
      #expect(often[key] is NSNumber, "\(key)")
    }
    // The budget is what limits the one strategy, and nothing to the other.
    #expect(try #require(often["ignorance_variance"] as? Double) > 0)
    let rare = try #require(strategies["rare"]?["delivered"])
    #expect(try #require(rare["ignorance_variance"] as? Double) < 1e-12)
    let rankings = try #require(uncertainty["rankings"] as? [[String: Any]])
    let pushes = try #require(rankings.first { $0["metric"] as? String == "pushes_per_device_day" })
    #expect(pushes["strategy"] as? String == "often" && pushes["other"] as? String == "rare")
    #expect(pushes["share_higher"] as? Double == 1 && pushes["share_undecided"] as? Double == 0)
  }

  @Test func `sensitivity says in words and in JSON what a metric depends on`() throws {
    let line =
      ["sensitivity", news, "--metric", "delivered", "--replications", "2"] + tiny
      + ["--parameter", "policy.hourly_budget.ignore_probability", "--parameter", "policy.device_pool.size"]
    let text = try runPushsim(line + ["--trajectories", "2", "--samples", "2"])
    #expect(text.status == 0, "\(text.stderr)")
    #expect(text.stdout.contains("what would change the conclusion"))
    // The pool is off in this profile.
    #expect(text.stdout.contains("1 have no effect at all"))

    let tornado = try runPushsim(line + ["--method", "tornado", "--json", "-"])
    let result = try object(tornado.stdout)
    #expect(result["format"] as? String == "pushsim-sensitivity/1")
    #expect(result["morris"] == nil && result["sobol"] == nil)
    let bars = try #require(result["tornado"] as? [[String: Any]])
    #expect(
      bars.map { $0["parameter"] as? String } == [
        "policy.hourly_budget.ignore_probability", "policy.device_pool.size",
      ])
    func effect(_ bar: Int, _ end: String) throws -> Double {
      let end = try #require(bars[bar][end] as? [String: Any])
      let effects = try #require(end["effects"] as? [String: [String: Any]])
      return try #require(effects["often"]?["mean"] as? Double)
    }
    #expect(try effect(0, "low") > 0)
    #expect(try effect(0, "high") < 0)
    #expect(try effect(1, "low") == 0)
    let conclusion = try #require(result["conclusion"] as? [String])
    #expect(!conclusion.isEmpty)
  }

  @Test func `what sensitivity cannot do is said with status 64`() throws {
    let metric = try runPushsim("sensitivity", news, "--metric", "deliverd")
    #expect(metric.status == 64)
    #expect(metric.stderr.contains("did you mean `delivered`?"))
    #expect(try runPushsim("sensitivity", news).stderr.contains("`--metric NAME` is missing"))
    let parameter = try runPushsim("sensitivity", news, "--metric", "delivered", "--parameter", "policy.x")
    #expect(parameter.status == 64)
    let method = try runPushsim("sensitivity", news, "--metric", "delivered", "--method", "moris")
    #expect(method.stderr.contains("did you mean `morris`?"))
  }

  @Test func `a metric with nothing to divide by is told from one that no strategy has`() throws {
    let line = [
      "sensitivity", news, "--metric", "joules_per_fresh_open", "--replications", "2", "--devices", "1",
      "--set",
      "experiment.duration=1 min", "--set", "experiment.warm_up=0 s", "--method", "tornado", "--parameter",
      "policy.device_pool.size",
    ]
    let nothing = try runPushsim(line)
    #expect(nothing.status == 65)
    #expect(nothing.stderr.contains("nothing to divide `joules_per_fresh_open` by"), "\(nothing.stderr)")
    #expect(!nothing.stderr.contains("no strategy"))
  }
}
