import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct CallTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone("P/1")
    }

    private mutating func nextCall() -> DoorstepCall? {
        simulated.world.takeCallers().first.flatMap { simulated.world.nextCall(of: $0, at: simulated.now) }
    }

    @Test mutating func `a new phone registers itself`() throws {
        let call = try #require(nextCall())
        #expect(call.method == "PUT")
        #expect(call.path == "/v1/devices/P%2F1?app=demo")
        let body = try JSON.parse(call.body)
        #expect(body["customer"]?.stringValue == "C1")
        #expect(body["pushToStartToken"]?.stringValue == simulated.phone.startToken.value)
        #expect(body["attributesType"]?.stringValue == "DoorstepAttributes")
        #expect(body["sequence"]?.int64Value == 1_800_000_000_001)
    }

    @Test mutating func `a call is repeated until 2xx or 410`() throws {
        for (status, failures) in [(nil, 0), (500, 1), (401, 2)] as [(Int?, Int)] {
            let call = try #require(nextCall())
            #expect(simulated.world.finished(call, status: status, body: [], at: simulated.now) == failures)
            #expect(simulated.world.takeCallers().isEmpty)
            simulated.world.retry(call.caller)
        }
        let last = try #require(nextCall())
        #expect(simulated.world.finished(last, status: 410, body: [], at: simulated.now) == nil)
        #expect(simulated.world.takeCallers().isEmpty)
    }

    @Test mutating func `one call is under way at a time and the same thing is told once`() throws {
        simulated.perform(.rotate)
        let first = try #require(nextCall())
        simulated.perform(.rotate)
        simulated.perform(.rotate)
        #expect(simulated.world.takeCallers().isEmpty)
        _ = simulated.world.finished(first, status: 200, body: [], at: simulated.now)
        #expect(simulated.takeCalls().count == 1)
    }

    @Test mutating func `the answer to the running list ends the cards it names`() throws {
        simulated.start()
        simulated.perform(.open)
        var calls = 0
        while let call = nextCall() {
            calls += 1
            let end: JSON = ["end": [.string(simulated.card.activity.description)], "orders": []]
            _ = simulated.world.finished(call, status: 200, body: end.serialized(), at: simulated.now)
        }
        #expect(simulated.card.state(at: simulated.now.phone) == .dismissed)
        #expect(calls == 4)
    }

    @Test mutating func `calls of deleted phones are void`() throws {
        let call = try #require(nextCall())
        simulated.world.deletePhones(at: simulated.now)
        #expect(simulated.world.finished(call, status: 500, body: [], at: simulated.now) == nil)
        simulated.world.retry(call.caller)
        #expect(simulated.world.takeCallers().isEmpty)
    }

    @Test mutating func `logging out takes the registration back`() {
        _ = simulated.takeCalls()
        simulated.perform(.logout)
        #expect(simulated.takeCalls().map { "\($0.method) \($0.path)" } == ["DELETE /v1/devices/P%2F1?app=demo"])
    }
}
