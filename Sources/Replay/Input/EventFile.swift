internal import JSONText

/// Reads one file of events, whatever its form.
enum EventFile {
    /// CloudEvents as JSON Lines or array.
    static func cloudEvents(path: String) throws(ReplayError) -> [FileEvent] {
        var source = try ByteSource(path: path)
        var reader = CloudEventReader(name: source.name)
        while let piece = try source.next() { reader.read(piece) }
        return try reader.finish()
    }

    /// A table whose rows `map` turns into events.
    static func table(path: String, map: ColumnMap) throws(ReplayError) -> [FileEvent] {
        var source = try ByteSource(path: path)
        var table = Table(name: source.name, map: map)
        while let piece = try source.next() { try table.read(piece) }
        return try table.finish()
    }

    /// A small JSON file, such as a map, whole.
    static func json(path: String) throws(ReplayError) -> JSON {
        var source = try ByteSource(path: path)
        var bytes: [UInt8] = []
        while let piece = try source.next() { bytes += piece }
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            throw ReplayError(.badInput, "\(path): not JSON: \(error)")
        }
    }
}

/// The rows of a table on their way to events.
private struct Table {
    let name: String
    let map: ColumnMap
    private var reader = CSVReader()
    /// Column name to place; nil before the header.
    private var places: [String: Int]?
    private var events: [FileEvent] = []
    private var problems = Problems()

    init(name: String, map: ColumnMap) {
        self.name = name
        self.map = map
    }

    mutating func read(_ piece: [UInt8]) throws(ReplayError) {
        for row in try parsing({ (reader) throws(CSVReader.Failure) in try reader.read(piece) }) { try take(row) }
    }

    mutating func finish() throws(ReplayError) -> [FileEvent] {
        if let row = try parsing({ (reader) throws(CSVReader.Failure) in try reader.finish() }) { try take(row) }
        if places == nil { problems.add("\(name): no header") }
        try problems.throwIfAny()
        return events
    }

    private mutating func parsing<Value>(
        _ body: (inout CSVReader) throws(CSVReader.Failure) -> Value
    ) throws(ReplayError) -> Value {
        do throws(CSVReader.Failure) {
            return try body(&reader)
        } catch {
            throw ReplayError(.badInput, "\(name), line \(error.line): \(error.code.rawValue)")
        }
    }

    private mutating func take(_ row: CSVReader.Row) throws(ReplayError) {
        guard let places else {
            for mismatch in map.mismatches(with: row.cells) { problems.add("\(name): \(mismatch)") }
            try problems.throwIfAny()
            places = Dictionary(uniqueKeysWithValues: zip(row.cells, row.cells.indices))
            return
        }
        guard row.cells.count == places.count else {
            problems.add("\(name), line \(row.line): \(row.cells.count) cells under \(places.count) columns")
            return
        }
        do throws(ColumnMap.RowProblem) {
            events.append(try map.event(of: ColumnRow(places: places, cells: row.cells)))
        } catch {
            problems.add("\(name), line \(row.line): \(error.sentence)")
        }
    }
}
