internal import Crypto
internal import Postgres
internal import PostgresStore
internal import Tracking

/// What goes to no card: alerts, to the ordinary token of the device, and what an order's channel tells or is asked for.
extension ClaimTransaction {
    /// Those that are ours to send now; lanes in ascending order.
    func claimAside(_ batches: [ClaimBatch]) async throws -> [ClaimedPush] {
        let tokens = try await deviceTokens(batches.flatMap(\.hints).filter(\.isAlert))
        let requests = batches.map { batch in
            batch.hints.map { AsideClaimRequest(card: $0.card, rev: $0.revision, claim: .random()) }
        }
        let claimed = try await pool.runAll(
            zip(batches, requests).map { batch, requests in
                Claims.aside(lane: batch.lane, term: batch.term, now: now, until: until, requests)
            }
        )
        return zip(requests, claimed).flatMap { requests, claims in
            // A claim that cannot be read stays until it counts as lost.
            claims.compactMap { push(requests[$0.index], $0, tokens) }
        }
    }

    private func push(
        _ request: AsideClaimRequest,
        _ claim: AsideClaim,
        _ tokens: [DeviceKey: DeviceTokens]
    ) -> ClaimedPush? {
        guard let wanted = try? Intention(stored: claim.body) else { return nil }
        return ClaimedPush(
            card: request.card,
            intention: wanted.leaving(at: Instant(microseconds: now)),
            token: request.card.isChannel ? .none : token(of: request.card, tokens),
            generation: 0,
            stamp: claim.stamp,
            claim: request.claim
        )
    }

    private func token(of card: CardKey, _ tokens: [DeviceKey: DeviceTokens]) -> ClaimedPush.Token {
        let sealed = tokens[DeviceKey(app: card.app, device: card.device)]?.deviceToken
        return sealed.map { open($0, TokenPurpose.device(card.device)) } ?? .gone
    }
}
