/// An id compared by its bytes. Swift's `String` takes composed and decomposed letters as equal; the database and the
/// platforms that made the ids do not.
package protocol OpaqueID: Hashable, Sendable {
    var value: String { get }
    init(_ value: String)
}

extension OpaqueID {
    package static func == (a: Self, b: Self) -> Bool { a.value.hasSameBytes(as: b.value) }

    package func hash(into hasher: inout Hasher) { value.hashBytes(into: &hasher) }
}

/// One delivery, by the opaque id its platform gave it; unique within an app.
package struct OrderID: OpaqueID {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// One installation of an app.
package struct DeviceID: OpaqueID {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// The owner of devices and orders, by the platform's opaque id.
package struct CustomerID: OpaqueID {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// The id that ActivityKit gave a card on its phone.
package struct ActivityID: OpaqueID {
    package let value: String
    package init(_ value: String) { self.value = value }
}

/// A broadcast channel, by the id that APNs gave it.
package struct ChannelID: OpaqueID {
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

    func precedesByBytes(_ other: EventReference) -> Bool {
        source.hasSameBytes(as: other.source)
            ? id.precedesByBytes(other.id) : source.precedesByBytes(other.source)
    }

    package static func == (a: EventReference, b: EventReference) -> Bool {
        a.source.hasSameBytes(as: b.source) && a.id.hasSameBytes(as: b.id)
    }

    package func hash(into hasher: inout Hasher) {
        source.hashBytes(into: &hasher)
        id.hashBytes(into: &hasher)
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
    func hashBytes(into hasher: inout Hasher) {
        utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Equal letters are found quickly, and where all are ASCII they are equal bytes.
    func hasSameBytes(as other: String) -> Bool {
        guard self == other else { return false }
        return utf8Span.isKnownASCII && other.utf8Span.isKnownASCII || utf8.elementsEqual(other.utf8)
    }

    /// Order by bytes: the same on every platform and in the database (`LC_COLLATE C`).
    func precedesByBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
