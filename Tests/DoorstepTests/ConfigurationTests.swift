import JSONText
import Testing
import Tracking

@testable import doorstep

struct ConfigurationTests {
    private static let app: JSON = [
        "id": "shop", "bundleId": "com.example.shop", "teamId": "TEAM123456",
        "keys": [["id": "KEY1234567", "file": "keys/a.p8"]],
    ]

    private func read(_ json: JSON) -> ConfigurationFile { ConfigurationFile(json, folder: "/etc/doorstep") }

    @Test func `what is not said has its default, and files lie beside the configuration`() {
        let file = read(["apps": [Self.app]])
        #expect(file.problems == [])
        let app = file.configuration.apps.first
        #expect(app?.keys.first?.file == "/etc/doorstep/keys/a.p8")
        #expect(app?.environment == .production)
        #expect(app?.policy == Policy())
        #expect(file.configuration.listen.text == "127.0.0.1:8080")
    }

    @Test func `a policy changes what it names, and null lifts the limit on a start's age`() {
        var app = Self.app.objectValue ?? [:]
        app["policy"] = ["startAt": "accepted", "maxStartAge": nil, "tokenWait": 1.5, "maxActivities": 2]
        let file = read(["apps": [.object(app)]])
        #expect(file.problems == [])
        var expected = Policy()
        expected.startAt = .accepted
        expected.maxStartAge = nil
        expected.tokenWait = .milliseconds(1500)
        expected.maxActivities = 2
        #expect(file.configuration.apps.first?.policy == expected)
    }

    @Test func `a policy as JSON reads back as the same policy`() throws {
        var fields = ConfigurationFields(Policy().json, at: "")
        #expect(Policy(&fields) == Policy())
        #expect(fields.allProblems == [])
    }

    @Test func `everything wrong is told at once, with its place`() {
        let file = read([
            "listen": "nowhere", "colour": "red", "limits": ["connections": 0, "bodyBytes": 1],
            "trustedProxies": ["10.0.0.0/8", "proxy.local", "10.0.0.0/99"], "accessLog": "some",
            "apps": [["id": "a", "bundleId": 7, "teamId": "T", "keys": [], "policy": ["startAt": "delivered"]]],
            "sources": [["name": "s", "app": "b", "timeZone": "Mars/Phobos"]],
            "apns": ["sandbox": "http://localhost"],
        ])
        for place in [
            "/listen", "/colour", "/limits/connections", "/limits/bodyBytes", "/accessLog", "/trustedProxies",
            "/apps/0/bundleId", "/apps/0/keys", "/apps/0/policy/startAt",
            "/sources/0/app", "/sources/0/timeZone", "/apns/sandbox",
        ] {
            #expect(file.problems.contains { $0.hasPrefix(place) }, "\(place)")
        }
        #expect(file.problems.count == 13)
    }

    @Test func `an address may be IPv6, and a URL must be https without a path`() {
        #expect(Configuration.Address("[::1]:80") == Configuration.Address(host: "::1", port: 80))
        #expect(Configuration.Address("[::1]:80")?.text == "[::1]:80")
        #expect(Configuration.Address("localhost") == nil)
        #expect(Configuration.Address("localhost:70000") == nil)
        #expect(Configuration.Address(url: "https://a:443") == Configuration.Address(host: "a", port: 443))
        #expect(Configuration.Address(url: "http://a:443") == nil)
    }

    @Test func `the demo's own configuration is without mistakes`() throws {
        let text = DemoConfiguration.text(DemoSecrets(folder: DataFolder("/demo")))
        let file = ConfigurationFile(try JSON.parse(Array(text.utf8)), folder: "/demo")
        #expect(file.problems == [])
        #expect(file.configuration.apps.map(\.id) == ["demo", "demo-early"])
        #expect(file.configuration.apps.map(\.policy.startAt) == [.onTheWay, .accepted])
        #expect(file.configuration.apps.allSatisfy { $0.policy.maxStartAge == nil })
    }
}
