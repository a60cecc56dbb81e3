extension Population {
  /// Shares of one whole among the devices that are run.
  public struct SharesAsRun: Sendable {
    /// What the shares are of.
    public let title: String
    public let shares: [(name: String, share: Double)]
  }

  /// Who is run, which the shares in a file do not say alone: iPads are used one class less than drawn, and nobody
  /// force-quits on a Mac.
  public var asRun: [SharesAsRun] {
    func whole(_ shares: [Double]) -> [Double] {
      let sum = shares.reduce(0, +)
      return shares.map { sum > 0 ? $0 / sum : 0 }
    }
    let kinds = whole([mix.device.iphone, mix.device.ipad, mix.device.mac])
    // As in `TraitsDraw`: to the next class below that anybody is in.
    func shifted(_ shares: [Double]) -> [Double] {
      let drawn = whole(shares)
      var result = drawn
      for (index, share) in drawn.enumerated() {
        guard let lower = drawn[..<index].lastIndex(where: { $0 > 0 }) else { continue }
        let moved = share * kinds[1] * ipad.classShift
        result[index] -= moved
        result[lower] += moved
      }
      return result
    }
    func group(_ title: String, _ names: [String], _ shares: [Double]) -> SharesAsRun {
      SharesAsRun(title: title, shares: Array(zip(names, shares)).map { (name: $0, share: $1) })
    }
    let quits = whole([settings.forceQuitNever, settings.forceQuitSometimes, settings.forceQuitHabitual])
      .map { $0 * (1 - kinds[2]) }
    return [
      group("devices", ["iPhone", "iPad", "Mac"], kinds),
      group(
        "users of the app", ["dormant", "light", "regular", "heavy"],
        shifted([classes.dormant, classes.light, classes.regular, classes.heavy])),
      group(
        "users of the device", ["light", "regular", "heavy"],
        shifted([deviceUse.shares.light, deviceUse.shares.regular, deviceUse.shares.heavy])),
      group(
        "versions", ["on 27", "on 26", "on 18", "on an older one"],
        whole([mix.os27, mix.os26, mix.os18, mix.osOlder])),
      group(
        "force quits", ["never", "sometimes", "habitual"], [quits[0] + kinds[2], quits[1], quits[2]]),
    ]
  }
}
