/// A JSON value that keeps what the sender wrote: numbers as text, members in their order.
///
/// Two values are equal when their canonical forms are (see `canonical()`): the order of members does not matter, the
/// spelling of numbers does (`1.0` is not `1`), and strings compare by their bytes, where Swift's own `String`
/// comparison would treat composed and decomposed letters as one.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A number in the sender's own digits; `Int64` and `Double` are read from it on demand.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number when it is written as an integer and fits; `1.0` and `1e3` are not integers here.
    /// An integer, however it is written: `7`, `7.0` and `7e0` are one number (JSON Schema 2020-12, section 6.1.1). With a
    /// fraction or an exponent up to 2^53, where a double is exact.
    package var int64Value: Int64? {
        guard case .number(let text) = self else { return nil }
        if let integer = Int64(text) { return integer }
        guard let number = Double(text), number.magnitude <= 9_007_199_254_740_992,
            text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") })
        else { return nil }
        return Int64(exactly: number)
    }

    package var doubleValue: Double? {
        guard case .number(let text) = self else { return nil }
        return Double(text)
    }

    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var arrayValue: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// A member of an object; nil when this is no object or has no such member.
    package subscript(name: String) -> JSON? { objectValue?[name] }

    /// An element of an array; nil when this is no array or is shorter.
    package subscript(index: Int) -> JSON? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// A number from any integer.
    package static func integer(_ value: some BinaryInteger) -> JSON { .number(String(value)) }

    /// A number from a float; `null` when it is not finite, as JSON has no spelling for it.
    package static func double(_ value: Double) -> JSON { value.isFinite ? .number(String(value)) : .null }

    /// The string, or `null`.
    package static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}
