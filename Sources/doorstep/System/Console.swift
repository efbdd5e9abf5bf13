private import Glibc
internal import JSONText
private import Runtime

/// The two streams a command talks on: results on standard output, everything else on standard error. Whatever is told
/// is made `printable` here.
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

    /// Why results were lost, once any were: standard output took no more. Every command then ends as failed, whatever
    /// else it did. A reader that went away, as `head` does, has what it wanted.
    static var lostOutput: Failure? {
        lostTo.withLock { $0 }.flatMap { number in
            number == EPIPE
                ? nil : Failure(.unreachable, "cannot write standard output: \(String(cString: strerror(number)))")
        }
    }

    /// Whether writing more results is in vain.
    static var outputIsClosed: Bool { lostTo.withLock { $0 != nil } }

    /// The first failure to write on standard output, an errno.
    private static let lostTo = Locked<Int32?>(nil)

    /// A line of the result for people; nothing with `--json`.
    func print(_ line: String) {
        if !json { Self.writeResult(line.printable + "\n") }
    }

    func print(lines: some Sequence<String>) { for line in lines { print(line) } }

    /// The result for programs; nothing without `--json`.
    func print(_ object: JSON) {
        if json { Self.writeResult("\(object)".printable + "\n") }
    }

    /// A line of output that is the same for people and programs.
    func write(line: [UInt8]) { Self.writeResult(line + [UInt8(ascii: "\n")]) }

    func note(_ line: String) { Self.tell(line.printable + "\n") }

    /// A line that the next one replaces, on a terminal; otherwise a line.
    func progress(_ text: String) {
        guard showsProgress else { return }
        Self.tell(Self.errorIsTerminal ? "\r\u{1B}[K\(text.printable)" : text.printable + "\n")
    }

    /// Leaves the line that `progress` has been replacing.
    func endProgress() {
        if showsProgress, Self.errorIsTerminal { Self.tell("\n") }
    }

    private static func writeResult(_ text: String) { writeResult(Array(text.utf8)) }

    /// After the first failure nothing is written any more: what follows a gap would mislead.
    private static func writeResult(_ bytes: [UInt8]) {
        guard !outputIsClosed, let number = write(bytes, to: STDOUT_FILENO) else { return }
        lostTo.withLock { $0 = number }
    }

    /// For people; there is nobody to tell when this fails.
    private static func tell(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Nil once all is written, else the errno.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
