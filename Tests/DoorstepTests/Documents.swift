import FoundationEssentials
import Testing

/// Files of the repository that are made from the code: compared with it, or written where `DOORSTEP_WRITE_DOCS` is set.
enum Documents {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static func compare(_ path: String, _ text: String) throws {
        if ProcessInfo.processInfo.environment["DOORSTEP_WRITE_DOCS"] != nil {
            try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
        }
        #expect(try Self.text(path) == text, "run the tests with DOORSTEP_WRITE_DOCS=1 to write \(path)")
    }

    static func text(_ path: String) throws -> String {
        let bytes = try #require(FileManager.default.contents(atPath: "\(root)/\(path)"), "\(path) is missing")
        return String(decoding: bytes, as: UTF8.self)
    }
}
