/// Parameters that are the shares of one whole, together 100 %.
public struct ShareGroup: Sendable {
  /// The path of the key that says what becomes of the shares that an author does not name, as in `classes.rest`.
  public let rest: String
  /// The paths of the shares, in the order of their table.
  public let paths: [String]

  public init(rest: String, paths: [String]) {
    self.rest = rest
    self.paths = paths
  }

  /// What messages call the group.
  public var label: String {
    let stem = rest.dropLast("rest".count)
    return String(stem.hasSuffix(".") || stem.hasSuffix("_") ? stem.dropLast() : stem)
  }

  /// What tells the shares apart, in the order of ``paths``: `dormant` of `classes.dormant.share`.
  public var names: [String] {
    paths.map { path in
      let name = path.dropFirst(rest.count - "rest".count)
      return String(name.prefix { $0 != "." })
    }
  }

  /// The groups of a table, in its order.
  public static func all<Root>(_ keys: some Sequence<ParameterKey<Root>>) -> [ShareGroup] {
    var groups: [(rest: String, paths: [String])] = []
    for key in keys {
      guard case .share(let rest)? = key.rule else { continue }
      if let index = groups.firstIndex(where: { $0.rest == rest }) {
        groups[index].paths.append(key.path)
      } else {
        groups.append((rest, [key.path]))
      }
    }
    return groups.map { ShareGroup(rest: $0.rest, paths: $0.paths) }
  }
}
