public import PushModel
import PushPolicy
import Quantities

/// The tables of `pushsim policy` and `pushsim factors`.
public enum ParameterTables {
  /// Every parameter of a profile with value, evidence, prior and source, the assumed ones marked.
  ///
  /// - Parameter width: the terminal's, in columns; the source gives way first.
  public static func policy(name: String, summary: String, _ settings: [ParameterSetting], width: Int)
    -> String
  {
    var text = "\(name): \(summary)\n"
    let assumed = settings.filter { $0.evidence.isAssumption }.count
    text +=
      "\(settings.count) parameters, \(assumed) of them assumed (marked *): Apple publishes no such number.\n\n"
    var table = TextTable([
      TextTable.Column("parameter"), TextTable.Column("value", .right), TextTable.Column("evidence"),
      TextTable.Column("plausible"), TextTable.Column("source", .left, mayShrink: true),
    ])
    for setting in settings {
      table.add([
        setting.path + (setting.evidence.isAssumption ? " *" : ""), setting.text, setting.evidence.rawValue,
        setting.priorText ?? "", setting.source,
      ])
    }
    return text + table.text(width: width)
  }

  /// Every factor with its summary, sources and parameters; values are the given profile's.
  public static func factors(profile: String, _ settings: [ParameterSetting], width: Int) -> String {
    var text = "policy factors in the order in which they are named; values of the profile `\(profile)`\n"
    for factor in FactorRegistry.all {
      text += "\n\(factor.id.name)\n"
      text += TextRenderer.wrapped("  " + factor.summary, width: width, hanging: 2)
      text += TextRenderer.wrapped("  sources: " + factor.sources, width: width, hanging: 4)
      var table = TextTable([
        TextTable.Column(""), TextTable.Column("", .right), TextTable.Column("", .left),
        TextTable.Column(""), TextTable.Column("", .left, mayShrink: true),
      ])
      for key in [factor.modeKey] + factor.keys {
        guard let setting = settings.first(where: { $0.path == key.path }) else { continue }
        table.add([key.path, setting.text, range(key), setting.evidence.rawValue, key.summary])
      }
      text += table.text(width: width, indentation: 2)
    }
    return text
  }

  private static func range(_ key: ParameterKey<Policy>) -> String {
    switch key.kind {
    case .number(let dimension, let range, _):
      return Quantity.format(range.lowerBound, dimension) + " … "
        + Quantity.format(range.upperBound, dimension)
    case .numbers: return ""
    case .choice(let words, _): return words.joined(separator: " | ")
    case .flag: return "on | off"
    }
  }
}
