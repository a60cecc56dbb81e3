import CLibMD

/// SHA-256 of several texts, each preceded by its length so that no two lists of texts share a digest by accident.
public enum Digest {
  public static func hex(_ texts: [[UInt8]]) -> String {
    var bytes: [UInt8] = []
    for text in texts {
      bytes += Array("\(text.count)\n".utf8)
      bytes += text
    }
    var digest = [CChar](repeating: 0, count: 65)
    return bytes.withUnsafeBufferPointer { input in
      _ = SHA256Data(input.baseAddress, input.count, &digest)
      return String(decoding: digest.prefix(64).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
