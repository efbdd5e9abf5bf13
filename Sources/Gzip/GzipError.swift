/// Why compressed bytes could not be read (RFC 1952).
package struct GzipError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// Not gzip, damaged, or a checksum that does not match.
        case corrupt
        /// The input ended inside a member.
        case truncated
        /// More than `limit` bytes came out: possibly a bomb.
        case tooLarge
        /// zlib had no memory.
        case outOfMemory
    }

    package let code: Code

    package init(_ code: Code) { self.code = code }

    package var description: String { "gzip: \(code.rawValue)" }
}
