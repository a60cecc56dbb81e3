import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Parses a page as XML and keeps what the tests ask for.
final class XMLCheck: NSObject, XMLParserDelegate {
  private(set) var error: String?
  private(set) var elements: Set<String> = []
  private(set) var attributes: Set<String> = []
  /// What the page refers to.
  private(set) var links: [String] = []
  /// Numbers with the places in the result that they name.
  private(set) var numbers: [(path: String, text: String)] = []
  private var isInNumber = false

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse() { error = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "?")" }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes given: [String: String]
  ) {
    elements.insert(name)
    attributes.formUnion(given.keys)
    links += [given["href"], given["src"]].compactMap { $0 }
    isInNumber = given["data-path"] != nil
    if let path = given["data-path"] { numbers.append((path, "")) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if isInNumber { numbers[numbers.count - 1].text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    isInNumber = false
  }
}
