/// One quantity by replication: in each, a part of a whole, such as the joules and the opens that they paid for.
///
/// The quantity is the ratio of the sums over all replications. The mean of the replications' own ratios would be off by
/// what numerator and denominator have in common, however many replications there are, and would leave out those without a
/// whole, though their part counts.
///
/// Two samples of the same replications are paired by their places (``PairedComparison``). Nothing can be dropped from one
/// of them alone: a replication without a whole stays in its place.
public struct ReplicationSample: Sendable, Hashable {
  /// What is known of the parts, beyond that they add up.
  public enum Kind: Sendable, Hashable {
    /// Any numbers.
    case amount
    /// Events counted among as many chances as the whole says: the quantity is from 0 to 1.
    case share
    /// Events counted, for each unit of the whole.
    case rate
  }

  /// What one replication says.
  public struct Item: Sendable, Hashable {
    public var part: Double
    /// 0: there was nothing to divide by.
    public var whole: Double
    /// How many units that are independent of each other the whole is made of, such as devices; 0 where that is not known.
    public var units: Double

    public init(_ part: Double, of whole: Double, units: Double = 0) {
      self.part = part
      self.whole = whole
      self.units = units
    }

    /// The replication's own ratio, to be shown.
    public var value: Double? { whole > 0 ? part / whole : nil }
  }

  public let kind: Kind
  /// In the order of the replications.
  public private(set) var items: [Item]

  public init(_ items: [Item] = [], kind: Kind = .amount) {
    self.items = items
    self.kind = kind
  }

  /// Numbers that weigh the same.
  public init(values: [Double], kind: Kind = .amount) {
    self.init(values.map { Item($0, of: 1) }, kind: kind)
  }

  /// How many replications there are, with those that had nothing to divide by.
  public var count: Int { items.count }
  /// The replications' own ratios, to be shown; nil where there was nothing to divide by.
  public var values: [Double?] { items.map(\.value) }
  /// Of all replications.
  public var units: Double { items.reduce(0) { $0 + $1.units } }

  /// Adds the replications that follow.
  public mutating func append(_ next: ReplicationSample) { items += next.items }
  mutating func append(_ item: Item) { items.append(item) }

  /// The first replications.
  public func prefix(_ count: Int) -> ReplicationSample {
    ReplicationSample(Array(items.prefix(count)), kind: kind)
  }

  /// Puts in what a replication said.
  ///
  /// - Precondition: there is a replication of that place.
  public subscript(replication: Int) -> Item {
    get { items[replication] }
    set { items[replication] = newValue }
  }

  /// The sum of the parts over that of the wholes; nil when there is nothing to divide by in any replication, or the numbers
  /// are so large that their squares are none.
  public var estimate: Double? {
    let estimate = isEven ? Moments(items.map { $0.part / $0.whole }).mean : ratio(items)
    return estimate.flatMap { linearised == nil ? nil : $0 }
  }

  /// A number per replication whose mean is the ``estimate``, and whose variance is that of the estimate times their number:
  /// what each replication adds to it, to first order (the delta method). Where all wholes are the same these are the
  /// replications' own ratios. Nil as the estimate is.
  ///
  /// - Source: Law, "Simulation Modeling and Analysis", ratio estimation; Cochran, "Sampling Techniques", 6.4.
  public var linearised: [Double]? {
    let values: [Double]
    if isEven {
      values = items.map { $0.part / $0.whole }
    } else {
      guard let ratio = ratio(items) else { return nil }
      let mean = items.reduce(0) { $0 + $1.whole } / Double(count)
      values = items.map { ratio + ($0.part - ratio * $0.whole) / mean }
    }
    // A file may hold any numbers.
    return values.allSatisfy { $0.magnitude < 1e150 } ? values : nil
  }

  private func ratio(_ items: [Item]) -> Double? {
    let whole = items.reduce(0) { $0 + $1.whole }
    return whole > 0 ? items.reduce(0) { $0 + $1.part } / whole : nil
  }

  /// Whether all replications weigh the same. Then no rounding need come between a value and its estimate.
  private var isEven: Bool {
    guard let first = items.first, first.whole > 0 else { return false }
    return items.allSatisfy { $0.whole == first.whole }
  }
}
