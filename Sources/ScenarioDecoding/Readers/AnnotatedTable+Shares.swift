import PushModel
import Quantities

extension AnnotatedTable {
  /// One share of a group as its file has it.
  private struct Share {
    let row: Int
    let name: String
    let path: any WritableKeyPath<Root, Double> & Sendable
    let node: YAMLNode
    /// Whether the author who says what becomes of the rest named it, or somebody who overrides that author.
    let isNamed: Bool
  }

  /// Sees that each group of shares is 100 %, or makes it so in the way that its `rest` says.
  ///
  /// - Parameter found: by row the node of its value, then by group the node of its `rest`.
  func settleShares(_ found: [YAMLNode?], in result: inout Parameterised<Root>, context: DecodingContext) {
    for (index, group) in shares.enumerated() {
      let rest = found[rows.count + index].map {
        ValueReader($0, label: Messages.quoted(group.rest), context: context)
      }
      let shares = shares(of: group, found, rest: rest?.node)
      // One that is missing or wrong has been reported.
      guard shares.count == group.paths.count else { continue }
      if let rest {
        guard let choice = rest.choice(["scaled"] + group.names) else { continue }
        settle(shares, of: group, choice, rest.node, in: &result, log: context.log)
      }
      let sum = shares.reduce(0) { $0 + result.values[keyPath: $1.path] }
      if !sharesAreWhole(sum) { report(shares, of: group, result, context.log) }
    }
  }

  private func shares(of group: ShareGroup, _ found: [YAMLNode?], rest: YAMLNode?) -> [Share] {
    zip(group.paths, group.names).compactMap { path, name in
      guard let row = rows.firstIndex(where: { $0.path == path }), let node = found[row],
        case .parameter(let key) = rows[row], case .number(_, _, let keyPath) = key.kind
      else { return nil }
      let value = node["value"] ?? node
      let isNamed = value.span.source.origin.isOverride || value.span.source === rest?.span.source
      return Share(row: row, name: name, path: keyPath, node: value, isNamed: isNamed)
    }
  }

  /// - Parameter choice: 0 to scale the shares that are not named, else 1 more than the place of the one that takes what
  ///   the others leave.
  private func settle(
    _ shares: [Share], of group: ShareGroup, _ choice: Int, _ rest: YAMLNode,
    in result: inout Parameterised<Root>, log: DiagnosticLog
  ) {
    let changed: [Share]
    if choice > 0 {
      changed = [shares[choice - 1]]
      if changed[0].isNamed {
        log.add(Messages.restIsNamed(group, changed[0].name, rest, at: changed[0].node.span))
        return
      }
    } else {
      changed = shares.filter { !$0.isNamed }
    }
    let rows = Set(changed.map(\.row))
    let kept = shares.filter { !rows.contains($0.row) }.reduce(0) { $0 + result.values[keyPath: $1.path] }
    let left = kept > 1 && sharesAreWhole(kept) ? 0 : 1 - kept
    let sum = changed.reduce(0) { $0 + result.values[keyPath: $1.path] }
    // Then the sum is wrong whatever they are, and is reported.
    guard left >= 0, choice > 0 || sum > 0 else { return }
    for share in changed {
      let value = choice > 0 ? left : result.values[keyPath: share.path] * left / sum
      result.values[keyPath: share.path] = value
      let path = self.rows[share.row].path
      result.drawn.removeAll { $0.key.path == path }
      guard let index = result.settings.firstIndex(where: { $0.path == path }) else { continue }
      // The prior was one of the share as it was.
      result.settings[index].text = Quantity.format(value, .proportion, digits: 4)
      result.settings[index].prior = nil
      result.settings[index].priorText = nil
      result.settings[index].source += "; then what `rest` leaves"
      result.settings[index].isOverride = true
    }
  }

  private func report(
    _ shares: [Share], of group: ShareGroup, _ result: Parameterised<Root>, _ log: DiagnosticLog
  ) {
    // The last that somebody changed is where the sum went wrong.
    let named = shares.last { $0.node.span.source.origin == .commandLine } ?? shares.last { $0.isNamed }
    let other = shares.first { !$0.isNamed }?.name
    log.add(
      Messages.sharesDoNotAddUp(
        group, (named ?? shares[0]).node.span,
        shares.map { ($0.name, result.values[keyPath: $0.path]) }, table: name, other: other))
  }
}

/// Whether shares add up to 100 %, as people and roundings have it.
func sharesAreWhole(_ sum: Double) -> Bool { (sum - 1).magnitude <= 1e-6 }
