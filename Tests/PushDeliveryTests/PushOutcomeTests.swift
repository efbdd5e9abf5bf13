import APNs
import PushDelivery
import Testing
import Tracking

/// What a card is told of APNs' answers (contract 2.2).
@Suite struct PushOutcomeTests {
    private static func outcome(_ status: Int, _ reason: RejectionReason?, at: Int64? = nil) -> PushOutcome {
        PushOutcome(.answered(APNsAnswer(status: status, reason: reason, timestampMilliseconds: at)))
    }

    @Test func `two hundred is accepted`() {
        #expect(Self.outcome(200, nil) == .accepted)
    }

    // P35
    @Test func `a dead token is forgotten as of Apple's time`() {
        #expect(
            Self.outcome(410, .unregistered, at: 1_700_000_000_123)
                == .refused(
                    status: 410,
                    reason: "Unregistered",
                    remedy: .forgetToken,
                    deadSince: Instant(microseconds: 1_700_000_000_123_000)
                )
        )
        #expect(
            Self.outcome(400, .expiredToken)
                == .refused(status: 400, reason: "ExpiredToken", remedy: .forgetToken, deadSince: nil)
        )
    }

    // P39
    @Test(arguments: [
        (400, RejectionReason.badDeviceToken, RefusalRemedy.drop),
        (400, .deviceTokenNotForTopic, .drop), (413, .payloadTooLarge, .drop), (400, .badCollapseID, .drop),
        (403, .invalidProviderToken, .retry), (400, .topicDisallowed, .retry), (429, .tooManyRequests, .retry),
        (429, .tooManyProviderTokenUpdates, .retry), (500, .internalServerError, .retry),
        (503, .serviceUnavailable, .retry), (503, .shutdown, .retry), (400, .idleTimeout, .retry),
    ])
    func `a refusal says what to do`(status: Int, reason: RejectionReason, remedy: RefusalRemedy) {
        #expect(
            Self.outcome(status, reason)
                == .refused(status: status, reason: reason.rawValue, remedy: remedy, deadSince: nil)
        )
    }

    // P39
    @Test func `a bad token of an app whose settings are suspected is offered again`() {
        let bad = APNsOutcome.answered(APNsAnswer(status: 400, reason: .badDeviceToken))
        #expect(
            PushOutcome(bad, suspectsSettings: true)
                == .refused(status: 400, reason: "BadDeviceToken", remedy: .retry, deadSince: nil)
        )
        let dead = APNsOutcome.answered(APNsAnswer(status: 410, reason: .unregistered))
        #expect(PushOutcome(dead, suspectsSettings: true) == PushOutcome(dead))
    }

    @Test(arguments: [(400, RefusalRemedy.drop), (404, .drop), (410, .forgetToken), (429, .retry), (500, .retry)])
    func `an unheard-of reason goes by its status`(status: Int, remedy: RefusalRemedy) {
        #expect(
            Self.outcome(status, RejectionReason(rawValue: "Novel"))
                == .refused(status: status, reason: "Novel", remedy: remedy, deadSince: nil)
        )
    }

    @Test func `what never left may go again, what was malformed may not`() {
        #expect(
            PushOutcome(.unsent(APNsFailure(.unreachable, "")))
                == .refused(status: 0, reason: "unreachable", remedy: .retry, deadSince: nil)
        )
        #expect(
            PushOutcome(.unsent(APNsFailure(.invalidRequest, "")))
                == .refused(status: 0, reason: "invalidRequest", remedy: .drop, deadSince: nil)
        )
    }

    @Test func `a missing answer is lost, never refused`() {
        #expect(PushOutcome(.unknown(APNsFailure(.deadline, ""))) == .lost)
        #expect(PushOutcome(.unknown(APNsFailure(.lost, ""))) == .lost)
    }
}
