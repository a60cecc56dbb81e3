import Distributions
import PushModel
import Quantities

/// What policies say of their surroundings by the path that it had there: `policy.surroundings.in_use` and the like are
/// read as the population's, for a life is the same under every policy.
struct MovedSurroundings {
  static let key = "surroundings"

  /// By policy, in the order of the scenario; nil where a policy says nothing.
  private var said: [(policy: String, node: YAMLNode?)] = []

  /// Takes note of what a policy's tree says.
  ///
  /// - Parameter leaves: the paths of the population.
  mutating func note(_ policy: String, _ tree: YAMLNode, leaves: Set<String>, log: DiagnosticLog) {
    let expanded = tree.expandingDottedKeys(leaves: leaves, log: log)
    guard let entry = expanded.entries?.first(where: { $0.key.text == Self.key }) else {
      return said.append((policy, nil))
    }
    log.add(Messages.surroundingsMoved(entry.key.span))
    said.append((policy, YAMLNode(.mapping([entry]), span: expanded.span)))
  }

  /// The population's tree with what the policies say put into it: one tree if none says anything, else one for each.
  func trees(over tree: YAMLNode, leaves: Set<String>, log: DiagnosticLog) -> [YAMLNode] {
    guard said.contains(where: { $0.node != nil }) else { return [tree] }
    return said.map { said in said.node.map { tree.merging($0, leaves: leaves, log: log) } ?? tree }
  }

  /// Refuses policies that differ.
  ///
  /// - Parameter read: what became of the trees, in their order.
  func check(_ read: [Parameterised<Population>], log: DiagnosticLog) {
    for index in read.indices.dropFirst() {
      guard let path = Self.difference(read[0], read[index]),
        let entry = (said[index].node ?? said[0].node)?.entries?.first
      else { continue }
      let values = [0, index].map { index in
        let value = read[index].settings.first { $0.path == path }?.text ?? ""
        return "\(value) for \(Messages.quoted(said[index].policy))"
      }
      log.add(Messages.surroundingsDiffer(path, entry.key.span, values: values))
    }
  }

  /// The first of the surroundings in which two populations differ.
  private static func difference(
    _ a: Parameterised<Population>, _ b: Parameterised<Population>
  ) -> String? {
    Population.keys.first { row in
      guard row.path.hasPrefix(key + "."), case .parameter(let parameter) = row,
        case .number(_, _, let path) = parameter.kind
      else { return false }
      let priors = [a, b].map { $0.drawn.first { $0.key.path == row.path }?.prior }
      return a.values[keyPath: path] != b.values[keyPath: path] || priors[0] != priors[1]
    }?.path
  }
}
