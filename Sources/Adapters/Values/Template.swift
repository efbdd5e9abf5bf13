internal import Crypto
internal import JSONText

/// A text with values of the body in it.
///
/// `{path}` inserts a value, `{a|b|'text'}` the first of several that is there, and `path#` the first 16 hexadecimal
/// digits of the value's SHA-256: for what must tell two events apart but may not be shown. An empty text counts as
/// missing.
struct Template: Hashable, Sendable {
    enum Choice: Hashable, Sendable {
        case value(BodyPath)
        case digest(BodyPath)
        case text(String)
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field([Choice])
    }

    struct Malformed: Error {}

    private let parts: [Part]

    init(_ text: String) throws(Malformed) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else { throw Malformed() }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.field(try Self.choices(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    private static func choices(_ text: Substring) throws(Malformed) -> [Choice] {
        var choices: [Choice] = []
        for choice in text.split(separator: "|", omittingEmptySubsequences: false) {
            if choice.first == "'", choice.last == "'", choice.count > 2 {
                choices.append(.text(String(choice.dropFirst().dropLast())))
            } else if choice.last == "#", let path = BodyPath(String(choice.dropLast())), !path.goesThroughLists {
                choices.append(.digest(path))
            } else if let path = BodyPath(String(choice)), !path.goesThroughLists {
                choices.append(.value(path))
            } else {
                throw Malformed()
            }
        }
        return choices
    }

    /// All paths it names.
    var paths: [BodyPath] { Self.paths(fields.flatMap { $0 }) }

    private var fields: [[Choice]] {
        parts.compactMap { part in
            switch part {
            case .text: nil
            case .field(let choices): choices
            }
        }
    }

    /// Whether a slash stands between any two values, so that escaped values cannot run into each other.
    var separatesValues: Bool {
        var isSeparated = true
        for part in parts {
            switch part {
            case .text(let text): isSeparated = isSeparated || text.contains("/")
            case .field:
                guard isSeparated else { return false }
                isSeparated = false
            }
        }
        return true
    }

    /// The filled text; nil when a value it needs is missing, or when nothing at all comes out. With `escaping`, `%` and
    /// `/` of values are written as `%25` and `%2F`: different values never make the same text.
    func filled(at place: Place, escaping: Bool = false) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .field(let choices):
                guard let value = choices.lazy.compactMap({ Self.value($0, at: place) }).first else { return nil }
                text += escaping ? value.replacing("%", with: "%25").replacing("/", with: "%2F") : value
            }
        }
        return text.isEmpty ? nil : text
    }

    /// A pointer to the first value it lacks.
    func missing(at place: Place) -> String {
        let field = fields.first { $0.allSatisfy { Self.value($0, at: place) == nil } }
        return (field.map { Self.paths($0) } ?? paths).first.map { place.pointer(to: $0) } ?? ""
    }

    /// Whether the body states any of its values, if only as null or empty.
    func isStated(at place: Place) -> Bool { paths.contains { place.value(at: $0) != nil } }

    private static func paths(_ choices: [Choice]) -> [BodyPath] {
        choices.compactMap { choice in
            switch choice {
            case .value(let path), .digest(let path): path
            case .text: nil
            }
        }
    }

    private static func value(_ choice: Choice, at place: Place) -> String? {
        switch choice {
        case .text(let text): return text
        case .value(let path):
            let text = place.value(at: path)?.scalarText
            return text?.isEmpty == true ? nil : text
        case .digest(let path):
            guard let value = place.value(at: path), !value.isNull, value != "" else { return nil }
            return Hex.encode(SHA256.digest(value.canonical()).prefix(8))
        }
    }
}
