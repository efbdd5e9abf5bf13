/// A header line: its name as written, and its value without surrounding whitespace.
package struct HTTPField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The headers of a request, in the order they came; names are compared without regard to case (RFC 9110 section 5.1).
package struct HTTPHeaders: Hashable, Sendable {
    package var fields: [HTTPField]

    package init(_ fields: [HTTPField] = []) { self.fields = fields }

    /// The first value under this name.
    package func first(_ name: String) -> String? {
        fields.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// All values under this name.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }
}

extension String {
    /// Equality of ASCII text without regard to case.
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
