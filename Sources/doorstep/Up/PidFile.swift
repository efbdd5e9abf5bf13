/// The id of a child, kept in a file so that a later `up` finds what a killed one left behind.
struct PidFile: Sendable {
    let path: String
    /// Words that the child's command line holds: a number alone may by now belong to somebody else.
    let marks: [String]

    func write(_ id: Int32) { try? Files.write("\(id)\n", to: path) }

    func remove() { Files.remove(path) }

    /// The running process that the file names, if it is still ours.
    var running: Int32? {
        guard let text = try? Files.readText(path), let line = text.split(whereSeparator: \.isNewline).first,
            let id = Int32(line), id > 1, let commandLine = Processes.commandLine(of: id)
        else { return nil }
        return marks.allSatisfy { commandLine.contains($0) } ? id : nil
    }
}
