private import Glibc

/// The time zones that this machine knows (package tzdata).
package enum TimeZoneDatabase {
    private static let folder = "/usr/share/zoneinfo"

    /// Whether a zone has this IANA name, such as `Europe/Zurich`.
    package static func has(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !name.hasPrefix("/") && !name.contains("..")
        guard isName, !name.isEmpty else { return false }
        var status = stat()
        return unsafe stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
