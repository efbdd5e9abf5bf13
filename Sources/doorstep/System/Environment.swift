private import Glibc

/// Variables of the process's environment, or those a test gives.
struct Environment: Sendable {
    private let read: @Sendable (String) -> String?

    init(_ read: @escaping @Sendable (String) -> String?) { self.read = read }

    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    /// Nil when the variable is unset or empty.
    subscript(name: String) -> String? {
        guard let value = read(name), !value.isEmpty else { return nil }
        return value
    }
}
