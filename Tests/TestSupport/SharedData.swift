private import Glibc

/// Recorded streams of real deliveries, which lie outside the repository (`DOORSTEP_DATA`, else `../shared/data`).
package enum SharedData {
    /// What is said of a test that is skipped without them.
    package static let missing = "needs the shared data: set DOORSTEP_DATA"

    package static func path(_ name: String) -> String {
        let folder = getenv("DOORSTEP_DATA").map { String(cString: $0) } ?? "\(repository)/../shared/data"
        return "\(folder)/\(name)"
    }

    package static func has(_ name: String) -> Bool { access(path(name), R_OK) == 0 }

    package static func fixture(_ name: String) -> String { "\(repository)/Tests/Fixtures/\(name)" }

    private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
