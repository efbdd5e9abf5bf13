private import Glibc

/// Log lines for machines: one JSON object each, on standard error unless another sink is given.
///
/// Fields hold ids, counts, codes and durations; never tokens, names, keys or bodies.
package struct Log: Sendable {
    package enum Level: Int, Comparable, Sendable, CaseIterable {
        case debug
        case info
        case warning
        case error

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

        var word: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    private let threshold: Level
    private let now: @Sendable () -> Int64
    private let sink: @Sendable (String) -> Void
    private var context: [(String, LogValue)] = []

    /// A log that passes lines (without a line end) of at least `threshold` to `sink`; `now` is in microseconds since
    /// 1970.
    package init(
        threshold: Level = .info,
        now: @escaping @Sendable () -> Int64 = { WallClock.microseconds },
        sink: @escaping @Sendable (String) -> Void = writeToStandardError
    ) {
        self.threshold = threshold
        self.now = now
        self.sink = sink
    }

    /// A log that keeps nothing.
    package static let silent = Log(threshold: .error, now: { 0 }, sink: { _ in })

    /// The same log with fields that every line of it carries.
    package func with(_ fields: KeyValuePairs<String, LogValue>) -> Log {
        var log = self
        for (name, value) in fields { log.context.append((name, value)) }
        return log
    }

    package func debug(_ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.debug, event, fields)
    }
    package func info(_ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) { write(.info, event, fields) }
    package func warning(_ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.warning, event, fields)
    }
    package func error(_ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.error, event, fields)
    }

    private func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, LogValue>) {
        guard level >= threshold else { return }
        var line = LogLine()
        line.add("time", .string(WallClock.text(microseconds: now())))
        line.add("level", .string(level.word))
        line.add("event", .string(event))
        for (name, value) in context { line.add(name, value) }
        for (name, value) in fields { line.add(name, value) }
        sink(line.text)
    }
}

/// Writes a line in one system call, so that lines of several threads do not mix.
private func writeToStandardError(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { bytes in
        unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}
