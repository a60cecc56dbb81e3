import CPushsim
import Distributions
import Testing

@Suite struct RandomStreamTests {
  // Salmon et al., SC'11; Random123's kat_vectors, `philox4x32 10`: the three published answers.
  @Test(arguments: [
    KnownAnswer(
      counter: [0, 0, 0, 0], key: [0, 0], output: [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    KnownAnswer(
      counter: [0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff], key: [0xffff_ffff, 0xffff_ffff],
      output: [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    KnownAnswer(
      counter: [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], key: [0xa409_3822, 0x299f_31d0],
      output: [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
  ])
  func `the generator gives the published answers`(known: KnownAnswer) {
    var answer: [UInt32] = [0, 0, 0, 0]
    ps_philox4x32_10(known.counter, known.key, &answer)
    #expect(answer == known.output)
  }

  @Test func `a stream hands out the blocks of its path in order`() {
    var stream = StreamFamily(seed: 0x1_0000_0002, replication: 3).stream(device: 5, .test, item: 7)
    for block in 0..<3 as Range<UInt32> {
      var expected: [UInt32] = [0, 0, 0, 0]
      ps_philox4x32_10([block, 7, 5, 3 << 8 | 250], [2, 1], &expected)
      let given = (0..<4).map { _ in stream.bits() }
      #expect(given == expected)
    }
  }

  @Test func `streams of different paths differ from their first output`() {
    var first: Set<UInt64> = []
    var count = 0
    for seed in 1...3 as ClosedRange<UInt64> {
      for replication in 0..<3 {
        let family = StreamFamily(seed: seed, replication: replication)
        for device in 0..<5 as Range<UInt32> {
          for purpose in StreamPurpose.allCases {
            for item in 0..<3 as Range<UInt32> {
              var stream = family.stream(device: device, purpose, item: item)
              first.insert(UInt64(stream.bits()) << 32 | UInt64(stream.bits()))
              count += 1
            }
          }
        }
      }
    }
    // Two equal ones among 3,000 random 64-bit numbers: probability 2.4e-13.
    #expect(first.count == count)
  }

  @Test(arguments: ["replication", "device", "seed", "item", "purpose"])
  func `streams that differ in one part of their path are uncorrelated`(part: String) {
    let family = StreamFamily(seed: part == "seed" ? 2 : 1, replication: part == "replication" ? 1 : 0)
    var a = StreamFamily(seed: 1, replication: 0).stream(device: 0, .test, item: 0)
    var b = family.stream(
      device: part == "device" ? 1 : 0, part == "purpose" ? .handler : .test, item: part == "item" ? 1 : 0)
    let count = 100_000
    var sum = 0.0
    for _ in 0..<count { sum += (a.uniform() - 0.5) * (b.uniform() - 0.5) }
    // A product of two independent centred uniforms has the variance 1/144.
    #expect((sum / Double(count)).magnitude < zAlpha / 12 / Double(count).squareRoot())
  }

  @Test func `successive outputs of a stream are uncorrelated`() {
    var stream = testStream(1)
    let count = 100_000
    var sum = 0.0
    var last = stream.uniform() - 0.5
    for _ in 0..<count {
      let next = stream.uniform() - 0.5
      sum += last * next
      last = next
    }
    #expect((sum / Double(count)).magnitude < zAlpha / 12 / Double(count).squareRoot())
  }

  @Test func `uniforms follow the uniform distribution`() {
    var stream = testStream(2)
    let sample = (0..<sampleSize).map { _ in stream.uniform() }
    #expect(sample.allSatisfy { $0 >= 0 && $0 < 1 })
    #expect(distance(of: sample) { min(max($0, 0), 1) } < dkwBound(sampleSize))
  }

  @Test func `a positive uniform is one minus a uniform`() {
    var a = testStream(3)
    var b = testStream(3)
    for _ in 0..<1000 { #expect(a.uniformPositive() == 1 - b.uniform()) }
  }

  @Test func `unit exponentials follow the exponential distribution and take one uniform each`() throws {
    var a = testStream(4)
    var b = testStream(4)
    let sample = (0..<sampleSize).map { _ in a.unitExponential() }
    let exponential = try Distribution.exponential(mean: 1)
    #expect(distance(of: sample, from: exponential.cdf) < dkwBound(sampleSize))
    for _ in 0..<sampleSize { _ = b.uniform() }
    #expect(a.bits() == b.bits())
  }

  @Test func `unit gaussians follow the gaussian distribution`() throws {
    var stream = testStream(5)
    let sample = (0..<sampleSize).map { _ in stream.unitGaussian() }
    let gaussian = try Distribution.gaussian(mean: 0, sigma: 1)
    #expect(distance(of: sample, from: gaussian.cdf) < dkwBound(sampleSize))
  }

  @Test(arguments: [1, 2, 3, 7, 10])
  func `each index below a bound is equally likely`(bound: Int) {
    var stream = testStream(6)
    var counts = [Int](repeating: 0, count: bound)
    for _ in 0..<sampleSize { counts[stream.index(below: bound)] += 1 }
    let p = 1 / Double(bound)
    let error = (p * (1 - p) / Double(sampleSize)).squareRoot()
    for count in counts {
      #expect((Double(count) / Double(sampleSize) - p).magnitude <= zAlpha * error)
    }
  }

  @Test func `an index reaches both ends of the largest range`() {
    var stream = testStream(7)
    let sample = (0..<1000).map { _ in stream.index(below: .max) }
    #expect(sample.allSatisfy { $0 >= 0 })
    // 1000 draws all outside one tenth: probability 0.9¹⁰⁰⁰ = 10⁻⁴⁶.
    #expect(sample.max()! > .max / 10 * 9)
    #expect(sample.min()! < .max / 10)
  }

  @Test(arguments: [0, 0.3, 1] as [Double])
  func `a bernoulli draw takes one uniform whatever its probability`(p: Double) {
    var a = testStream(8)
    var b = testStream(8)
    var successes = 0
    for _ in 0..<10_000 {
      if a.bernoulli(p) { successes += 1 }
      _ = b.uniform()
    }
    #expect(a.bits() == b.bits())
    let error = (p * (1 - p) / 10_000).squareRoot()
    #expect((Double(successes) / 10_000 - p).magnitude <= zAlpha * error)
  }
}

struct KnownAnswer: Sendable {
  let counter: [UInt32]
  let key: [UInt32]
  let output: [UInt32]
}
