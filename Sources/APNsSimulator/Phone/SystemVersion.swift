/// The version of a phone's system, such as 17.2; anything unreadable counts as 0.
struct SystemVersion: Comparable, Sendable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    init(_ text: String) {
        let parts = text.split(separator: ".").map { Int($0) ?? 0 }
        self.init(parts.first ?? 0, parts.count > 1 ? parts[1] : 0)
    }

    /// Live Activities that a server may update.
    static let liveActivities = SystemVersion(16, 1)
    /// Cards that a push starts.
    static let pushToStart = SystemVersion(17, 2)
    /// Cards that listen to a channel.
    static let channels = SystemVersion(18)

    static func < (a: SystemVersion, b: SystemVersion) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
