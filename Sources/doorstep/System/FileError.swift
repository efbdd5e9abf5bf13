private import Glibc

/// A file operation that failed, with the kernel's reason.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let errno: Int32

    /// The present `errno` for `path`.
    init(_ path: String) {
        self.path = path
        errno = Glibc.errno
    }

    var isMissing: Bool { errno == ENOENT }
    var description: String { "\(path): \(String(cString: strerror(errno)))" }
}
