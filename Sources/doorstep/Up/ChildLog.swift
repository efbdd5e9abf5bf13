/// What a child wrote before it ended.
struct ChildLog: Sendable {
    /// Below this many bytes a log may not even take the reason why its writer ended.
    private static let room = 1 << 20

    private static let farewells = [
        "database system is shut down", "child process exited", "initdb: removing ",
    ]

    let path: String

    /// The last lines that say something, oldest first.
    func tail(_ count: Int) -> [Substring] {
        let text = (try? Files.readText(path)) ?? ""
        return text.split(whereSeparator: \.isNewline).suffix(count)
    }

    /// Where to look, and the reason as far as it is known.
    var hint: String { "see \(path)" + (reason.map { ": \($0)" } ?? "") }

    /// The last line, except PostgreSQL's farewells, which come after the reason.
    private var reason: String? {
        let line = tail(5).last { line in !Self.farewells.contains { line.contains($0) } }.map(String.init)
        guard let room = Files.room(beside: path), room < Self.room else { return line }
        return "no space is left on its disk" + (line.map { "; \($0)" } ?? "")
    }
}
