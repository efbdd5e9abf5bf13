import Runtime
import Testing

@testable import Replay

struct CSVReaderTests {
    private func rows(_ text: String, piece: Int = .max) throws -> [CSVReader.Row] {
        var reader = CSVReader()
        var rows: [CSVReader.Row] = []
        var rest = [UInt8](text.utf8)[...]
        while !rest.isEmpty {
            rows += try reader.read(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        if let last = try reader.finish() { rows.append(last) }
        return rows
    }

    @Test func `cells, quotes and both line ends are read as RFC 4180 says`() throws {
        let text = "a,b\r\n\"1,5\",\"he said \"\"no\"\"\"\n\"two\nlines\",\r\n"
        #expect(
            try rows(text) == [
                .init(line: 1, cells: ["a", "b"]),
                .init(line: 2, cells: ["1,5", "he said \"no\""]),
                .init(line: 3, cells: ["two\nlines", ""]),
            ]
        )
    }

    @Test func `the last row needs no line end`() throws {
        #expect(try rows("a,b\n1,2").map(\.cells) == [["a", "b"], ["1", "2"]])
        #expect(try rows("a,b\n1,").map(\.cells) == [["a", "b"], ["1", ""]])
        #expect(try rows("a\n\"\"").map(\.cells) == [["a"], [""]])
    }

    @Test func `blank lines and a byte order mark are no cells`() throws {
        let rows = try rows("\u{FEFF}a\n\n\r\nb\n\n")
        #expect(rows == [.init(line: 1, cells: ["a"]), .init(line: 4, cells: ["b"])])
    }

    @Test func `what would shift cells silently is an error at its line`() {
        for (text, failure) in [
            ("a\nb\"c\n", CSVReader.Failure(code: .quoteInUnquotedCell, line: 2)),
            ("\"a\"b\n", .init(code: .bytesAfterQuote, line: 1)),
            ("a\n\"b\nc", .init(code: .unclosedQuote, line: 2)),
        ] {
            #expect(throws: failure) { try rows(text) }
        }
        var reader = CSVReader()
        #expect(throws: CSVReader.Failure(code: .notUTF8, line: 1)) { try reader.read([0xC3, 0x28, 0x0A]) }
    }

    @Test func `any cells survive writing and reading, in pieces of any size`() throws {
        var generator = SplitMix64(seed: 7)
        let letters = ["a", ",", "\"", "\n", "\r\n", "é", " "]
        for _ in 0..<300 {
            let table = (0..<3).map { _ in
                (0..<3).map { _ in
                    (0..<generator.below(5)).map { _ in letters[generator.below(letters.count)] }.joined()
                }
            }
            let text = table.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
            #expect(try rows(text, piece: 1 + generator.below(9)).map(\.cells) == table)
        }
    }

    private static func quoted(_ cell: String) -> String {
        "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
