import FoundationEssentials
import Testing

/// The repository's own files, which tests compare with the code.
enum Repository {
    static func text(of path: String) throws -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let file = try #require(FileManager.default.contents(atPath: "\(root)/\(path)"), "\(path) is missing")
        return String(decoding: file, as: UTF8.self)
    }

    /// The cells of those rows of a Markdown file's tables whose first cell matches.
    static func tableRows(of path: String, firstCell pattern: String) throws -> [[String]] {
        let expression = try Regex(pattern)
        return try text(of: path).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("|") else { return nil }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map(trimmed)
            return cells.first?.wholeMatch(of: expression) == nil ? nil : cells
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
