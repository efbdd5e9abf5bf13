private import Glibc

/// Writes the state of all orders, one line each, sorted by the bytes of their ids.
enum ExportFile {
    /// `lines` are in the order of `recording.orders`; an empty one is an order that Doorstep does not know.
    static func write(_ lines: [[UInt8]], of recording: Recording, to path: String) throws(ReplayError) {
        let sorted = zip(recording.orders.map { Array($0.id.utf8) }, lines)
            .filter { !$0.1.isEmpty }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        guard let file = fopen(path, "we") else { throw failure(path) }
        var written = true
        for (_, line) in sorted {
            written = written && fwrite(line, 1, line.count, file) == line.count && putc(0x0A, file) != EOF
        }
        // What is buffered is written by the close, which may fail too.
        guard fclose(file) == 0, written else { throw failure(path) }
    }

    private static func failure(_ path: String) -> ReplayError {
        ReplayError(.badInput, "\(path): \(String(cString: strerror(errno)))")
    }
}
