/// The parameters after the `?`, decoded. A name given twice counts once, the first time.
struct Query {
    private var values: [(name: String, value: String)] = []

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

    /// `after` and `limit` of a list.
    func page(of list: Cursor.List) throws(Problem) -> Page {
        var page = Page()
        if let text = self["limit"] {
            guard let limit = Int(text), Page.limits.contains(limit) else {
                throw Problem(
                    .invalidRequest,
                    faults: [
                        Fault("query:limit", .range, "Must be \(Page.limits.lowerBound) to \(Page.limits.upperBound).")
                    ]
                )
            }
            page.limit = limit
        }
        if let text = self["after"] {
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
