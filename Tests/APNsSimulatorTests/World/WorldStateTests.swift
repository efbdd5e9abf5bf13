import Crypto
import JSONText
import Testing

@testable import APNsSimulator

/// A simulator that is started again with the state it had.
@Suite struct WorldStateTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    /// Stops, and goes on with what the file has kept.
    private mutating func restart() throws {
        let file = try ScratchFile()
        defer { file.remove() }
        try StateFile(path: file.path).write(WorldState(simulated.world))
        let state = try #require(try StateFile(path: file.path).read())
        let apps = [SimulatorSettings.App(id: "new", bundleID: "app.doorstep.new")]
        let settings = SimulatorSettings(certificatePEM: "", privateKeyPEM: "", apps: apps, keys: [], seed: 7)
        simulated.world = World(settings, state: state, atWall: simulated.now.wall)
    }

    @Test mutating func `all that can be seen of a lively world is there again`() throws {
        let pem = try ES256PrivateKey.generate().publicKey.pem()
        try simulated.ask("POST", "/keys", ["id": "KEY0000002", "team": "TEAM000002", "publicKey": .string(pem)])
        try simulated.ask("POST", "/apps", ["id": "third", "bundleId": "app.doorstep.third"])
        try simulated.ask("POST", "/settings", ["endedLagSeconds": nil, "wakeBackground": 1, "storageSlot": "token"])
        try simulated.ask("POST", "/clock", ["advanceSeconds": 90, "skewSeconds": 3])
        for id in ["P1", "P2", "P3"] { try simulated.ask("POST", "/phones", ["id": .string(id), "customer": "C1"]) }
        let channel = simulated.createChannel()
        simulated.start()
        simulated.start(["input-push-channel": .string(channel)], on: 1)
        simulated.start(["stale-date": .integer(simulated.seconds + 200)], on: 2)
        simulated.pass(seconds: 1)
        simulated.perform(.offline, on: 1)
        simulated.publish(to: channel, headers: ["apns-expiration": "\(simulated.seconds + 600)"])
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds + 500)], on: 2)
        let paths = ["/phones", "/channels", "/settings", "/clock"]
        let before = try paths.map { try simulated.ask("GET", $0).json }
        let summary = try simulated.ask("GET", "/summary").json
        try restart()
        for (path, before) in zip(paths, before) { #expect(try simulated.ask("GET", path).json == before, "\(path)") }
        #expect(try simulated.ask("GET", "/summary").json == summary)
        #expect(simulated.world.apps.map(\.id) == ["demo", "other", "third", "new"])
        #expect(simulated.world.keys.registration("KEY0000002")?.team == "TEAM000002")
        simulated.perform(.online, on: 1)
        #expect(simulated.world.phones[1].cards[0].content.revision == 5)
    }

    @Test mutating func `old tokens answer as before, and new ones are others`() throws {
        simulated.addPhone()
        simulated.start()
        let old = simulated.phone.startToken.value
        simulated.perform(.rotate, World.ActionOptions(kind: .start))
        let lost = simulated.world
        try restart()
        simulated.pass(seconds: 1)
        #expect(simulated.send(to: old, SimulatedWorld.start(at: simulated.seconds)).refusal?.status == 410)
        #expect(simulated.change("update").refusal == nil)
        #expect(simulated.lastVerdict == .applied)
        // What was handed out after the state was written is never handed out again.
        var other = simulated
        other.world = lost
        other.addPhone("P2")
        simulated.addPhone("P2")
        #expect(other.world.phones[1].deviceToken != simulated.world.phones[1].deviceToken)
        #expect(simulated.world.phones[1].deviceToken.hasPrefix(simulated.world.tokenMark))
    }

    @Test mutating func `pushes that were kept, deferred or under way arrive, and are counted once`() throws {
        simulated.addPhone("kept")
        simulated.addPhone("deferred")
        simulated.addPhone("on its way")
        for phone in 0..<3 { simulated.start(on: phone) }
        simulated.pass(seconds: 1)
        simulated.perform(.offline, on: 0)
        simulated.change("update", on: 0)
        simulated.world.knobs.phones.urgentPerHour = 0
        simulated.world.knobs.phones.overBudget = .defer
        simulated.change("update", on: 1)
        simulated.world.knobs.transit.opportunisticGroup = 7_200_000_000
        simulated.change("update", ["content-state": SimulatedWorld.state(revision: 8)], on: 2, priority: 5)
        #expect(simulated.world.totals.verdicts.filter { $0.key != .applied && $0.value == 1 }.count == 3)
        try restart()
        simulated.world.knobs.phones.urgentPerHour = nil
        simulated.perform(.online, on: 0)
        simulated.pass(seconds: 7200)
        simulated.world.sweep(at: simulated.now)
        #expect(simulated.world.phones[2].cards[0].content.revision == 8)
        #expect(simulated.world.totals.verdicts == [.applied: 6])
        #expect(simulated.world.totals.cards == 3)
    }

    @Test mutating func `eight hours go on, and what the app had to tell is told with a higher sequence`() throws {
        simulated.addPhone()
        _ = simulated.takeCalls()
        simulated.start()
        let sequence = simulated.phone.sequence
        simulated.pass(seconds: 8 * 3600)
        try restart()
        #expect(simulated.phone.sequence > sequence)
        simulated.world.sweep(at: simulated.now)
        #expect(simulated.card.state(at: simulated.now.phone) == .ended)
        #expect(simulated.takeCalls().map(\.method) == ["PUT", "POST"])
    }

    @Test mutating func `a call that was under way is made again`() throws {
        simulated.addPhone()
        let caller = try #require(simulated.world.takeCallers().first)
        #expect(simulated.world.nextCall(of: caller, at: simulated.now)?.method == "PUT")
        try restart()
        #expect(simulated.takeCalls().map(\.method) == ["PUT"])
    }

    @Test mutating func `a revoked key stays revoked`() throws {
        simulated.addPhone()
        simulated.world.keys.revoke(SimulatedWorld.keyID)
        try restart()
        #expect(simulated.start().refusal?.status == 403)
    }
}

@Suite struct StateFileTests {
    @Test func `no file is no state`() throws {
        #expect(try StateFile(path: "/tmp/there-is-no-such-state").read() == nil)
    }

    @Test(
        arguments: [
            ("", "is no state of a simulator"), ("{}", "is no state of a simulator"),
            ("doorstep-apns-sim 1 00\n{}", "was written by another version of Doorstep"),
            ("doorstep-apns-sim 2 00\n{}", "is damaged"), ("doorstep-apns-sim 2 ", "is damaged"),
        ]
    )
    func `what is no state is an error that names the file and the remedy`(text: String, complaint: String) throws {
        let file = try ScratchFile(text)
        defer { file.remove() }
        let error = #expect(throws: SimulatorError.self) { _ = try StateFile(path: file.path).read() }
        #expect(error?.code == .badState)
        #expect(error?.detail.hasPrefix("\(file.path) \(complaint): move it away") == true)
    }

    @Test func `one changed letter is found`() throws {
        let file = try ScratchFile()
        defer { file.remove() }
        var simulated = try SimulatedWorld()
        simulated.addPhone()
        try StateFile(path: file.path).write(WorldState(simulated.world))
        let changed = try ScratchFile(try file.text().replacing("en-US", with: "en-GB"))
        defer { changed.remove() }
        #expect(throws: SimulatorError.self) { _ = try StateFile(path: changed.path).read() }
    }

    @Test func `a file that cannot be written is an error that names it`() throws {
        let state = WorldState(try SimulatedWorld().world)
        let error = #expect(throws: SimulatorError.self) { try StateFile(path: "/nowhere/state").write(state) }
        #expect(error?.code == .cannotKeepState)
        #expect(error?.detail == "/nowhere/state: No such file or directory")
    }
}
