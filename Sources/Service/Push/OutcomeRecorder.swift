internal import Crypto
internal import PostgresStore
internal import PushDelivery
package import Runtime
internal import Tracking

/// Turns answers of APNs into facts of the order's stream. An answer is never dropped: while the database is away it
/// is offered again.
package struct OutcomeRecorder: Sendable {
    private let loop: EventLoop
    private let appender: Appender
    private let directory: Directory
    private let clock: DatabaseClock
    private let pushed: @Sendable (PushCount) -> Void

    /// `pushed` is told of each outcome.
    package init(
        loop: EventLoop,
        appender: Appender,
        directory: Directory,
        clock: DatabaseClock,
        pushed: @escaping @Sendable (PushCount) -> Void
    ) {
        self.loop = loop
        self.appender = appender
        self.directory = directory
        self.clock = clock
        self.pushed = pushed
    }

    func record(_ push: ClaimedPush, _ delivery: Delivery) async {
        let (card, intention) = (push.card, push.intention)
        let claim = push.claim.description
        switch delivery.outcome {
        case .accepted:
            let now = clock.now
            // Held pushes say nothing of our speed: they were decided by a later fact than the one they show.
            let isAtOnce = intention.dueAt == intention.asOf
            pushed(
                PushCount(
                    event: intention.verb.name,
                    result: "accepted",
                    commitToAccept: isAtOnce ? now - intention.asOf.microseconds : nil
                )
            )
            let accepted = PushAccepted(
                device: card.device,
                incarnation: card.incarnation,
                verb: intention.verb,
                revision: intention.revision,
                priority: intention.priority,
                alerts: intention.alerts,
                shown: Shown(
                    intention.content,
                    orderRevision: intention.orderRevision,
                    stamp: push.stamp,
                    at: Instant(microseconds: now),
                    staleAt: Instant(microseconds: now) + intention.staleAfter
                )
            )
            let body = PushFactCodec.body(accepted, trail(push, delivery))
            await append(card, FactType.pushAccepted, id: "\(claim)/answer", body)
        case .refused(let status, let reason, let remedy, let deadSince):
            pushed(PushCount(event: intention.verb.name, result: remedy.rawValue, commitToAccept: nil))
            let refused = PushRefused(
                device: card.device,
                incarnation: card.incarnation,
                verb: intention.verb,
                revision: intention.revision,
                generation: push.generation,
                stamp: push.stamp,
                remedy: remedy,
                neverLeft: status == 0,
                deadSince: deadSince,
                digest: intention.content.digest
            )
            let body = PushFactCodec.body(refused, trail(push, delivery), status: status, reason: reason)
            await append(card, FactType.pushRefused, id: "\(claim)/answer", body)
        case .channelOpened(let channel):
            pushed(PushCount(event: intention.verb.name, result: "accepted", commitToAccept: nil))
            let body = PushFactCodec.channelBody(channel, apnsID: claim)
            await append(card, FactType.channelOpened, id: "\(claim)/answer", body)
        case .channelClosed:
            pushed(PushCount(event: intention.verb.name, result: "accepted", commitToAccept: nil))
            let body = PushFactCodec.channelBody(intention.channel ?? ChannelID(""), apnsID: claim)
            await append(card, FactType.channelClosed, id: "\(claim)/answer", body)
        case .lost:
            await recordLost(
                LostClaim(
                    card: card,
                    verb: intention.verb,
                    revision: intention.revision,
                    stamp: push.stamp,
                    priority: intention.priority,
                    alerts: intention.alerts,
                    claim: push.claim
                )
            )
        }
    }

    /// A claim without an outcome: the answer never came, or the process that held it died.
    func recordLost(_ lost: LostClaim) async {
        pushed(PushCount(event: lost.verb.name, result: "lost", commitToAccept: nil))
        let fact = PushLost(
            device: lost.card.device,
            incarnation: lost.card.incarnation,
            verb: lost.verb,
            revision: lost.revision,
            stamp: lost.stamp,
            priority: lost.priority,
            alerts: lost.alerts
        )
        let claim = lost.claim.description
        await append(lost.card, FactType.pushLost, id: "\(claim)/lost", PushFactCodec.body(fact, apnsID: claim))
    }

    private func trail(_ push: ClaimedPush, _ delivery: Delivery) -> PushFactCodec.Trail {
        PushFactCodec.Trail(
            apnsID: push.claim.description,
            contract: delivery.contract,
            priority: push.intention.priority,
            bytes: delivery.bytes
        )
    }

    private func append(_ card: CardKey, _ type: String, id: String, _ body: [UInt8]) async {
        guard let source = directory.own(.push, app: card.app) else { return }
        let fact = NewFact(
            StreamAddress(app: card.app, kind: .order, stream: card.order.value),
            source: source.number,
            id: id,
            type: type,
            body: body
        )
        CrashPoint.outcomeBeforeCommit.reached()
        while case .failed = await appender.append([fact])[0] {
            guard (try? await loop.sleep(for: .milliseconds(500))) != nil else { return }
        }
    }
}

/// One push, for the figures.
package struct PushCount: Sendable {
    package let event: String
    /// `accepted`, `lost`, or the remedy of a refusal.
    package let result: String
    /// Microseconds, for accepted pushes that were due at once.
    package let commitToAccept: Int64?
}

/// A claim whose outcome nobody recorded in time.
struct LostClaim: Sendable {
    let card: CardKey
    let verb: Verb
    let revision: Int
    let stamp: Int64
    let priority: Int
    let alerts: Alerts
    let claim: UUID128
}

extension LostClaim {
    /// nil for a slot without a claim. The intention may be newer than what was sent: its alerts stand for both.
    init?(_ slot: SlotRow) throws(StoredFormError) {
        guard let held = slot.claim else { return nil }
        let intention = try Intention(stored: slot.wanted.body)
        self.init(
            card: slot.wanted.key.card,
            verb: held.verb,
            revision: Int(held.rev),
            stamp: slot.wanted.stamp,
            priority: intention.priority,
            alerts: intention.alerts,
            claim: held.id
        )
    }
}
