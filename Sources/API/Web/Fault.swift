internal import JSONText

/// One member or parameter that breaks a rule.
package struct Fault: Hashable, Sendable {
    /// A JSON Pointer (RFC 6901) into the body; `path:NAME` or `query:NAME` for parameters.
    package let pointer: String
    package let rule: Rule
    package let detail: String

    package enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A member that must be there is missing or null.
        case required
        /// A value of another JSON type.
        case type
        /// Too short or too long.
        case length
        /// A number outside its range.
        case range
        /// Text that is not what it should be: a time, hexadecimal digits, percent-encoding.
        case format
        /// None of the words that are allowed here.
        case choice
        /// More entries than allowed.
        case count
        /// A time without an offset, from a source that has no time zone.
        case offset
        /// Contains U+0000.
        case nul
        /// A known value that is not taken here.
        case unsupported
    }

    package init(_ pointer: String, _ rule: Rule, _ detail: String) {
        self.pointer = pointer
        self.rule = rule
        self.detail = detail
    }

    var json: JSONObject {
        ["pointer": .string(pointer), "rule": .string(rule.rawValue), "detail": .string(detail)]
    }
}
