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
        return storage[entry.value].reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
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

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        guard entry.name.count == name.utf8CodeUnitCount else { return false }
        let wanted = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe storage[entry.name].elementsEqual(wanted)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: storage[range], as: UTF8.self) }
}
