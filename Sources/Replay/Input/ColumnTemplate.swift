/// A text with `{column}` in it, to be filled from a row's cells.
struct ColumnTemplate: Hashable {
    private enum Part: Hashable {
        case text(String)
        case column(String)
    }

    struct Malformed: Error {}

    private let parts: [Part]

    init(_ text: String) throws(Malformed) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else { throw Malformed() }
            let column = rest[rest.index(after: open)..<close]
            guard !column.isEmpty, !column.contains("{") else { throw Malformed() }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.column(String(column)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    var columns: [String] {
        parts.compactMap { part in
            switch part {
            case .text: nil
            case .column(let name): name
            }
        }
    }

    /// The filled text; nil when a cell it needs is empty, or when nothing at all comes out.
    func filled(from row: ColumnRow) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .column(let name):
                guard let cell = row[name], !cell.isEmpty else { return nil }
                text += cell
            }
        }
        return text.isEmpty ? nil : text
    }
}

/// A row of a table, its cells found by the name of their column.
struct ColumnRow {
    let places: [String: Int]
    let cells: [String]

    subscript(column: String) -> String? { places[column].map { cells[$0] } }
}
