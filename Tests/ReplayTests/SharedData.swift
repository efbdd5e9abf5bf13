import Glibc
import Testing

@testable import Replay

/// Recorded streams of real deliveries, which lie outside the repository (`DOORSTEP_DATA`, else `../shared/data`).
enum SharedData {
    static let missing: Comment = "needs the shared data: set DOORSTEP_DATA"

    static func path(_ name: String) -> String {
        let folder = getenv("DOORSTEP_DATA").map { String(cString: $0) } ?? "\(repository)/../shared/data"
        return "\(folder)/\(name)"
    }

    static func has(_ name: String) -> Bool { (try? ByteSource(path: path(name))) != nil }

    static func fixture(_ name: String) -> String { "\(repository)/Tests/Fixtures/\(name)" }

    private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
