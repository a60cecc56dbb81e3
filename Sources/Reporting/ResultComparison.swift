/// How two results differ.
public struct ResultComparison {
  public init(_ a: JSONValue, named nameA: String, _ b: JSONValue, named nameB: String) {}
  public var page: String { "" }
  public var markdown: String { "" }
  public func text(width: Int) -> String { "" }
}
