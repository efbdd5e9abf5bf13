private import Glibc
private import Gzip

/// The bytes of a file or of standard input (`-`), piece by piece, inflated when they are gzip.
struct ByteSource: ~Copyable {
    private static let pieceBytes = 256 * 1024
    /// A recorded stream may be large, but not without end.
    private static let limit = 1 << 40

    /// How messages call the source.
    let name: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var hasBegun = false
    /// Present when the first bytes were gzip's.
    private var inflater: Inflater?

    init(path: String) throws(ReplayError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ReplayError(.badInput, "\(path): \(String(cString: strerror(errno)))")
        }
        buffer = .allocate(byteCount: Self.pieceBytes, alignment: 1)
    }

    deinit {
        buffer.deallocate()
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// The next bytes, or nil at the end. A piece may be empty.
    mutating func next() throws(ReplayError) -> [UInt8]? {
        let piece = hasBegun ? try read() : try readBeginning()
        do throws(GzipError) {
            if !hasBegun, Gzip.isGzip(piece) { inflater = try Inflater(limit: Self.limit) }
            hasBegun = true
            guard !piece.isEmpty else {
                try inflater?.finish()
                return nil
            }
            return try inflater?.inflate(piece) ?? piece
        } catch {
            throw ReplayError(.badInput, "\(name): \(error)")
        }
    }

    /// Two bytes at least, if there are two: enough to know gzip by.
    private func readBeginning() throws(ReplayError) -> [UInt8] {
        let first = try read()
        return first.count == 1 ? first + (try read()) : first
    }

    private func read() throws(ReplayError) -> [UInt8] {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard errno == EINTR else { throw ReplayError(.badInput, "\(name): \(String(cString: strerror(errno)))") }
        }
    }
}
