/// A webhook as it came in.
package struct HookRequest: Sendable {
    package let method: String
    /// As the sender addressed it: some sign it together with the body.
    package let url: String
    package let headers: [(name: String, value: String)]
    /// The received bytes: signatures are over these and nothing else.
    package let body: [UInt8]

    package init(method: String, url: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The value of a header that is there exactly once and is printable ASCII, without spaces around it; nil otherwise,
    /// since of two values nobody knows which one the sender signed.
    func header(_ name: String) -> String? {
        let name = name.lowercased()
        let values = headers.filter { $0.name.lowercased() == name }
        guard let value = values.first?.value.utf8, values.count == 1 else { return nil }
        guard value.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else { return nil }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
        let end = value.lastIndex { !isBlank($0) }.map { value.index(after: $0) } ?? start
        return String(value[start..<end])
    }
}
