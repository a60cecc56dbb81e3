public import Distributions
public import Quantities

/// One parameter as a scenario sees it after its files and `--set` were read: value, evidence and source.
public struct ParameterSetting: Sendable {
  /// Dotted path below the profile or population, as in `hourly_budget.limit`.
  public var path: String
  /// The value as the file writes it.
  public var text: String
  /// What the file says is plausible; used when a study asks for the uncertainty, and shown beside the value.
  public var prior: Distribution?
  /// The prior as the file writes it.
  public var priorText: String?
  public var evidence: Evidence
  public var source: String
  /// Whether the scenario or the command line sets it, and not the profile.
  public var isOverride: Bool

  public init(
    path: String, text: String, prior: Distribution?, priorText: String?, evidence: Evidence, source: String,
    isOverride: Bool = false
  ) {
    self.path = path
    self.text = text
    self.prior = prior
    self.priorText = priorText
    self.evidence = evidence
    self.source = source
    self.isOverride = isOverride
  }
}

/// A set of parameters of which some may be priors.
public struct Parameterised<Root: Sendable>: Sendable {
  /// The values; where a parameter is a prior, the prior's median.
  public var values: Root
  /// Every parameter in the order of its table, for reports.
  public var settings: [ParameterSetting]
  /// The parameters that each replication draws anew, in the order of the table.
  public var drawn: [(key: ParameterKey<Root>, prior: Distribution)]

  public init(
    values: Root, settings: [ParameterSetting] = [],
    drawn: [(key: ParameterKey<Root>, prior: Distribution)] = []
  ) {
    self.values = values
    self.settings = settings
    self.drawn = drawn
  }

  /// What the scenario and the command line set in the profile.
  public var overrides: [ParameterSetting] { settings.filter(\.isOverride) }

  /// The parameter set of one replication. Each drawn parameter has a stream of its own, named by its path, so that
  /// making one more parameter uncertain moves no other.
  public func draw(_ streams: StreamFamily) -> Root {
    var root = values
    for (key, prior) in drawn {
      guard case .number(_, let range, let keyPath) = key.kind else { continue }
      var stream = streams.stream(.parameter, item: stableHash(key.path))
      root[keyPath: keyPath] = min(range.upperBound, max(range.lowerBound, prior.draw(&stream)))
    }
    return root
  }
}

/// FNV-1a: a hash that is the same in every process, unlike `Hasher`.
public func stableHash(_ text: String) -> UInt32 {
  var hash: UInt32 = 2_166_136_261
  for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
  return hash
}
