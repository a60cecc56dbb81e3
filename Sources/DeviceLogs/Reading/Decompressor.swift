import CZlib
import CZstd

/// Unpacks gzip and zstd as they come; other bytes pass as they are.
public final class Decompressor {
  public enum Problem: Error, Sendable, Equatable {
    case damaged
    /// The data end before the packed text does.
    case endsEarly
  }

  private enum Form { case plain, gzip, zstd }

  private var form: Form?
  private var head: [UInt8] = []
  private var inflater = z_stream()
  private var zstd: OpaquePointer?
  private var isInside = false
  private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 * 1024)

  public init() {}

  deinit {
    if form == .gzip { inflateEnd(&inflater) }
    if let zstd { ZSTD_freeDStream(zstd) }
    room.deallocate()
  }

  /// Takes the next bytes; what they unpack to is valid during the call only. Gives what is wrong with them.
  public func problem(
    reading bytes: UnsafeBufferPointer<UInt8>, _ unpacked: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Problem? {
    guard form == nil else { return unpack(bytes, unpacked) }
    // A pipe may bring the first bytes one by one.
    head.append(contentsOf: bytes)
    guard head.count >= 4 else { return nil }
    let whole = head
    begin(whole)
    head = []
    return whole.withUnsafeBufferPointer { unpack($0, unpacked) }
  }

  public func finish(_ unpacked: (UnsafeBufferPointer<UInt8>) -> Void) throws(Problem) {
    if form == nil { head.withUnsafeBufferPointer(unpacked) }
    if isInside { throw .endsEarly }
  }

  private func begin(_ head: [UInt8]) {
    switch (head[0], head[1], head[2], head[3]) {
    case (0x1F, 0x8B, _, _):
      form = .gzip
      // 32: the window that the header names, of gzip or zlib.
      inflateInit2_(&inflater, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    case (0x28, 0xB5, 0x2F, 0xFD):
      form = .zstd
      zstd = ZSTD_createDStream()
    default: form = .plain
    }
  }

  private func unpack(_ bytes: UnsafeBufferPointer<UInt8>, _ unpacked: (UnsafeBufferPointer<UInt8>) -> Void)
    -> Problem?
  {
    guard !bytes.isEmpty else { return nil }
    switch form {
    case .gzip: return inflate(bytes, unpacked)
    case .zstd: return decompress(bytes, unpacked)
    case .plain, nil:
      unpacked(bytes)
      return nil
    }
  }

  private func inflate(_ bytes: UnsafeBufferPointer<UInt8>, _ unpacked: (UnsafeBufferPointer<UInt8>) -> Void)
    -> Problem?
  {
    inflater.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    inflater.avail_in = UInt32(bytes.count)
    isInside = true
    repeat {
      inflater.next_out = room.baseAddress
      inflater.avail_out = UInt32(room.count)
      let status = CZlib.inflate(&inflater, Z_NO_FLUSH)
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return .damaged }
      let count = room.count - Int(inflater.avail_out)
      if count > 0 { unpacked(UnsafeBufferPointer(rebasing: room[..<count])) }
      if status == Z_STREAM_END {
        isInside = inflater.avail_in > 0
        // Logs that were appended to are several packed texts, one behind the other.
        if isInside { inflateReset(&inflater) }
        guard isInside else {
          inflateReset(&inflater)
          return nil
        }
      }
    } while inflater.avail_in > 0 || inflater.avail_out == 0
    return nil
  }

  private func decompress(
    _ bytes: UnsafeBufferPointer<UInt8>, _ unpacked: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Problem? {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var output = ZSTD_outBuffer()
    repeat {
      output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
      let status = ZSTD_decompressStream(zstd, &output, &input)
      guard ZSTD_isError(status) == 0 else { return .damaged }
      isInside = status != 0
      if output.pos > 0 { unpacked(UnsafeBufferPointer(rebasing: room[..<output.pos])) }
    } while input.pos < input.size || output.pos == output.size
    return nil
  }
}
