/// One delivery, by the opaque id its platform gave it; unique within an app.
package struct OrderID: Hashable, Sendable {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// One installation of an app.
package struct DeviceID: Hashable, Sendable {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// The owner of devices and orders, by the platform's opaque id.
package struct CustomerID: Hashable, Sendable {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// The id that ActivityKit gave a card on its phone.
package struct ActivityID: Hashable, Sendable {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// The identity of a partner's event within its order: ids are unique per source only.
package struct EventReference: Hashable, Sendable {
    package let source: String
    package let id: String
    package init(source: String, id: String) {
        self.source = source
        self.id = id
    }
}

/// The four kinds of stream; each stream lives in the lane of its own id.
package enum StreamKind: UInt8, Sendable, CaseIterable {
    case order = 0x6F
    case device = 0x64
    case customer = 0x63
    case token = 0x74
}

extension String {
    /// Order by bytes: the same on every platform and in the database (`LC_COLLATE C`).
    func precedesByBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
