internal import Crypto

/// Cursors of lists: opaque to callers, stable over restarts, refused by any list but their own.
enum Cursor {
    /// Which list a cursor belongs to. The numbers are part of cursors that callers keep: never reuse one.
    enum List: UInt8 {
        case facts = 1
        case timeline = 2
        case orders = 3
        case foundOrders = 4
        case parked = 5
        case quarantined = 6
        case feed = 7
    }

    private static let version: UInt8 = 1

    static func encode(_ key: [UInt8], for list: List) -> String {
        Base64URL.encode([version, list.rawValue] + key)
    }

    static func decode(_ text: String, for list: List) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text), bytes.starts(with: [version, list.rawValue]) else { return nil }
        return Array(bytes.dropFirst(2))
    }
}
