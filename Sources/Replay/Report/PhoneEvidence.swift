internal import JSONText

/// What the simulator saw of the phones of a plan.
struct PhoneEvidence: Sendable {
    private(set) var pushes: [PhonePlan.Pair: [PushRecord]] = [:]
    private(set) var cards: [PhonePlan.Pair: PairCards] = [:]
    /// Pushes to these phones that belong to no order: what no phone could read or show.
    private(set) var strays: [PushRecord] = []

    /// A phone comes with all its cards.
    private static let phonesAPage = 500

    init() {}

    /// Throws when phones of the plan are gone: then what is left would look as if Doorstep had sent them nothing.
    init(of plan: PhonePlan, from simulator: SimulatorClient) async throws(ReplayError) {
        let phones = Set(plan.phones.map(\.id))
        var (pushes, strays, cards) = (self.pushes, self.strays, self.cards)
        try await simulator.each("requests") { item in
            guard let push = PushRecord(item), phones.contains(push.phone) else { return }
            if let order = push.order {
                pushes[PhonePlan.Pair(phone: push.phone, order: order), default: []].append(push)
            } else {
                strays.append(push)
            }
        }
        try await simulator.each("summary") { item in
            guard let pair = PairCards(item), phones.contains(pair.pair.phone) else { return }
            cards[pair.pair] = pair
        }
        // Last, so that phones which go while the rest is read are missed too.
        var gone = phones
        try await simulator.each("phones", limit: Self.phonesAPage) { item in
            if let id = item["id"]?.stringValue { gone.remove(id) }
        }
        guard gone.isEmpty else { throw Self.forgot(gone.count, of: phones.count) }
        (self.pushes, self.strays, self.cards) = (pushes, strays, cards)
    }
    private static func forgot(_ count: Int, of all: Int) -> ReplayError {
        ReplayError(
            .unreachable,
            """
            the simulated APNs restarted, or its phones were deleted, during the replay: it forgot \(count) of \(all) \
            phones, so the phones' figures say nothing; run the replay again, with other orders or an empty database
            """
        )
    }
}
