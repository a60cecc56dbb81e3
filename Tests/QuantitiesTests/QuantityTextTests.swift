import Quantities
import Testing

struct QuantityTextTests {
  static let written: [(text: String, value: Double, dimension: Dimension)] = [
    ("3", 3, .count), ("-0.5", -0.5, .count), ("1e3", 1000, .count), (".5", 0.5, .count), ("+2.", 2, .count),
    ("15 min", 900, .time), ("15min", 900, .time), (" 15  min ", 900, .time), ("1 d", 86_400, .time),
    ("500 ms", 0.5, .time), ("250 us", 0.000_25, .time), ("250 µs", 0.000_25, .time),
    ("250 \u{3BC}s", 0.000_25, .time), ("2 weeks", 1_209_600, .time), ("1.5e2 s", 150, .time),
    ("2 /h", 2.0 / 3600, .rate), ("24 /day", 24.0 / 86_400, .rate), ("3 / week", 3.0 / 604_800, .rate),
    ("40 %", 0.4, .proportion), ("7%", 0.07, .proportion), ("1.2 %/h", 1.2 / 360_000, .proportionRate),
    ("4 KB", 4000, .bytes), ("1 KiB", 1024, .bytes), ("24 MiB", 25_165_824, .bytes), ("3 J", 3, .energy),
    ("14 Wh", 50_400, .energy), ("0.24 W", 0.24, .power), ("80 mW", 0.08, .power),
    ("1 MB/s", 1e6, .bandwidth),
    ("10 Mbit/s", 1_250_000, .bandwidth),
  ]

  @Test(arguments: written)
  func `a number with a unit is read as its SI value`(text: String, value: Double, dimension: Dimension)
    throws
  {
    #expect(try Quantity.parse(text) == Quantity(value, dimension))
  }

  @Test(arguments: [
    ("", QuantityTextError.notANumber), ("often", .notANumber), ("min 15", .notANumber),
    ("- 3 s", .notANumber),
    (".", .notANumber), ("15 mins", .unknownUnit("mins")), ("15 MIN", .unknownUnit("MIN")),
    ("1 h 30 min", .unknownUnit("h 30 min")), ("1,5 h", .unknownUnit(",5 h")), ("3e s", .unknownUnit("e s")),
    ("0x10 s", .unknownUnit("x10 s")), ("inf", .notFinite), ("-.inf s", .notFinite), ("nan", .notFinite),
    (".NaN", .notFinite), ("1e999 s", .notFinite), ("1e308 week", .notFinite),
  ])
  func `a text that is no quantity is refused with its reason`(text: String, reason: QuantityTextError) {
    #expect(throws: reason) { try Quantity.parse(text) }
  }

  @Test(arguments: Dimension.allCases)
  func `every unit of a dimension is read as that dimension`(dimension: Dimension) throws {
    for unit in dimension.units {
      let quantity = try Quantity.parse("2 \(unit.symbol)")
      #expect(quantity == Quantity(unit.si(2), dimension), "2 \(unit.symbol)")
      #expect(unit.number(quantity.value) == 2, "2 \(unit.symbol)")
    }
    #expect(try Quantity.parse(dimension.example).dimension == dimension)
  }

  @Test(
    arguments: [
      (900, .time, "15 min"), (5400, .time, "1.5 h"), (259_200, .time, "3 d"), (640, .time, "640 s"),
      (0.25, .time, "250 ms"), (0, .time, "0 s"), (1.5, .time, "1.5 s"), (-60, .time, "-1 min"),
      (2.5 / 3600, .rate, "2.5 /h"), (80.0 / 86_400, .rate, "80 /day"), (0, .rate, "0 /h"),
      (0.4, .proportion, "40 %"), (0.07, .proportion, "7 %"), (0.0001, .proportion, "0.01 %"),
      (0.5 / 360_000, .proportionRate, "0.5 %/h"), (4000, .bytes, "4 KB"), (4096, .bytes, "4 KiB"),
      (50_400, .energy, "14 Wh"), (0.3, .energy, "0.3 J"), (0.24, .power, "0.24 W"),
      (1_250_000, .bandwidth, "10 Mbit/s"), (2_000_000, .bandwidth, "2 MB/s"), (0.1 + 0.2, .count, "0.3"),
      (1e21, .count, "1e21"), (1.5e-9, .count, "1.5e-9"), (1.0 / 3, .count, "0.333333333333"),
      (0.999_999_999_999_9, .count, "1"), (120, .count, "120"), (.infinity, .count, "infinity"),
    ] as [(Double, Dimension, String)])
  func `a value is shown in its natural unit`(value: Double, dimension: Dimension, text: String) {
    #expect(Quantity.format(value, dimension) == text)
  }

  @Test(arguments: Dimension.allCases)
  func `a shown value reads back as itself to twelve digits`(dimension: Dimension) throws {
    // Powers of an irrational step through all magnitudes and mantissas.
    for step in -40...40 {
      let value = 1.37 * Double(sign: .plus, exponent: step, significand: 1)
      let text = Quantity.format(value, dimension)
      let read = try Quantity.parse(text)
      #expect(read.dimension == dimension)
      #expect(abs(read.value - value) <= 1e-11 * value, "\(text)")
    }
  }
}
