/// Reads comma-separated values (RFC 4180) piece by piece; lines may end in CRLF or LF.
///
/// Stricter than most: a quote inside an unquoted cell, bytes after a closing quote, bytes that are not UTF-8 and an
/// unclosed quote at the end are errors, since each of them would otherwise shift cells silently.
struct CSVReader {
    struct Row: Hashable {
        /// Where the row begins, from 1.
        let line: Int
        let cells: [String]
    }

    struct Failure: Error, Hashable {
        enum Code: String {
            case quoteInUnquotedCell = "a quote inside an unquoted cell"
            case bytesAfterQuote = "bytes after a closing quote"
            case unclosedQuote = "a quote that is never closed"
            case notUTF8 = "bytes that are not UTF-8"
        }

        let code: Code
        let line: Int
    }

    private enum State {
        /// Before a cell. Left by its first byte.
        case cellStart
        /// In a cell without quotes. Left by comma or line end to `.cellStart`.
        case unquoted
        /// Between quotes. Left by a quote to `.quoteSeen`.
        case quoted
        /// After a quote between quotes: the end of the cell, or the first half of an escaped quote.
        case quoteSeen
    }

    private var state = State.cellStart
    private var cell: [UInt8] = []
    private var cells: [String] = []
    private var line = 1
    private var rowLine = 1
    private var atStart = true

    /// The rows that end within `piece`.
    mutating func read(_ piece: [UInt8]) throws(Failure) -> [Row] {
        var rows: [Row] = []
        for byte in withoutByteOrderMark(piece) {
            if let row = try take(byte) { rows.append(row) }
        }
        return rows
    }

    /// After the last piece: the row that no line end closed, if there is one.
    mutating func finish() throws(Failure) -> Row? {
        if case .quoted = state { throw Failure(code: .unclosedQuote, line: rowLine) }
        let isEmpty = if case .cellStart = state { cells.isEmpty } else { false }
        return isEmpty ? nil : try endRow()
    }

    private mutating func withoutByteOrderMark(_ piece: [UInt8]) -> ArraySlice<UInt8> {
        guard atStart, !piece.isEmpty else { return piece[...] }
        atStart = false
        return piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
    }

    private mutating func take(_ byte: UInt8) throws(Failure) -> Row? {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch state {
        case .cellStart, .unquoted:
            switch byte {
            case UInt8(ascii: "\""):
                guard case .cellStart = state else { throw Failure(code: .quoteInUnquotedCell, line: rowLine) }
                state = .quoted
            case UInt8(ascii: ","): try endCell()
            case UInt8(ascii: "\n"): return try endLine()
            default:
                state = .unquoted
                cell.append(byte)
            }
        case .quoted:
            if byte == UInt8(ascii: "\"") { state = .quoteSeen } else { cell.append(byte) }
        case .quoteSeen:
            switch byte {
            case UInt8(ascii: "\""):
                cell.append(byte)
                state = .quoted
            case UInt8(ascii: ","): try endCell()
            case UInt8(ascii: "\n"): return try endRow()
            case UInt8(ascii: "\r"): break
            default: throw Failure(code: .bytesAfterQuote, line: rowLine)
            }
        }
        return nil
    }

    private mutating func endCell() throws(Failure) {
        guard let text = String(validating: cell, as: UTF8.self) else { throw Failure(code: .notUTF8, line: rowLine) }
        cells.append(text)
        cell.removeAll(keepingCapacity: true)
        state = .cellStart
    }

    /// The end of a line outside quotes; a blank line is no row.
    private mutating func endLine() throws(Failure) -> Row? {
        if cell.last == UInt8(ascii: "\r") { cell.removeLast() }
        guard !(cells.isEmpty && cell.isEmpty) else {
            state = .cellStart
            rowLine = line
            return nil
        }
        return try endRow()
    }

    private mutating func endRow() throws(Failure) -> Row {
        try endCell()
        let row = Row(line: rowLine, cells: cells)
        cells.removeAll(keepingCapacity: true)
        rowLine = line
        return row
    }
}
