internal import Crypto
internal import Postgres
internal import PostgresStore
package import Tracking

/// Intentions of one lane to be claimed under its term.
struct ClaimBatch {
    let lane: Int32
    let term: Int64
    private(set) var hints: [SlotHint] = []

    init(lane: Int32, term: Int64) {
        self.lane = lane
        self.term = term
    }

    mutating func add(_ hint: SlotHint) { hints.append(hint) }
}

/// Claims slots of several lanes in one commit and opens the tokens they are sent with.
struct ClaimTransaction {
    let pool: PostgresPool
    let directory: Directory
    let vault: Vault
    let lanes: Int
    let now: Int64
    let until: Int64

    /// The pushes that are ours to send now; lanes in ascending order, so that two processes never wait in a circle.
    func run(_ batches: [ClaimBatch]) async throws -> [ClaimedPush] {
        let requests = batches.map { batch in batch.hints.compactMap(request) }
        let rows = try await deviceTokens(batches.flatMap(\.hints).filter(\.isStart))
        let tokens = rows.compactMapValues(\.startToken)
        let claimed = try await pool.runAll(
            zip(batches, requests).map { batch, requests in
                Claims.record(
                    lane: batch.lane,
                    term: batch.term,
                    now: now,
                    until: until,
                    day: DatabaseClock.day(of: now),
                    requests
                )
            }
        )
        var pushes: [ClaimedPush] = []
        for (requests, claims) in zip(requests, claimed) {
            for claim in claims {
                // A claim that cannot be read stays until it counts as lost: those beside it are committed too.
                guard let push = push(requests[claim.index], claim, tokens) else { continue }
                pushes.append(push)
            }
        }
        return pushes
    }

    /// The tokens that the devices of these slots have now.
    func deviceTokens(_ hints: [SlotHint]) async throws -> [DeviceKey: DeviceTokens] {
        var devices: [Int32: [DeviceKey]] = [:]
        for hint in hints {
            let address = StreamAddress(app: hint.card.app, kind: .device, stream: hint.card.device.value)
            devices[address.lane(of: lanes), default: []].append(
                DeviceKey(app: hint.card.app, device: hint.card.device)
            )
        }
        let rows = try await pool.runAll(devices.map { Devices.tokens(lane: $0.key, $0.value) })
        return Dictionary(rows.joined().map { (DeviceKey(app: $0.app, device: $0.device), $0) }) { first, _ in first }
    }

    private func request(_ hint: SlotHint) -> RecordedClaimRequest? {
        guard let source = directory.own(.push, app: hint.card.app) else { return nil }
        let card = hint.card
        let claim = UUID128.random()
        let fact = NewFact(
            StreamAddress(app: card.app, kind: .order, stream: card.order.value),
            source: source.number,
            id: "\(card.order.value)/\(card.device.value)/\(card.incarnation)/\(hint.attempt)",
            type: FactType.startClaimed,
            body: PushFactCodec.claimBody(card.device, incarnation: card.incarnation, apnsID: claim.description)
        )
        return RecordedClaimRequest(card: card, rev: hint.revision, claim: claim, fact: fact.item)
    }

    private func push(
        _ request: RecordedClaimRequest,
        _ claim: RecordedClaim,
        _ startTokens: [DeviceKey: [UInt8]]
    ) -> ClaimedPush? {
        let card = request.card
        guard let wanted = try? Intention(stored: claim.body) else { return nil }
        let intention = wanted.leaving(at: Instant(microseconds: now))
        let isStart = intention.verb == .start
        let sealed = isStart ? startTokens[DeviceKey(app: card.app, device: card.device)] : claim.token
        let purpose =
            isStart
            ? TokenPurpose.start(card.device)
            : TokenPurpose.update(card.order, card.device)
        return ClaimedPush(
            card: card,
            intention: intention,
            token: sealed.map { open($0, purpose) } ?? .gone,
            generation: Int(claim.generation),
            stamp: claim.stamp,
            claim: request.claim
        )
    }

    func open(_ sealed: [UInt8], _ purpose: String) -> ClaimedPush.Token {
        guard let token = try? vault.open(sealed, purpose: purpose) else { return .unreadable }
        return .known(token)
    }
}

/// Binds a sealed token to the place it was registered for.
package enum TokenPurpose {
    package static func start(_ device: DeviceID) -> String { "start\0\(device.value)" }
    package static func device(_ device: DeviceID) -> String { "device\0\(device.value)" }
    package static func update(_ order: OrderID, _ device: DeviceID) -> String {
        "update\0\(order.value)\0\(device.value)"
    }
}
