import Foundation
import Testing

/// `docs/field-cases.md` and the tests of this repository say the same.
@Suite struct FieldCaseListTests {
    /// A test that carries the id of a report.
    private struct Coverage: Hashable {
        let id: String
        let file: String
        let test: String
    }

    @Test func `every test in the list carries the id, and every id in a test is in the list`() throws {
        let listed = try Self.rows().flatMap(Self.coverage)
        let found = Set(try Self.found())
        #expect(listed.count > 100)
        for coverage in listed where !found.contains(coverage) {
            Issue.record("\(coverage.id): `\(coverage.file)` has no test of it named \(coverage.test)")
        }
        let ids = Set(listed.map(\.id))
        for coverage in found where !ids.contains(coverage.id) {
            Issue.record("\(coverage.id) of `\(coverage.file)` is not among what docs/field-cases.md calls handled")
        }
    }

    @Test func `each report is listed once, with something in every column`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 100)
        #expect(Set(rows.compactMap(\.first)).count == rows.count)
        for row in rows { #expect(row.allSatisfy { !$0.isEmpty }, "\(row)") }
    }

    // MARK: - The list

    /// The cells of both tables; the second, of what is not handled, has no tests.
    private static func rows() throws -> [[String]] {
        try text("docs/field-cases.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.first.map { isID($0) } == true ? cells : nil
        }
    }

    private static func coverage(_ row: [String]) -> [Coverage] {
        guard row.count == 4 else { return [] }
        return row[3].components(separatedBy: "<br>").map { entry in
            let parts = entry.split(separator: "`", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return Coverage(id: row[0], file: parts.first ?? "", test: parts.last ?? "")
        }
    }

    private static func isID(_ word: some StringProtocol) -> Bool {
        word.utf8.count == 3 && "PED".contains(word.first ?? " ") && word.dropFirst().allSatisfy(\.isWholeNumber)
    }

    // MARK: - The tests

    private static func found() throws -> [Coverage] {
        let folder = repository.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try files.filter { $0.hasSuffix(".swift") }.flatMap { try found(in: "Tests/\($0)") }
    }

    /// An id in a comment belongs to the test right below it, else to the one around it.
    private static func found(in file: String) throws -> [Coverage] {
        var found: [Coverage] = []
        var ids: [String] = []
        var test = ""
        func settle() {
            found += ids.map { Coverage(id: $0, file: file, test: test) }
            ids = []
        }
        for line in try text(file).split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.drop { $0 == " " }
            if line.isEmpty {
                settle()
            } else if line.hasPrefix("//") {
                ids += line.split { !$0.isLetter && !$0.isNumber }.filter(isID).map { String($0) }
            } else if let name = line.firstRange(of: "func `") {
                test = String(line[name.upperBound...].prefix { $0 != "`" })
                settle()
            }
        }
        settle()
        return found
    }

    /// Where the sources lie, whatever link leads there.
    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }
}
