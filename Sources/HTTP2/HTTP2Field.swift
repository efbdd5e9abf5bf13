/// A header field to be sent. Names are literals in lower case, so nothing has to copy them.
package struct HTTP2Field: Sendable {
    package enum Value: Sendable {
        case constant(StaticString)
        case text(String)
    }

    package let name: StaticString
    package let value: Value
    /// Whether the field must stay out of HPACK's tables here and at every hop (RFC 7541, section 6.2.3): for secrets,
    /// and for values that never come back and would push useful ones out.
    package let isNeverIndexed: Bool

    package init(_ name: StaticString, _ value: String, isNeverIndexed: Bool = false) {
        self.name = name
        self.value = .text(value)
        self.isNeverIndexed = isNeverIndexed
    }

    package init(_ name: StaticString, constant value: StaticString) {
        self.name = name
        self.value = .constant(value)
        isNeverIndexed = false
    }
}
