/// Why a text was not accepted as JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every way a text can fail. Closed: a caller's switch needs no `default`.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text ended inside a value, or was empty.
        case unexpectedEnd
        /// A byte that cannot stand here: wrong punctuation, a misspelt literal, a byte order mark.
        case unexpectedByte
        /// Something other than whitespace follows the value.
        case trailingBytes
        /// A number that breaks the grammar: `01`, `1.`, `+1`, `.5`.
        case malformedNumber
        /// A number beyond what a 64-bit float can hold, or longer than 1,024 bytes.
        case numberOutOfRange
        /// A control character below U+0020 inside a string.
        case controlCharacter
        /// An escape that does not exist, or `\u` without four hexadecimal digits.
        case malformedEscape
        /// Half of a surrogate pair.
        case loneSurrogate
        /// An escaped U+0000 in a string: legal JSON that PostgreSQL's `text` cannot hold.
        case nul
        /// Bytes that are not UTF-8 (overlong, surrogate, truncated or stray).
        case invalidUTF8
        /// A name that occurs twice in one object.
        case duplicateName
        /// Arrays and objects nested deeper than the caller allows.
        case tooDeep
    }

    package let code: Code
    /// Where in the text, in bytes from its start.
    package let offset: Int

    package init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var description: String { "\(code.rawValue) at byte \(offset)" }
}
