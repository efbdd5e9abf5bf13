extension JSON {
    /// Whether strings may hold U+0000.
    package enum NulRule: Sendable {
        case refused
        /// Let through, for a caller that wants to say where it stands.
        case allowed
    }

    /// Reads one JSON text of exactly one value (RFC 8259), more strictly than most parsers.
    ///
    /// The whole text is checked, whatever of it is used later: UTF-8, surrogate pairs, duplicate names at every level,
    /// number grammar and range, depth, nothing before or after the value, no byte order mark.
    package static func parse(
        _ bytes: [UInt8],
        maxDepth: Int = 64,
        nul: NulRule = .refused
    ) throws(JSONError) -> JSON {
        try parse(bytes.span, maxDepth: maxDepth, nul: nul)
    }

    /// As above, over bytes that somebody else keeps.
    package static func parse(
        _ bytes: Span<UInt8>,
        maxDepth: Int = 64,
        nul: NulRule = .refused
    ) throws(JSONError) -> JSON {
        var scanner = JSONScanner(maxDepth: maxDepth, nul: nul)
        let value = try scanner.value(in: bytes)
        try scanner.end(of: bytes)
        return value
    }

    /// Reads a text that is an array and tells where each element stands, so that its bytes can be measured or kept;
    /// nil when the text is a value of another kind. `maxDepth` counts the outer array too.
    package static func parseElements(
        _ bytes: [UInt8],
        maxDepth: Int = 64,
        nul: NulRule = .refused
    ) throws(JSONError) -> [(value: JSON, range: Range<Int>)]? {
        var scanner = JSONScanner(maxDepth: maxDepth, nul: nul)
        var elements: [(value: JSON, range: Range<Int>)] = []
        let isArray = try scanner.topLevelArray(in: bytes.span) { elements.append(($0, $1)) }
        guard isArray else {
            _ = try parse(bytes, maxDepth: maxDepth, nul: nul)
            return nil
        }
        try scanner.end(of: bytes.span)
        return elements
    }
}
