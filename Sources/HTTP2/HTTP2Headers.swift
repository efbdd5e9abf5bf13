/// The header fields of a received message, in order, as one block of bytes: a message costs two allocations, however
/// many fields it has. Names are lower case, as HTTP/2 demands.
package struct HTTP2Headers: Sendable {
    private struct Entry {
        let name: Range<Int>
        let value: Range<Int>
    }

    private var storage: [UInt8] = []
    private var entries: [Entry] = []

    package init() {}

    package var count: Int { entries.count }

    /// As SETTINGS_MAX_HEADER_LIST_SIZE counts: names and values, and 32 octets more for each field (RFC 9113, section
    /// 6.5.2).
    var listSize: Int { storage.count + Self.fieldOverhead * entries.count }
    static let fieldOverhead = 32

    /// The first value of a field.
    package subscript(name: StaticString) -> String? {
        entries.first { matches($0, name) }.map { text($0.value) }
    }

    /// Every value of a field, in the order of arrival.
    package func all(_ name: StaticString) -> [String] {
        entries.lazy.filter { matches($0, name) }.map { text($0.value) }
    }

    /// Every field, pseudo-fields included, in the order of arrival.
    package var fields: [(name: String, value: String)] {
        entries.map { (text($0.name), text($0.value)) }
    }

    /// The status of a response; 0 when there is none.
    package var status: Int {
        guard let entry = entries.first(where: { matches($0, ":status") }) else { return 0 }
        var status = 0
        for index in entry.value { status = status * 10 + Int(storage[index] & 15) }
        return status
    }

    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if entries.isEmpty {
            storage.reserveCapacity(256)
            entries.reserveCapacity(8)
        }
        let start = storage.count
        unsafe storage.append(contentsOf: name)
        let middle = storage.count
        unsafe storage.append(contentsOf: value)
        entries.append(Entry(name: start..<middle, value: middle..<storage.count))
    }

    mutating func append(_ trailers: HTTP2Headers) {
        let start = storage.count
        storage += trailers.storage
        for entry in trailers.entries {
            entries.append(Entry(name: entry.name.shifted(by: start), value: entry.value.shifted(by: start)))
        }
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        guard entry.name.count == name.utf8CodeUnitCount else { return false }
        let wanted = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for offset in wanted.indices where unsafe storage[entry.name.lowerBound + offset] != wanted[offset] {
            return false
        }
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: storage[range], as: UTF8.self) }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
