import JSONText
import Testing

@testable import APNsSimulator

@Suite struct ConnectionTests {
    private var standing = ConnectionStanding(limits: .init(untrusted: 1, trusted: 100, slowAt: 4, disconnectAt: 8))

    @Test mutating func `behaviour 3: errors in a row slow a connection down and a success restores it`() {
        #expect(standing.authenticated() == .limitStreams(100))
        for _ in 0..<3 { #expect(standing.answered(Refusal(.badPriority)) == nil) }
        #expect(standing.answered(Refusal(.badPriority)) == .limitStreams(1))
        #expect(standing.answered(nil) == .limitStreams(100))
    }

    @Test mutating func `behaviour 3: a bad token weighs double and too many of them end the connection`() {
        _ = standing.authenticated()
        #expect(standing.answered(Refusal(.badDeviceToken)) == nil)
        #expect(standing.answered(Refusal(.badDeviceToken)) == .limitStreams(1))
        #expect(standing.answered(Refusal(.badDeviceToken)) == nil)
        #expect(standing.answered(Refusal(.badDeviceToken)) == .goAway(.badDeviceToken))
    }

    @Test mutating func `behaviour 3: 410 and 5xx weigh nothing`() {
        _ = standing.authenticated()
        for _ in 0..<50 {
            #expect(standing.answered(Refusal(.unregistered)) == nil)
            #expect(standing.answered(Refusal(.internalServerError)) == nil)
        }
    }

    @Test func `behaviour 3: the world's connections slow down and are sent away`() throws {
        var simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.world.knobs.standing = .init(untrusted: 1, trusted: 100, slowAt: 4, disconnectAt: 6)
        #expect(simulated.start().connectionActions == [.limitStreams(100)])
        let actions = (0..<3).map { _ in simulated.send(to: "ab", [:]).connectionActions }
        #expect(actions == [[], [.limitStreams(1)], [.goAway(reason: "BadDeviceToken")]])
        #expect(simulated.start().connectionActions == [.limitStreams(100)])
    }

    @Test func `behaviour 6: PING is for idle connections, once an hour`() throws {
        var simulated = try SimulatedWorld()
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        simulated.world.opened(key, at: simulated.now)
        func ping() -> Int? {
            simulated.world.pinged(key, at: simulated.now)
            return simulated.world.violations.counts[.frequentPing]
        }
        #expect(ping() == nil)
        simulated.pass(seconds: 3600)
        #expect(ping() == nil)
        simulated.pass(seconds: 3599)
        #expect(ping() == 1)
    }

    @Test func `behaviour 6: PING while requests are open, or as the last answer comes, is no fault`() throws {
        var simulated = try SimulatedWorld()
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        simulated.world.opened(key, at: simulated.now)
        for _ in 0..<10 {
            simulated.pass(seconds: 5)
            simulated.world.pinged(key, isWaiting: true, at: simulated.now)
        }
        simulated.world.answered(key, at: simulated.now)
        simulated.pass(seconds: 1)
        simulated.world.pinged(key, isWaiting: false, at: simulated.now)
        #expect(simulated.world.violations.total == 0)
        #expect(simulated.world.connections[key]?.pings == 11)
        for violations in [0, 1] {
            simulated.pass(seconds: 60)
            simulated.world.pinged(key, isWaiting: false, at: simulated.now)
            #expect(simulated.world.violations.total == violations)
        }
    }

    @Test func `sender rule 7: a stream above the limit is noted against the sender`() throws {
        var simulated = try SimulatedWorld()
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        simulated.world.opened(key, at: simulated.now)
        simulated.world.exceededStreams(key, at: simulated.now)
        #expect(simulated.world.violations.counts == [.excessStream: 1])
    }

    @Test func `behaviour 6: PRIORITY is noted against the sender`() throws {
        var simulated = try SimulatedWorld()
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        simulated.world.opened(key, at: simulated.now)
        simulated.world.prioritized(key, at: simulated.now)
        #expect(simulated.world.violations.counts == [.priorityFrame: 1])
    }

    @Test func `behaviour 7: more than sixty connections in a minute are churn`() throws {
        var simulated = try SimulatedWorld()
        for id in 1...61 {
            let key = World.ConnectionKey(environment: .sandbox, id: UInt64(id))
            simulated.world.opened(key, at: simulated.now)
            simulated.world.closed(key, at: simulated.now)
        }
        #expect(simulated.world.violations.counts == [.connectionChurn: 1])
        #expect(simulated.world.closedConnections.count == 61)
        simulated.pass(seconds: 60)
        simulated.world.opened(World.ConnectionKey(environment: .sandbox, id: 99), at: simulated.now)
        #expect(simulated.world.violations.total == 1)
    }
}
