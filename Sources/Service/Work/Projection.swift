internal import Crypto
internal import PostgresStore
internal import Tracking

/// Folds one batch of a lane's facts in memory and gathers everything that one transaction must write.
struct Projection {
    /// A message in its row, with the app it belongs to.
    struct PendingRelay: Sendable {
        let key: RelayKey
        let app: Int32
        let relay: StoredRelay
    }

    /// An order of the batch: as it stood and as it stands.
    struct OrderWork: Sendable {
        let address: StreamAddress
        let before: LaneMemory.OrderEntry?
        var after: LaneMemory.OrderEntry
        var lastPos: Int64 = 0
        var lastAt: Int64 = 0
        /// Claims settled by outcomes of this batch.
        var settled: [CardKey: [UUID128]] = [:]
    }

    struct DeviceWork: Sendable {
        let address: StreamAddress
        let before: LaneMemory.DeviceEntry?
        var after: LaneMemory.DeviceEntry
        var lastAt: Int64 = 0
    }

    struct CustomerWork: Sendable {
        let address: StreamAddress
        let before: CustomerStream
        var after: CustomerStream
        var lastAt: Int64 = 0
    }

    let directory: Directory
    private(set) var orders: [UUID128: OrderWork] = [:]
    private(set) var devices: [UUID128: DeviceWork] = [:]
    private(set) var customers: [UUID128: CustomerWork] = [:]
    var tokens: [UUID128: TokenWork] = [:]
    private(set) var relays: [PendingRelay] = []
    private(set) var effects: [EffectRow] = []
    private(set) var parkings: [ParkedRow] = []
    private(set) var references: [OrderReference] = []

    init(directory: Directory) { self.directory = directory }

    // MARK: - Loading

    mutating func load(order address: StreamAddress, _ entry: LaneMemory.OrderEntry?) {
        let fresh = LaneMemory.OrderEntry(stream: OrderStream(id: OrderID(address.stream)))
        orders[address.key] = OrderWork(address: address, before: entry, after: entry ?? fresh)
    }

    mutating func load(device address: StreamAddress, _ entry: LaneMemory.DeviceEntry?) {
        let fresh = LaneMemory.DeviceEntry(stream: DeviceStream(id: DeviceID(address.stream)))
        devices[address.key] = DeviceWork(address: address, before: entry, after: entry ?? fresh)
    }

    mutating func load(customer address: StreamAddress, _ stream: CustomerStream?) {
        let stream = stream ?? CustomerStream(id: CustomerID(address.stream))
        customers[address.key] = CustomerWork(address: address, before: stream, after: stream)
    }

    // MARK: - Folding

    /// Reads a fact of an order's stream from its stored form.
    func orderFact(_ fact: LoggedFact) throws(FactError) -> OrderStreamFact {
        guard let source = directory.source(fact.source) else { throw FactError(.badValue, "source") }
        guard !source.isOwn else { return try ownFact(fact) }
        return .partner(try partnerFact(fact, source: source.name))
    }

    func isOfPartner(_ fact: LoggedFact) -> Bool { directory.source(fact.source).map { !$0.isOwn } ?? true }

    private func ownFact(_ fact: LoggedFact) throws(FactError) -> OrderStreamFact {
        try OrderFactCodec.fact(
            type: fact.type,
            body: fact.body,
            recordedAt: Instant(microseconds: fact.recordedAt)
        )
    }

    private func partnerFact(_ fact: LoggedFact, source: String) throws(FactError) -> PartnerFact {
        try PartnerFactCodec.fact(
            type: fact.type,
            source: source,
            id: fact.id,
            occurredAt: fact.occurredAt.map { Instant(microseconds: $0) },
            recordedAt: Instant(microseconds: fact.recordedAt),
            flags: fact.flags,
            body: fact.body
        )
    }

    /// The partner facts among a stream's facts, with those timers that the order's fold knows.
    func partnerFacts(_ facts: [LoggedFact]) throws(FactError) -> [PartnerFact] {
        var partner: [PartnerFact] = []
        for fact in facts {
            guard let source = directory.source(fact.source) else { continue }
            if !source.isOwn {
                partner.append(try partnerFact(fact, source: source.name))
            } else if fact.type == FactType.timerRang, case .timerRang(let timer) = try ownFact(fact),
                let expired = PartnerFact(timer)
            {
                partner.append(expired)
            }
        }
        return partner
    }

    /// Whether an order's fact folds onto its state as it stands.
    func accepts(_ key: UUID128, _ fact: OrderStreamFact) -> Bool {
        orders[key]?.after.stream.accepts(fact) ?? true
    }

    /// Folds a fact of an order; `history` holds all its partner facts where `accepts` said no.
    mutating func fold(
        order key: UUID128,
        _ logged: LoggedFact,
        _ fact: OrderStreamFact,
        history: [PartnerFact]?
    ) throws(FactError) {
        guard let before = orders[key] else { return }
        var (work, outcome) = handle(before, logged, fact, history: history)
        try keepToken(logged, fact, tokenGenerations(before.after.stream), in: &work)
        try settleClaim(logged, fact, in: &work)
        let isFirst = before.before == nil && before.lastPos == 0
        references += Self.references(fact, isFirst: isFirst, logged)
        orders[key] = work
        gather(outcome, for: logged)
    }

    private func handle(
        _ before: OrderWork,
        _ logged: LoggedFact,
        _ fact: OrderStreamFact,
        history: [PartnerFact]?
    ) -> (OrderWork, OrderStream.Outcome) {
        var work = before
        let outcome = work.after.stream.handle(
            fact,
            version: Int(logged.version),
            now: Instant(microseconds: logged.recordedAt),
            policy: policy(of: logged.app),
            partnerFacts: history
        )
        work.lastPos = logged.pos
        work.lastAt = logged.recordedAt
        return (work, outcome)
    }

    private func policy(of app: Int32) -> Policy { directory.app(app)?.policy ?? Policy() }

    /// What follows from a fact beside the state: messages to other streams, and the decisions to be kept.
    private mutating func gather(_ outcome: OrderStream.Outcome, for logged: LoggedFact) {
        add(outcome.relays, for: logged)
        guard !outcome.decisions.isEmpty else { return }
        effects.append(
            EffectRow(
                pos: logged.pos,
                policy: policy(of: logged.app).version,
                decidedAt: logged.recordedAt,
                items: DecisionCodec.items(outcome.decisions)
            )
        )
    }

    private func tokenGenerations(_ stream: OrderStream) -> [ActivityID: Int] {
        var generations: [ActivityID: Int] = [:]
        for activity in stream.activities {
            if let id = activity.activityID { generations[id] = activity.tokenGeneration }
        }
        return generations
    }

    /// A registration that took effect puts its sealed token into the card's row.
    private func keepToken(
        _ logged: LoggedFact,
        _ fact: OrderStreamFact,
        _ before: [ActivityID: Int],
        in work: inout OrderWork
    ) throws(FactError) {
        guard case .registered(let registration) = fact, registration.hasToken,
            let card = work.after.stream.activities.first(where: { $0.activityID == registration.activity }),
            card.tokenGeneration != before[registration.activity, default: 0],
            let sealed = try SealedTokenCodec.token(logged.body)
        else { return }
        work.after.tokens[cardKey(logged, card.device, card.incarnation)] = sealed
    }

    private func settleClaim(
        _ logged: LoggedFact,
        _ fact: OrderStreamFact,
        in work: inout OrderWork
    ) throws(FactError) {
        let card: CardKey
        switch fact {
        case .pushAccepted(let push): card = cardKey(logged, push.device, push.incarnation)
        case .pushRefused(let push): card = cardKey(logged, push.device, push.incarnation)
        case .pushLost(let push): card = cardKey(logged, push.device, push.incarnation)
        case .channelOpened, .channelClosed: card = cardKey(logged, Channel.device, Channel.incarnation)
        case .partner, .linked, .linkAnswered, .deviceAvailable, .deviceGone, .startGranted, .startRefused, .startFree,
            .farewellAtRisk, .asked, .scheduled, .registered, .reported, .cardsListed, .tokenLost, .startClaimed,
            .timerRang, .courierSeen, .commandRequested, .parked, .unparked, .other:
            return
        }
        guard let claim = UUID128(try PushFactCodec.claim(of: logged.body)) else {
            throw FactError(.badValue, "apnsId")
        }
        // A late answer to an earlier claim may come in one batch with the answer to the present one.
        work.settled[card, default: []].append(claim)
    }

    private func cardKey(_ logged: LoggedFact, _ device: DeviceID, _ incarnation: Int) -> CardKey {
        CardKey(app: logged.app, order: OrderID(logged.stream), device: device, incarnation: incarnation)
    }

    mutating func fold(device key: UUID128, _ logged: LoggedFact) throws(FactError) {
        guard var work = devices[key] else { return }
        let fact = try DeviceFactCodec.fact(type: logged.type, body: logged.body)
        let sequence = work.after.stream.sequence
        let relays = work.after.stream.handle(
            fact,
            version: Int(logged.version),
            now: Instant(microseconds: logged.recordedAt),
            policy: policy(of: logged.app)
        )
        if case .registered(let registration) = fact,
            registration.sequence == nil || work.after.stream.sequence != sequence
        {
            try keepTokens(of: registration, logged, in: &work)
        }
        if !work.after.stream.hasStartToken { work.after.token = nil }
        if !work.after.stream.hasDeviceToken { work.after.deviceToken = nil }
        work.lastAt = logged.recordedAt
        devices[key] = work
        add(relays, for: logged)
    }

    private func keepTokens(
        of registration: DeviceRegistration,
        _ logged: LoggedFact,
        in work: inout DeviceWork
    ) throws(FactError) {
        if registration.startToken == .replaced { work.after.token = try SealedTokenCodec.token(logged.body) }
        if registration.deviceToken == .replaced {
            work.after.deviceToken = try SealedTokenCodec.deviceToken(logged.body)
        }
    }

    mutating func fold(customer key: UUID128, _ logged: LoggedFact) throws(FactError) {
        guard var work = customers[key] else { return }
        guard let message = try CustomerFactCodec.message(type: logged.type, body: logged.body) else { return }
        let relays = work.after.handle(message)
        work.lastAt = logged.recordedAt
        customers[key] = work
        add(relays, for: logged)
    }

    mutating func add(_ added: [Relay], for logged: LoggedFact) {
        for (number, relay) in added.enumerated() {
            relays.append(
                PendingRelay(
                    key: RelayKey(pos: logged.pos, number: Int32(number)),
                    app: logged.app,
                    relay: RelayCodec.store(relay)
                )
            )
        }
    }

    /// A stream that cannot be folded rests from this fact on; the lane goes on. An order's cards are told from its last
    /// good state that nobody knows any more, and end at their deadline (rule 15).
    mutating func park(_ address: StreamAddress, at logged: LoggedFact, _ error: FactError) {
        if let work = orders[address.key] {
            let (rests, outcome) = handle(work, logged, .parked, history: nil)
            orders[address.key] = rests
            gather(outcome, for: logged)
        }
        parkings.append(
            ParkedRow(
                lane: logged.lane,
                app: address.app,
                kind: address.kind,
                stream: address.stream,
                fromVersion: logged.version,
                fromPos: logged.pos,
                since: logged.recordedAt,
                reason: error.code.rawValue,
                detail: error.member
            )
        )
    }
}
