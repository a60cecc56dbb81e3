public import PushModel
import Quantities

/// Who a scenario runs, in lines for `pushsim check`.
public enum PopulationText {
  /// Empty for a script, which is one device.
  public static func asRun(_ source: PopulationSource) -> String {
    guard case .drawn(let parameters) = source else { return "" }
    let isDrawn = parameters.drawn.isEmpty ? "" : " (with the medians of what replications draw)"
    return "  population as run\(isDrawn):\n"
      + parameters.values.asRun.map { group in
        let shares = group.shares.map { "\(Quantity.format($0.share, .proportion, digits: 3)) \($0.name)" }
        return "    \(group.title): \(shares.joined(separator: ", "))\n"
      }.joined()
  }
}
