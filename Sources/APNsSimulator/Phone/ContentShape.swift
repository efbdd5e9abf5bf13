package import JSONText

/// The stored properties of a Swift type as a default `JSONDecoder` sees them (contract 39, 3.6).
///
/// Exact keys, every required key present and not null, unknown words of an enum refused, extra keys ignored.
package struct ContentShape: Sendable, Codable {
    package indirect enum Kind: Sendable, Codable {
        case string
        /// `Int`: a number without a fraction.
        case integer
        /// `Double`, and `Date` too: seconds since 2001-01-01.
        case number
        case boolean
        /// An enum of strings.
        case words([String])
        case list(Kind)
        case object(ContentShape)
    }

    package struct Field: Sendable, Codable {
        package var name: String
        package var kind: Kind
        package var isOptional: Bool

        package init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
            self.name = name
            self.kind = kind
            self.isOptional = isOptional
        }
    }

    package var fields: [Field]

    package init(_ fields: [Field]) { self.fields = fields }

    /// What a decoder would complain about first; nil when the value decodes.
    package func fault(in value: JSON?) -> String? {
        guard let object = value?.objectValue else { return "not an object" }
        for field in fields {
            let member = object[field.name]
            guard let member, !member.isNull else {
                if field.isOptional { continue }
                return "\(field.name): missing"
            }
            if let fault = field.kind.fault(in: member) { return "\(field.name): \(fault)" }
        }
        return nil
    }
}

extension ContentShape.Kind {
    fileprivate func fault(in value: JSON) -> String? {
        switch self {
        case .string: value.stringValue == nil ? "not a string" : nil
        case .integer: Self.isInteger(value) ? nil : "not an integer"
        case .number: value.doubleValue == nil ? "not a number" : nil
        case .boolean: value.boolValue == nil ? "not a boolean" : nil
        case .words(let words): value.stringValue.map(words.contains) == true ? nil : "unknown word"
        case .list(let kind):
            Self.listFault(value, of: kind)
        case .object(let shape): shape.fault(in: value)
        }
    }

    private static func listFault(_ value: JSON, of kind: Self) -> String? {
        guard let elements = value.arrayValue else { return "not an array" }
        return elements.lazy.compactMap { kind.fault(in: $0) }.first
    }

    /// `JSONDecoder` takes 5.0 and 5e0 for an `Int`.
    private static func isInteger(_ value: JSON) -> Bool {
        value.int64Value != nil || value.doubleValue.map { Int64(exactly: $0) != nil } == true
    }
}
