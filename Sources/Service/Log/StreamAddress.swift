package import Crypto
package import Tracking

/// Where a stream lives: its fixed-size key and its lane. Frozen: changing either would strand every stream.
package struct StreamAddress: Hashable, Sendable {
    package let app: Int32
    package let kind: StreamKind
    package let stream: String
    /// First 128 bits of SHA-256 over app, kind and id.
    package let key: UUID128

    package init(app: Int32, kind: StreamKind, stream: String) {
        self.app = app
        self.kind = kind
        self.stream = stream
        var message = withUnsafeBytes(of: app.bigEndian, Array.init)
        message.append(kind.rawValue)
        message.append(contentsOf: stream.utf8)
        key = UUID128(sha256Prefix: message)
    }

    /// The top bits of the key; `lanes` is a power of two, fixed when the database is made.
    package func lane(of lanes: Int) -> Int32 {
        Int32(key.hi >> UInt64(64 - lanes.trailingZeroBitCount) & UInt64(lanes - 1))
    }
}
