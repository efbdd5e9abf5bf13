internal import HTTPServer
internal import JSONText

/// How a list is answered: a page of it as JSON, or all of it as text, line by line.
enum ListFormat: Hashable, Sendable {
    case page
    case jsonLines
    case csv

    /// What a caller accepts first, of what there is; a page if none of it.
    init(accept: String?) {
        for type in (accept ?? "").split(separator: ",") {
            switch MediaType(String(type))?.essence {
            case "text/csv":
                self = .csv
                return
            case "application/jsonl":
                self = .jsonLines
                return
            case "application/json":
                self = .page
                return
            default: continue
            }
        }
        self = .page
    }
}

/// A line of RFC 4180.
enum CSV {
    static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

    /// Text that a spreadsheet would take for a formula is disarmed by an apostrophe.
    static func cell(_ value: JSON?) -> String {
        switch value {
        case nil, .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): quoted(startsFormula(text) ? "'" + text : text)
        case .array, .object: quoted(String(decoding: (value ?? .null).serialized(), as: UTF8.self))
        }
    }

    private static func startsFormula(_ text: String) -> Bool {
        text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
    }

    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { "\",\r\n'".unicodeScalars.contains($0) }
        return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}
