internal import Crypto
internal import Postgres
internal import PostgresStore
internal import Tracking

/// Alerts in the place of cards are sent to the ordinary token of the device.
extension ClaimTransaction {
    /// The alerts that are ours to send now; lanes in ascending order.
    func claimAlerts(_ batches: [ClaimBatch]) async throws -> [ClaimedPush] {
        let tokens = try await deviceTokens(batches.flatMap(\.hints))
        let requests = batches.map { batch in
            batch.hints.map { AlertClaimRequest(card: $0.card, rev: $0.revision, claim: .random()) }
        }
        let claimed = try await pool.runAll(
            zip(batches, requests).map { batch, requests in
                Claims.alerts(lane: batch.lane, term: batch.term, now: now, until: until, requests)
            }
        )
        return zip(requests, claimed).flatMap { requests, claims in
            // A claim that cannot be read stays until it counts as lost.
            claims.compactMap { push(requests[$0.index], $0, tokens) }
        }
    }

    private func push(
        _ request: AlertClaimRequest,
        _ claim: AlertClaim,
        _ tokens: [DeviceKey: DeviceTokens]
    ) -> ClaimedPush? {
        guard let wanted = try? Intention(stored: claim.body) else { return nil }
        let device = request.card.device
        let sealed = tokens[DeviceKey(app: request.card.app, device: device)]?.deviceToken
        return ClaimedPush(
            card: request.card,
            intention: wanted.leaving(at: Instant(microseconds: now)),
            token: sealed.map { open($0, TokenPurpose.device(device)) } ?? .gone,
            generation: 0,
            stamp: claim.stamp,
            claim: request.claim
        )
    }
}
