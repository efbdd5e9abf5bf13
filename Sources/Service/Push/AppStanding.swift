package import APNs
package import Runtime

/// Whether an app's pushes may leave. APNs holds errors against a sender (contract 1.7.6), and a wrong setting makes every
/// push fail: then they wait in their slots, the operator is told, and no token is forgotten (sender rules 41, 42).
package struct AppStanding: Sendable {
    /// Why an app's pushes wait.
    package enum Stop: Hashable, Sendable {
        /// APNs cannot be reached, or no token can be signed.
        case unreachable
        /// APNs refuses the signing key, for this reason.
        case key(reason: String)
        /// APNs refuses the topic.
        case topic(reason: String)
        /// So many of the newest answers called tokens bad, in percent: another environment or app, most likely.
        case badTokens(percent: Int)

        var length: Duration {
            switch self {
            case .unreachable: .seconds(1)
            case .key, .topic, .badTokens: .seconds(60)
            }
        }
    }

    private static let window = 100
    private static let leastAnswers = 20
    private static let tolerated = 50

    /// The newest answers, by whether they called the token bad.
    private var answers: [Bool] = []
    private var next = 0
    private var until: MonotonicTime?
    /// It stopped for bad tokens, and no good one was met since: each further one is held against the settings, and its push
    /// is offered again.
    package private(set) var suspectsSettings = false

    package init() {}

    package func isOpen(at now: MonotonicTime) -> Bool { until.map { $0 <= now } ?? true }

    /// An attempt ended; why everything waits from now on, or nil.
    package mutating func heard(_ outcome: APNsOutcome, at now: MonotonicTime) -> Stop? {
        guard let stop = reason(outcome) else { return nil }
        let isNew = isOpen(at: now)
        until = now + stop.length
        if case .badTokens = stop { suspectsSettings = true }
        return isNew ? stop : nil
    }

    private mutating func reason(_ outcome: APNsOutcome) -> Stop? {
        switch outcome {
        case .unsent(let failure):
            switch failure.code {
            case .unreachable, .misconfigured, .signing: return .unreachable
            case .invalidRequest, .refused, .lost, .deadline, .stopped: return nil
            }
        case .unknown:
            return nil
        case .answered(let answer):
            let reason = answer.reason?.rawValue ?? "\(answer.status)"
            switch Remedy(for: answer) {
            case .stopKey: return .key(reason: reason)
            case .stopTopic: return .topic(reason: reason)
            case .quarantineToken: return note(isBad: true)
            case .none, .forgetToken: return note(isBad: false)
            case .forgetChannel, .deleteChannels, .keepProviderToken, .checkClock, .sendAgain, .slowDownToken, .backOff,
                .sendNewestState, .shrinkPayload, .drop:
                return nil
            }
        }
    }

    private mutating func note(isBad: Bool) -> Stop? {
        if !isBad, suspectsSettings {
            suspectsSettings = false
            answers = []
            next = 0
        }
        if answers.count < Self.window { answers.append(isBad) } else { answers[next] = isBad }
        next = (next + 1) % Self.window
        guard isBad, answers.count >= Self.leastAnswers else { return nil }
        let percent = answers.count(where: { $0 }) * 100 / answers.count
        return suspectsSettings || percent > Self.tolerated ? .badTokens(percent: percent) : nil
    }
}
