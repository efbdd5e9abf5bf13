import PostgresStore
import PushDelivery
import Runtime
import Service
import Tracking

/// APNs that answers what the test says, push by push; accepted afterwards.
final class ScriptedGateway: PushGateway {
    private struct Content {
        var answers: [PushOutcome]
        var isOpen = true
        var pushes: [ClaimedPush] = []
    }

    private let content: Locked<Content>

    init(_ answers: PushOutcome...) { content = Locked(Content(answers: answers)) }

    var pushes: [ClaimedPush] { content.withLock { $0.pushes } }
    var verbs: [Verb] { pushes.map(\.intention.verb) }

    func open(_ isOpen: Bool) { content.withLock { $0.isOpen = isOpen } }

    func isOpen(_ app: Directory.App) -> Bool { content.withLock { $0.isOpen } }

    func send(_ push: ClaimedPush, app: Directory.App, now: Instant) async -> Delivery {
        content.withLock { content in
            content.pushes.append(push)
            return Delivery(content.answers.isEmpty ? .accepted : content.answers.removeFirst(), bytes: 100)
        }
    }
}

extension PushOutcome {
    static let busy = PushOutcome.refused(status: 503, reason: "ServiceUnavailable", remedy: .retry, deadSince: nil)
    static let neverLeft = PushOutcome.refused(status: 0, reason: "unreachable", remedy: .retry, deadSince: nil)
    static let bad = PushOutcome.refused(status: 400, reason: "BadTopic", remedy: .drop, deadSince: nil)
    static func dead(since: Int64) -> PushOutcome {
        .refused(
            status: 410,
            reason: "Unregistered",
            remedy: .forgetToken,
            deadSince: Instant(microseconds: since)
        )
    }
}
