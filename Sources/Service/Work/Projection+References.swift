internal import PostgresStore
internal import Tracking

extension Projection {
    /// The numbers that an order is known by since this fact: for search.
    static func references(_ fact: OrderStreamFact, isFirst: Bool, _ logged: LoggedFact) -> [OrderReference] {
        var found: [OrderReference] = []
        func add(_ kind: ReferenceKind, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            found.append(
                OrderReference(
                    app: logged.app,
                    order: OrderID(logged.stream),
                    kind: kind,
                    value: value,
                    at: logged.recordedAt
                )
            )
        }
        if isFirst { add(.order, logged.stream) }
        guard case .partner(let fact) = fact else { return found }
        for value in fact.data.references.values { add(.reference, value) }
        add(.courier, fact.data.courier?.id)
        add(.batch, fact.data.batch)
        if let display = fact.data.displayNumber.map(DisplayNumber.init) {
            add(.display, display.text)
            if display.withoutZeros != display.text { add(.display, display.withoutZeros) }
        }
        return found
    }
}

/// An order's number as people say it: `#028`, `028` and `28` are the same.
package struct DisplayNumber: Hashable, Sendable {
    /// Without the sign before it.
    package let text: String

    package init(_ text: String) {
        self.text = text.hasPrefix("#") && text.count > 1 ? String(text.dropFirst()) : text
    }

    /// Also without zeros in front, if anything follows them.
    package var withoutZeros: String {
        let rest = text.drop { $0 == "0" }
        return rest.isEmpty ? text : String(rest)
    }
}
