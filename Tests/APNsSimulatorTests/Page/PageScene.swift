import APNs
import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// A running simulator with phone P1, and pushes as Doorstep would send them.
struct PageScene: Sendable {
    let running: RunningSimulator
    /// Timestamps grow with every push.
    private let timestamp = Locked(WallClock.seconds)

    static func with(
        _ phone: JSON? = ["id": "P1", "customer": "C1"],
        _ body: @Sendable (PageScene) async throws -> Void
    ) async throws {
        try await RunningSimulator.with { running in
            let app: JSON = ["id": "rides", "bundleId": "app.doorstep.rides", "schema": ride]
            _ = try await running.ask("POST", "/apps", app)
            if let phone { _ = try await running.ask("POST", "/phones", phone) }
            let scene = PageScene(running: running)
            // Nothing in the page depends on how long its browser takes.
            try await scene.settings(["alertSeconds": 0])
            try await body(scene)
        }
    }

    private init(running: RunningSimulator) { self.running = running }

    var url: String { "http://127.0.0.1:\(running.ports.control)/" }

    func phone() async throws -> JSON { try await running.ask("GET", "/phones/P1") }

    func act(_ action: String) async throws { _ = try await running.ask("POST", "/phones/P1/\(action)") }

    func advance(seconds: Int) async throws {
        _ = try await running.ask("POST", "/clock", ["advanceSeconds": .integer(seconds)])
    }

    func settings(_ knobs: JSON) async throws { _ = try await running.ask("POST", "/settings", knobs) }

    /// The content of a card that is due in a quarter of an hour.
    func state(_ phase: String) -> JSON {
        var state = SimulatedWorld.state(phase: phase, revision: 4).objectValue ?? [:]
        state["eta"] = .integer(WallClock.seconds + 900)
        state["courier"] = "Nadia"
        return .object(state)
    }

    func start(order: String = "O1", _ aps: [String: JSON?] = [:]) async throws {
        let members: [String: JSON?] = ["content-state": state("on_the_way")]
        try await push(to: .start, SimulatedWorld.start(at: next(), order: order, members.merging(aps) { $1 }))
    }

    /// An update or end to the newest card.
    func change(_ event: String, _ aps: [String: JSON?]) async throws {
        let members: [String: JSON?] = ["event": .string(event), "timestamp": .integer(next())]
        try await push(to: .update, SimulatedWorld.payload(members.merging(aps) { $1 }))
    }

    /// A card of an app's own type, of which Doorstep knows nothing.
    func startRide() async throws {
        let aps: [String: JSON?] = [
            "attributes-type": "RideAttributes", "attributes": ["ride": "R7"],
            "content-state": ["status": "boarding", "gate": 12],
        ]
        try await push(to: .start, SimulatedWorld.start(at: next(), aps), bundleID: "app.doorstep.rides")
    }

    func notify() async throws {
        try await push(to: .device, ["aps": ["alert": ["title": "Your courier is here", "body": "At the door"]]])
    }

    private static let ride: JSON = [
        "attributesType": "RideAttributes", "attributes": ["ride": "string"],
        "state": ["status": "string", "gate": "integer"], "orderKey": "ride", "phaseKey": "status",
    ]

    private func next() -> Int64 {
        timestamp.withLock { timestamp in
            timestamp += 1
            return timestamp
        }
    }

    private func push(
        to kind: Recipient.Kind,
        _ payload: JSON,
        bundleID: String = SimulatedWorld.bundleID
    ) async throws {
        let phone = try await phone()
        let token =
            kind == .update ? phone["cards"]?.arrayValue?.last?["updateToken"] : phone["tokens"]?[kind.rawValue]
        let request = APNsRequest(
            token: try #require(token?.stringValue),
            topic: kind == .device ? bundleID : bundleID + ".push-type.liveactivity",
            pushType: kind == .device ? .alert : .liveActivity,
            priority: .immediate,
            expiration: WallClock.seconds + 60,
            apnsID: "0d8b2c1e-0f5c-4c0c-9a51-5bb3d3c1c001",
            payload: payload.serialized()
        )
        let outcome = await running.sender.send(request, deadline: .seconds(5))
        guard case .answered(let answer) = outcome, answer.status == 200 else {
            Issue.record("APNs did not accept it: \(outcome)")
            return
        }
    }
}
