private import Glibc
internal import JSONText

/// The two streams a command talks on: results on standard output, everything else on standard error.
struct Console: Sendable {
    /// Standard output carries exactly one JSON object.
    let json: Bool
    /// Progress is wanted: standard error is a terminal, or `--progress` was given.
    let showsProgress: Bool

    init(json: Bool = false, progress: Bool = false) {
        self.json = json
        showsProgress = progress || Self.errorIsTerminal
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The result for people; nothing with `--json`.
    func print(_ text: String) {
        if !json { Self.write(text + "\n", to: STDOUT_FILENO) }
    }

    /// The result for programs; nothing without `--json`.
    func print(_ object: JSON) {
        if json { Self.write("\(object)\n", to: STDOUT_FILENO) }
    }

    /// A line of output that is the same for people and programs.
    func write(line: [UInt8]) { Self.write(line + [UInt8(ascii: "\n")], to: STDOUT_FILENO) }

    func note(_ text: String) { Self.write(text + "\n", to: STDERR_FILENO) }

    /// A line that the next one replaces, on a terminal; otherwise a line.
    func progress(_ text: String) {
        guard showsProgress else { return }
        Self.write(Self.errorIsTerminal ? "\r\u{1B}[K\(text)" : text + "\n", to: STDERR_FILENO)
    }

    /// Leaves the line that `progress` has been replacing.
    func endProgress() {
        if showsProgress, Self.errorIsTerminal { Self.write("\n", to: STDERR_FILENO) }
    }

    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
