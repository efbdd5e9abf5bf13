import Testing

@testable import APNsSimulator

@Suite struct ConnectionStandingTests {
    private var standing = ConnectionStanding(limits: .init(untrusted: 1, trusted: 100, slowAt: 4, disconnectAt: 8))

    @Test mutating func `errors in a row slow a connection down and a success restores it`() {
        #expect(standing.authenticated() == .limitStreams(100))
        for _ in 0..<3 { #expect(standing.answered(Refusal(.badPriority)) == nil) }
        #expect(standing.answered(Refusal(.badPriority)) == .limitStreams(1))
        #expect(standing.answered(nil) == .limitStreams(100))
    }

    @Test mutating func `a bad token weighs double and too many of them end the connection`() {
        _ = standing.authenticated()
        #expect(standing.answered(Refusal(.badDeviceToken)) == nil)
        #expect(standing.answered(Refusal(.badDeviceToken)) == .limitStreams(1))
        #expect(standing.answered(Refusal(.badDeviceToken)) == nil)
        #expect(standing.answered(Refusal(.badDeviceToken)) == .goAway(.badDeviceToken))
    }

    @Test mutating func `410 and 5xx weigh nothing`() {
        _ = standing.authenticated()
        for _ in 0..<50 {
            #expect(standing.answered(Refusal(.unregistered)) == nil)
            #expect(standing.answered(Refusal(.internalServerError)) == nil)
        }
    }
}
