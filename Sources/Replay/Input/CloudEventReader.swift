private import JSONText

/// Reads CloudEvents as JSON Lines or as one JSON array; the first byte that is no whitespace tells which.
struct CloudEventReader: EventReading {
    private enum Form {
        /// Nothing but whitespace so far.
        case unknown
        case lines
        /// An array is gathered whole and read at the end.
        case array
    }

    private let name: String
    private var form = Form.unknown
    private var pending: [UInt8] = []
    private var line = 1
    private var events: [FileEvent] = []
    private var problems = Problems()

    /// `name` is how messages call the file.
    init(name: String) { self.name = name }

    mutating func read(_ piece: [UInt8]) throws(ReplayError) {
        if case .unknown = form { try recogniseForm(piece) }
        switch form {
        case .unknown: line += piece.count { $0 == UInt8(ascii: "\n") }
        case .array: pending.append(contentsOf: piece)
        case .lines: readLines(piece)
        }
    }

    mutating func takeEvents() -> [FileEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    mutating func complain(_ sentence: String) { problems.add("\(name), \(sentence)") }

    mutating func finish() throws(ReplayError) -> [FileEvent] {
        switch form {
        case .unknown: break
        case .lines: takeLine(pending[...])
        case .array: takeArray()
        }
        try problems.throwIfAny()
        return takeEvents()
    }

    /// One sentence for a file of another kind, in the place of one for each of its lines.
    private mutating func recogniseForm(_ piece: [UInt8]) throws(ReplayError) {
        switch piece.first(where: { !Self.whitespace.contains($0) }) {
        case nil: return
        case UInt8(ascii: "["): form = .array
        case UInt8(ascii: "{"): form = .lines
        default:
            throw ReplayError(
                .badInput,
                "\(name) holds no CloudEvents, which begin with { or [; if it is a table (CSV), "
                    + "name with --map MAP.json how its rows become events (docs/replay.md)"
            )
        }
    }

    private mutating func readLines(_ piece: [UInt8]) {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            takeLine(pending + rest[..<end])
            pending.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
            line += 1
        }
        pending.append(contentsOf: rest)
    }

    private mutating func takeLine(_ text: ArraySlice<UInt8>) {
        guard text.contains(where: { !Self.whitespace.contains($0) }) else { return }
        do throws(JSONError) {
            take(try JSON.parse(Array(text)), place: "\(name), line \(line)")
        } catch {
            problems.add("\(name), line \(line): not JSON: \(error)")
        }
    }

    private mutating func takeArray() {
        do throws(JSONError) {
            for (index, value) in (try JSON.parse(pending).arrayValue ?? []).enumerated() {
                take(value, place: "\(name), element \(index)")
            }
        } catch {
            problems.add("\(name): not a JSON array: \(error)")
        }
    }

    private mutating func take(_ value: JSON, place: String) {
        if let event = value.objectValue.flatMap(FileEvent.init) {
            events.append(event)
        } else {
            problems.add("\(place): no CloudEvent with `id`, `source`, `type` and `subject`")
        }
    }

    private static let whitespace = [UInt8](" \t\r\n".utf8)
}
