private import JSONText

/// The parameters after the `?`, decoded. A name given twice counts once, the first time.
struct Query {
    private(set) var values: [(name: String, value: String)] = []

    /// A parameter that cannot be decoded is a fault of the request.
    init(_ text: String?) throws(Problem) {
        for part in (text ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true),
                let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { throw Problem(.invalidRequest, faults: [Fault("query:", .format, "Is not percent-encoded UTF-8.")]) }
            values.append((name, value))
        }
    }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    /// How long the caller waits for what it asks for: `wait`, 1 to 30 seconds, 10 without it.
    var wait: Duration {
        get throws(Problem) {
            .seconds(try integer("wait", in: 1...30) ?? 10)
        }
    }

    /// A whole number within a range; nil when it is not given.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Problem(
                .invalidRequest,
                faults: [
                    Fault("query:\(name)", .range, "Must be \(range.lowerBound) to \(range.upperBound).")
                ]
            )
        }
        return value
    }

    /// RFC 3339 with its offset, as microseconds since 1970; nil when it is not given.
    func time(_ name: String) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        if let time = RFC3339.parse(text), time.hasOffset { return time.microseconds }
        let fault = Fault("query:\(name)", .format, "Must be a time of RFC 3339 with its offset.")
        throw Problem(.invalidRequest, faults: [fault])
    }

    /// `true` or `false`, which it is when it is not given.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch self[name] {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.invalidRequest, faults: [Fault("query:\(name)", .choice, "Must be true or false.")])
        }
    }

    /// `after` and `limit` of a list; an empty `after` is its beginning.
    func page(of list: Cursor.List) throws(Problem) -> Page {
        var page = Page()
        if let limit = try integer("limit", in: Page.limits) { page.limit = limit }
        if let text = self["after"], !text.isEmpty {
            guard let key = Cursor.decode(text, for: list) else {
                throw Problem(
                    .invalidRequest,
                    faults: [Fault("query:after", .format, "Is no cursor of this list.")]
                )
            }
            page.after = key
        }
        return page
    }
}

extension Page {
    static let limits = 1...1_000
}
