package import JSONText
package import Tracking

/// What a policy does to a stream, beside what the current one does.
package struct SimulationReport: Sendable {
    package let figures: Figures
    package let current: Figures
    /// Events told again under the same id.
    package let duplicates: Int
    /// How many orders turn out otherwise than under the current policy, and the first of them.
    package let differing: Int
    package let firstDiffering: [OrderID]
    /// The first orders of which a card looked alive past its promise.
    package let dishonest: [OrderID]

    /// Enough to look at, too few to fill a screen.
    private static let shown = 10

    init(_ figures: Figures, current: Figures, _ stream: RecordedStream) {
        self.figures = figures
        self.current = current
        duplicates = stream.duplicates
        let differing = zip(figures.outcomes, current.outcomes).enumerated().filter { $0.element.0 != $0.element.1 }
        self.differing = differing.count
        firstDiffering = differing.prefix(Self.shown).map { stream.orders[$0.offset].id }
        dishonest = figures.dishonestOrders.sorted().prefix(Self.shown).map { stream.orders[$0].id }
    }

    /// No card looked alive past its promise.
    package var isClean: Bool { figures.dishonest == .zero }

    /// The policy's own figures, with the current policy's as one member.
    package var json: JSON {
        var json = figures.json
        json["duplicates"] = .integer(duplicates)
        json["staleOrders"] = .array(dishonest.map { .string($0.value) })
        json["differing"] = [
            "count": .integer(differing), "orders": .array(firstDiffering.map { .string($0.value) }),
        ]
        json["current"] = .object(current.json)
        return .object(json)
    }

    /// For people: one figure a line, beside the current policy's.
    package var lines: [String] {
        var lines = [Self.line("", "this policy", "current")]
        let (mine, theirs) = (figures.lines, current.lines)
        var names = mine.map(\.name)
        for line in theirs where !names.contains(line.name) { names.append(line.name) }
        for name in names {
            let values = [mine, theirs].map { $0.first { $0.name == name }?.value ?? "0" }
            lines.append(Self.line(name, values[0], values[1]))
        }
        let first = firstDiffering.map(\.value).joined(separator: ", ")
        lines.append(
            "orders that turn out otherwise: \(differing)\(differing > 0 ? " (\(first)\(differing > firstDiffering.count ? ", …" : ""))" : "")"
        )
        if !isClean { lines.append("alive past their promise: \(dishonest.map(\.value).joined(separator: ", "))") }
        return lines
    }

    private static func line(_ name: String, _ mine: String, _ theirs: String) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + String(repeating: " ", count: max(0, 34 - name.count)) + right(mine, 12) + right(theirs, 12)
    }
}
