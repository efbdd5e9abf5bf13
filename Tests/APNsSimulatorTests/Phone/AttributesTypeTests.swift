import JSONText
import Testing

@testable import APNsSimulator

/// Apps that have had several types in their time.
@Suite struct AttributesTypeTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        var ride = ActivitySchema(
            attributesType: "RideAttributes",
            attributes: ContentShape([.init("ride", .string)]),
            state: ContentShape([.init("status", .string), .init("step", .integer)]),
            orderKey: "ride",
            phaseKey: "status",
            revisionKey: "step"
        )
        ride.firstBuild = "40"
        simulated.world.register(
            .init(id: "demo", bundleID: SimulatedWorld.bundleID, schemas: [.doorstepV1(), ride])
        )
    }

    private mutating func add(build: String, types: [String]? = nil) -> Int {
        var order = PhoneOrder(id: "P\(simulated.world.phones.count)", customer: "C1", app: 0, preset: .docs)
        order.build = build
        order.attributesTypes = types
        _ = simulated.world.add(order, at: simulated.now)
        return simulated.world.phones.count - 1
    }

    private static let ride: [String: JSON?] = [
        "attributes-type": "RideAttributes", "attributes": ["ride": "R7"],
        "content-state": ["status": "boarding", "step": 2],
    ]

    @Test mutating func `a build knows the types that it brought or found, and registers with the newest`() throws {
        for (build, type) in [("39.9", "DoorstepAttributes"), ("40", "RideAttributes")] {
            _ = simulated.takeCalls()
            let phone = add(build: build)
            let registration = try JSON.parse(try #require(simulated.takeCalls().last).body)
            #expect(registration["attributesType"] == .string(type))
            #expect(registration["appBuild"] == .string(build))
            simulated.start(Self.ride, on: phone)
            #expect(simulated.lastVerdict == (build == "40" ? .applied : .unknownAttributesType))
            simulated.start(on: phone)
            #expect(simulated.lastVerdict == .applied)
        }
    }

    @Test mutating func `a card is read by its own type as long as it lives`() {
        let phone = add(build: "41")
        simulated.start(on: phone)
        simulated.start(Self.ride, on: phone)
        let card = simulated.world.phones[phone].cards[1]
        #expect(card.order == "R7")
        #expect(card.content.phase == "boarding")
        simulated.pass(seconds: 1)
        simulated.change("update", ["content-state": ["status": "riding", "step": 3]], on: phone)
        #expect(simulated.lastVerdict == .applied)
        #expect(simulated.world.log[simulated.world.log.lastSequence]?.revision == 3)
        simulated.change("update", on: phone)
        #expect(simulated.lastVerdict == .stateUndecodable)
    }

    @Test mutating func `a phone may be told which types it knows`() throws {
        let phone = add(build: "41", types: ["DoorstepAttributes"])
        let registration = try JSON.parse(try #require(simulated.takeCalls().last).body)
        #expect(registration["attributesType"] == "DoorstepAttributes")
        simulated.start(Self.ride, on: phone)
        #expect(simulated.lastVerdict == .unknownAttributesType)
    }

    @Test mutating func `behaviour 24: one start token is the app's, and starts each of its types`() throws {
        let phone = add(build: "41")
        simulated.start(on: phone)
        #expect(simulated.lastVerdict == .applied)
        simulated.start(Self.ride, on: phone)
        #expect(simulated.lastVerdict == .applied)
        #expect(try simulated.ask("GET", "/phones/P0").json["tokens"]?["starts"] == [:])
    }

    @Test mutating func `behaviour 24: by the knob each type has a start token, which starts no other type`() throws {
        try simulated.ask("POST", "/settings", ["startTokenScope": "attributesType"])
        let phone = add(build: "41")
        let registration = try JSON.parse(try #require(simulated.takeCalls().last).body)
        let tokens = try #require(try simulated.ask("GET", "/phones/P0").json["tokens"]?["starts"])
        let (oldest, ride) = (tokens["DoorstepAttributes"]?.stringValue, tokens["RideAttributes"]?.stringValue)
        #expect(Set([oldest, ride]).count == 2)
        #expect(registration["attributesType"] == "RideAttributes")
        #expect(registration["pushToStartToken"]?.stringValue == ride)
        simulated.start(on: phone)
        #expect(simulated.lastVerdict == .wrongTokenKind)
        #expect(simulated.world.violations.counts == [.wrongTokenKind: 1])
        simulated.start(Self.ride, on: phone)
        #expect(simulated.lastVerdict == .applied)
        simulated.send(to: try #require(oldest), SimulatedWorld.start(at: simulated.seconds))
        #expect(simulated.lastVerdict == .applied)
        simulated.perform(.rotate, .init(kind: .start), on: phone)
        let rotated = simulated.send(to: try #require(oldest), SimulatedWorld.start(at: simulated.seconds))
        #expect(rotated.refusal?.reason == "ExpiredToken")
        simulated.perform(.uninstall, on: phone)
        for token in simulated.world.phones[phone].startTokens {
            let gone = simulated.send(to: token.value, SimulatedWorld.start(at: simulated.seconds))
            #expect(gone.refusal?.reason == "Unregistered")
        }
    }
}
