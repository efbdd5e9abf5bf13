private import Glibc

/// Variables of the process's environment, or those a test gives.
struct Environment: Sendable {
    private let read: @Sendable (String) -> String?

    init(_ read: @escaping @Sendable (String) -> String?) { self.read = read }

    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    /// Tells a debug build's service where to die, see `CrashPoint`; it means no other process.
    static let crashVariable = "DOORSTEP_CRASH_AT"

    /// Every variable of this process.
    static var all: [String: String] {
        let block = (try? Files.read("/proc/self/environ")) ?? []
        let pairs = block.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return pairs.reduce(into: [:]) { all, pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
        }
    }

    /// Nil when the variable is unset or empty.
    subscript(name: String) -> String? {
        guard let value = read(name), !value.isEmpty else { return nil }
        return value
    }
}
