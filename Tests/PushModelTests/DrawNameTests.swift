import Distributions
import PushPolicy
import Testing

@testable import PushModel

/// A draw of each name for a few numbers, the least and the greatest among them.
private let draws: [(kind: String, name: DrawName)] = {
  let most = UInt32(SendSchedule.mostSends) - 1
  let numbers: [UInt32] = [0, 1, 2, 31, 32, 63, 64, 1000, most / 2, most - 1, most]
  var draws: [(String, DrawName)] = []
  for number in numbers {
    for factor in FactorID.allCases { draws.append(("verdict", .verdict(number, factor))) }
    for tries in UInt32(0)...31 {
      draws.append(("refusalOfRate", .refusalOfRate(number, tries: tries)))
      draws.append(("backOff", .backOff(number, tries: tries)))
    }
    for attempt in UInt32(0)...7 {
      draws.append(("transit", .transit(number, attempt: attempt)))
      draws.append(("slowWake", .slowWake(number, attempt: attempt)))
    }
    draws += [
      ("send", .send(number)), ("refusalOfPriority", .refusalOfPriority(number)),
      ("refusalOfType", .refusalOfType(number)), ("softExpiry", .softExpiry(number)),
      ("slot", .slot(number)), ("serviceExtension", .serviceExtension(number)),
      ("reaction", .reaction(number)), ("call", .call(number)), ("handler", .handler(number)),
      ("grant", .grant(number)), ("download", .download(number)), ("release", .release(second: number)),
      ("deadLinkOnWiFi", .deadLinkOnWiFi(number)), ("deadLinkOnCellular", .deadLinkOnCellular(number)),
      ("restriction", .restriction(number)), ("rest", .rest(number)), ("storedLost", .storedLost(number)),
      ("joinsLaunch", .joinsLaunch(number)),
      ("swallowed", .swallowed(number)), ("sharedEvent", .sharedEvent(number)),
    ]
  }
  return draws + [
    ("placeAtProvider", .placeAtProvider), ("ignoresPriority10", .ignoresPriority10),
    ("systemTraits", .systemTraits), ("backgroundReleases", .backgroundReleases),
    ("ignoresStylesOff", .ignoresStylesOff), ("tokenBurst", .tokenBurst),
    ("refreshOpportunities", .refreshOpportunities), ("processingOpportunities", .processingOpportunities),
    ("poolTraits", .poolTraits), ("refreshFading", .refreshFading), ("linkTraits", .linkTraits),
  ]
}()

/// A new name does not compile until it stands here, and then the test asks for it.
private func kind(_ name: DrawName) -> Int {
  switch name {
  case .send: 0
  case .transit: 1
  case .verdict: 2
  case .refusalOfPriority: 3
  case .refusalOfRate: 4
  case .refusalOfType: 5
  case .softExpiry: 6
  case .slot: 7
  case .backOff: 8
  case .serviceExtension: 9
  case .reaction: 10
  case .call: 11
  case .placeAtProvider: 12
  case .ignoresPriority10: 13
  case .handler: 14
  case .grant: 15
  case .download: 16
  case .systemTraits: 17
  case .backgroundReleases: 18
  case .release: 19
  case .refreshOpportunities: 20
  case .processingOpportunities: 21
  case .deadLinkOnWiFi: 22
  case .deadLinkOnCellular: 23
  case .restriction: 24
  case .poolTraits: 25
  case .refreshFading: 26
  case .linkTraits: 27
  case .rest: 28
  case .slowWake: 29
  case .storedLost: 30
  case .joinsLaunch: 31
  case .swallowed: 32
  case .ignoresStylesOff: 33
  case .tokenBurst: 34
  case .sharedEvent: 35
  }
}

struct DrawNameTests {
  @Test func `no two draws of a device take the same stream`() {
    #expect(Set(draws.map { kind($0.name) }) == Set(0...35))
    var taken: [UInt64: String] = [:]
    func take(_ place: (purpose: StreamPurpose, item: UInt32), _ kind: String) {
      let key = UInt64(place.purpose.rawValue) << 32 | UInt64(place.item)
      #expect(taken[key] == nil, "\(kind) and \(taken[key] ?? ""): item \(place.item) of \(place.purpose)")
      taken[key] = kind
    }
    for draw in draws { take(draw.name.place, draw.kind) }
    for name in LifeDrawName.allCases { take(name.place, "\(name)") }
  }

  /// The places are part of the results.
  @Test func `a draw stays where it was`() {
    func place(_ name: DrawName) -> String { "\(name.place.purpose) \(name.place.item)" }
    #expect(place(.verdict(3, .usageHistory)) == "policy 204")
    #expect(place(.refusalOfPriority(3)) == "policy 255")
    #expect(place(.refusalOfRate(3, tries: 2)) == "apns 98")
    #expect(place(.refusalOfType(3)) == "apns \(3 + 1 << 29)")
    #expect(place(.softExpiry(3)) == "apns \(3 + 1 << 30)")
    #expect(place(.slot(3)) == "apns \(3 + 1 << 31)")
    #expect(place(.deadLinkOnCellular(3)) == "link \(3 + 1 << 24)")
    #expect(place(.release(second: 3)) == "release 4")
    #expect(LifeDrawName.nightCharge.place == (.charging, 3))
  }

  @Test func `a sum that is beyond what can be counted stays at the largest number, and is seen`() {
    var tally = Tally()
    var other = Tally()
    other.energy.bytes = .max - 1
    tally.add(other)
    #expect(!tally.isFull)
    tally.add(other)
    #expect(tally.isFull && tally.energy.bytes == .max)
    var waiting = Tally()
    waiting.held[3] = .max / 2
    waiting.add(waiting)
    waiting.add(waiting)
    #expect(waiting.isFull)
  }
}

struct PopulationAsRunTests {
  @Test func `the population as run is that of the lives`() throws {
    var population = try DefaultPopulation.values()
    population.mix.device.iphone = 0.3
    population.mix.device.ipad = 0.6
    population.mix.device.mac = 0.1
    population.ipad.classShift = 0.7
    population.classes.light = 0
    population.classes.dormant = 0.81
    let devices: UInt32 = 3000
    var classes = [Double](repeating: 0, count: 4)
    var kinds = [Double](repeating: 0, count: 3)
    try withLives(of: population, devices: 0..<devices, days: 0) { _, life in
      classes[Int(life.traits.userClass.rawValue)] += 1 / Double(devices)
      kinds[Int(life.traits.kind.rawValue)] += 1 / Double(devices)
    }
    let asRun = population.asRun
    for (title, found) in [("users of the app", classes), ("devices", kinds)] {
      let group = try #require(asRun.first { $0.title == title })
      for (share, found) in zip(group.shares, found) {
        // A false alarm once in 15,000 checks.
        let sigma = (share.share * (1 - share.share) / Double(devices)).squareRoot()
        #expect((share.share - found).magnitude <= 4 * sigma, "\(title): \(share.name) \(found)")
      }
    }
    // Nobody is light: what is shifted from the regular goes to the dormant.
    #expect((asRun[1].shares[0].share - (0.81 + 0.14 * 0.42)).magnitude < 1e-12)
    for group in asRun { #expect((group.shares.reduce(0) { $0 + $1.share } - 1).magnitude < 1e-12) }
  }
}
