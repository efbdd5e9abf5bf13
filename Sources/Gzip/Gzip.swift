/// Gzip in one call; `Inflater` is for streams.
package enum Gzip {
    /// Whether bytes begin like gzip (RFC 1952, 2.3.1: ID1, ID2).
    package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// Inflates a whole stream of at most `limit` bytes when inflated.
    package static func inflate(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        var inflater = try Inflater(limit: limit)
        let output = try inflater.inflate(bytes)
        guard !bytes.isEmpty else { throw GzipError(.truncated) }
        try inflater.finish()
        return output
    }
}
