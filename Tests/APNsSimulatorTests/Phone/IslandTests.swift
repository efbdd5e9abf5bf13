import JSONText
import Testing

@testable import APNsSimulator

@Suite struct IslandTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    /// As it is once no alert is fresh.
    private var quiet: Island { simulated.phone.island(at: simulated.now.phone, alertDuration: 0) }

    private var fresh: Island { simulated.phone.island(at: simulated.now.phone, alertDuration: 5_000_000) }

    @Test mutating func `it shows one card compact and two minimal, the more relevant one attached`() {
        #expect(quiet == .empty)
        simulated.start()
        #expect(quiet == .compact(0))
        simulated.start(order: "O2")
        #expect(quiet == .minimal(attached: 0, detached: 1))
        simulated.start(["relevance-score": 100], order: "O3")
        #expect(quiet == .minimal(attached: 2, detached: 0))
    }

    @Test mutating func `an alert expands it for a while, a silent update does not`() {
        simulated.start()
        #expect(fresh == .expanded(0))
        simulated.pass(seconds: 5)
        #expect(fresh == .compact(0))
        simulated.change("update")
        #expect(fresh == .compact(0))
        simulated.change("update", ["alert": ["title": ["loc-key": "ARRIVED"], "body": "At the door"]])
        #expect(fresh == .expanded(0))
        #expect(simulated.card.alert?.title == "ARRIVED")
        #expect(simulated.card.alert?.body == "At the door")
    }

    @Test mutating func `an ended card leaves it`() {
        simulated.start()
        simulated.change("end")
        #expect(fresh == .empty)
    }
}
