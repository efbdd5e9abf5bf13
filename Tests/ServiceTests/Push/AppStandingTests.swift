import APNs
import Runtime
import Service
import Testing

/// When an app's pushes wait because APNs would hold them against it.
@Suite struct AppStandingTests {
    private let start = MonotonicTime.now

    private func answered(_ status: Int, _ reason: RejectionReason? = nil) -> APNsOutcome {
        .answered(APNsAnswer(status: status, reason: reason))
    }

    @Test func `a refused key or topic stops the app for a minute, and is told once`() {
        for (reason, stop) in [
            (RejectionReason.invalidProviderToken, AppStanding.Stop.key(reason: "InvalidProviderToken")),
            (.badEnvironmentKeyInToken, .key(reason: "BadEnvironmentKeyInToken")),
            (.topicDisallowed, .topic(reason: "TopicDisallowed")),
        ] {
            var standing = AppStanding()
            #expect(standing.isOpen(at: start))
            #expect(standing.heard(answered(reason == .topicDisallowed ? 400 : 403, reason), at: start) == stop)
            // Those under way come back with the same.
            #expect(standing.heard(answered(403, reason), at: start + .seconds(1)) == nil)
            #expect(!standing.isOpen(at: start + .seconds(60)))
            #expect(standing.isOpen(at: start + .seconds(61)))
            #expect(standing.heard(answered(403, reason), at: start + .seconds(62)) != nil)
        }
    }

    @Test func `an APNs out of reach is tried again a second later`() {
        var standing = AppStanding()
        #expect(standing.heard(.unsent(APNsFailure(.unreachable, "")), at: start) == .unreachable)
        #expect(!standing.isOpen(at: start))
        #expect(standing.isOpen(at: start + .seconds(1)))
    }

    // P39
    @Test func `where most tokens are bad the app stops instead of losing them`() {
        var standing = AppStanding()
        for _ in 0..<19 { #expect(standing.heard(answered(400, .badDeviceToken), at: start) == nil) }
        #expect(standing.heard(answered(400, .badDeviceToken), at: start) == .badTokens(percent: 100))
        #expect(!standing.isOpen(at: start))
    }

    // P39
    @Test func `after the minute one bad token stops the app again, and one good one clears it`() {
        var standing = AppStanding()
        for _ in 0..<20 { _ = standing.heard(answered(400, .badDeviceToken), at: start) }
        #expect(standing.suspectsSettings)
        #expect(standing.heard(answered(400, .badDeviceToken), at: start + .seconds(61)) == .badTokens(percent: 100))
        #expect(standing.heard(answered(200), at: start + .seconds(130)) == nil)
        #expect(!standing.suspectsSettings)
        #expect(standing.heard(answered(400, .badDeviceToken), at: start + .seconds(130)) == nil)
        #expect(standing.isOpen(at: start + .seconds(130)))
    }

    @Test func `some bad tokens among good ones stop nobody`() {
        var standing = AppStanding()
        for number in 0..<1000 {
            let outcome = number.isMultiple(of: 3) ? answered(400, .deviceTokenNotForTopic) : answered(200)
            #expect(standing.heard(outcome, at: start) == nil)
        }
        #expect(standing.isOpen(at: start))
    }

    @Test(arguments: [RejectionReason.unregistered, .expiredToken, .tooManyRequests, .payloadTooLarge])
    func `what concerns one push stops nobody`(reason: RejectionReason) {
        var standing = AppStanding()
        for _ in 0..<200 { #expect(standing.heard(answered(410, reason), at: start) == nil) }
        #expect(standing.isOpen(at: start))
    }
}
