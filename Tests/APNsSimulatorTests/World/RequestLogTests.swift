import JSONText
import Testing

@testable import APNsSimulator

@Suite struct RequestLogTests {
    @Test func `numbers go on when old records go`() throws {
        var simulated = try SimulatedWorld(log: RequestLog(limit: 4, payloadBytes: 1 << 20))
        simulated.addPhone()
        for _ in 0..<5 { simulated.start() }
        #expect(simulated.world.log.lastSequence == 5)
        #expect(simulated.world.log[2] == nil)
        #expect(simulated.world.log[3]?.event == .start)
        #expect(simulated.world.log.sequences(after: 0, limit: 2) == 3..<5)
        #expect(simulated.world.log.sequences(after: 5, limit: 2).isEmpty)
    }

    @Test func `the newest payloads are kept within a budget`() throws {
        var simulated = try SimulatedWorld(log: RequestLog(limit: 100, payloadBytes: 1200))
        simulated.addPhone()
        for _ in 0..<5 { simulated.start() }
        #expect(simulated.world.log.payload(1) == nil)
        #expect(simulated.world.log.payload(5) != nil)
    }

    @Test func `a record says when it came, what it showed and for whom`() throws {
        var simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        let record = try #require(simulated.world.log[1])
        #expect(record.receivedWall == simulated.now.wall)
        #expect(record.revision == 3)
        #expect(record.phone == 0)
        #expect(record.card == 0)
        #expect(record.priority == 10)
        #expect(simulated.phone.requests == [1])
    }
}
