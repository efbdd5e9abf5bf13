internal import JSONText

/// The configuration that `up` starts with: two apps that differ in when a card starts, and sources for the streams
/// that the documentation replays. Written once; from then on it is the person's to change.
enum DemoConfiguration {
    static let apps = ["demo", "demo-early"]
    private static let sources: [(name: String, timeZone: String)] = [
        ("demo", "America/Los_Angeles"), ("generator", "America/Los_Angeles"), ("sendy", "Africa/Nairobi"),
        ("doordash", "America/Los_Angeles"),
    ]

    static func text(_ secrets: DemoSecrets) -> String {
        let json: JSON = [
            "masterKey": "keys/master",
            "apps": [
                app("demo", bundleID: "com.example.doorstep", startAt: "on_the_way"),
                app("demo-early", bundleID: "com.example.doorstep.early", startAt: "accepted"),
            ],
            "sources": .array(
                apps.flatMap { app in
                    sources.map { ["name": .string($0.name), "app": .string(app), "timeZone": .string($0.timeZone)] }
                }
            ),
        ]
        return "\(json)\n"
    }

    /// Old streams are replayed, so no start is too old.
    private static func app(_ id: String, bundleID: String, startAt: String) -> JSON {
        [
            "id": .string(id), "bundleId": .string(bundleID), "teamId": "DEMOTEAM01", "environment": "sandbox",
            "keys": [["id": "DEMOKEY001", "file": "keys/demo.p8"]],
            "policy": ["startAt": .string(startAt), "maxStartAge": nil], "locales": ["en"],
        ]
    }
}
