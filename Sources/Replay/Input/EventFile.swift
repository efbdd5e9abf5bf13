internal import JSONText

/// Reads one file of events, whatever its form.
package enum EventFile {
    /// Hands over the events of a file one by one, in its order and without keeping them: a table when there is a map,
    /// else CloudEvents. `take` answers what is wrong with an event, if anything is; all of it is thrown at the end. A file
    /// without events is wrong too.
    /// Returns the app that the map names.
    package static func read(
        path: String,
        map: String?,
        _ take: (FileEvent) -> String?
    ) throws(ReplayError) -> String? {
        guard let map else {
            try cloudEvents(path: path, take)
            return nil
        }
        let columns = try ColumnMap(try json(path: map), name: map)
        try table(path: path, map: columns, take)
        return columns.app
    }

    /// CloudEvents as JSON Lines or array.
    static func cloudEvents(path: String) throws(ReplayError) -> [FileEvent] {
        var events: [FileEvent] = []
        try cloudEvents(path: path) { event in
            events.append(event)
            return nil
        }
        return events
    }

    /// A table whose rows `map` turns into events.
    static func table(path: String, map: ColumnMap) throws(ReplayError) -> [FileEvent] {
        var events: [FileEvent] = []
        try table(path: path, map: map) { event in
            events.append(event)
            return nil
        }
        return events
    }

    private static func cloudEvents(path: String, _ take: (FileEvent) -> String?) throws(ReplayError) {
        let source = try ByteSource(path: path)
        let reader = CloudEventReader(name: source.name)
        try each(of: source, reader, take)
    }

    private static func table(path: String, map: ColumnMap, _ take: (FileEvent) -> String?) throws(ReplayError) {
        let source = try ByteSource(path: path)
        let reader = Table(name: source.name, map: map)
        try each(of: source, reader, take)
    }

    private static func each(
        of source: consuming ByteSource,
        _ reader: consuming some EventReading,
        _ take: (FileEvent) -> String?
    ) throws(ReplayError) {
        var isEmpty = true
        while let piece = try source.next() {
            try reader.read(piece)
            for event in reader.takeEvents() {
                isEmpty = false
                if let wrong = take(event) { reader.complain(wrong) }
            }
        }
        var late = Problems()
        for event in try reader.finish() {
            isEmpty = false
            if let wrong = take(event) { late.add("\(source.name), \(wrong)") }
        }
        if isEmpty { late.add("\(source.name): no events") }
        try late.throwIfAny()
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

/// Takes a file apart piece by piece.
protocol EventReading {
    mutating func read(_ piece: [UInt8]) throws(ReplayError)

    /// The events read since it was asked last.
    mutating func takeEvents() -> [FileEvent]

    /// Adds to what is wrong with the file.
    mutating func complain(_ sentence: String)

    /// The events that the end completed; throws everything that was wrong with the file.
    mutating func finish() throws(ReplayError) -> [FileEvent]
}

/// The rows of a table on their way to events.
private struct Table: EventReading {
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

    mutating func takeEvents() -> [FileEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    mutating func complain(_ sentence: String) { problems.add("\(name), \(sentence)") }

    mutating func finish() throws(ReplayError) -> [FileEvent] {
        if let row = try parsing({ (reader) throws(CSVReader.Failure) in try reader.finish() }) { try take(row) }
        if places == nil { problems.add("\(name): no header") }
        try problems.throwIfAny()
        return takeEvents()
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
