private import Glibc

/// What can go wrong when the machinery asks the kernel for something.
package struct RuntimeError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case systemCall
        case unknownHost
        case timedOut
        case stopped
    }

    package let code: Code
    /// The system call or operation that failed.
    package let operation: String
    /// `errno` of a failed system call, else 0.
    package let errno: Int32

    package init(_ code: Code, _ operation: String, errno: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.errno = errno
    }

    /// A failed system call, with the present `errno`.
    package static func systemCall(_ operation: String) -> RuntimeError {
        RuntimeError(.systemCall, operation, errno: Glibc.errno)
    }

    package var description: String {
        errno == 0
            ? "\(operation): \(code.rawValue)"
            : "\(operation): \(unsafe String(cString: strerror(errno)))"
    }
}
