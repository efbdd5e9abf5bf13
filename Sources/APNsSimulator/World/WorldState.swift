private import Runtime

/// What a simulator that is started again goes on with. Requests, violations, faults and connections belong to one run.
struct WorldState: Codable, Sendable {
    let apps: [SimulatorSettings.App]
    let knobs: Knobs
    let keys: ProviderKeys
    let tokens: TokenStore
    let tokenMark: String
    let channels: ChannelStore
    let storage: OfflineStorage
    let transit: Transit
    let phones: [Phone]
    let pairs: [World.Pair]
    /// The number of the last request.
    let lastSequence: Int
    let totals: Totals
    /// What the next generator is made from.
    let seed: UInt64
    let lifetimes: Lifetimes
    let recent: RecentPhones
    let deferring: Set<World.CardPlace>
    let advanced: Int64
    let skew: Int64
    let deletedWall: Int64?
    let deletedSequence: Int64

    init(_ world: World) {
        apps = world.apps
        knobs = world.knobs
        keys = world.keys
        tokens = world.tokens
        tokenMark = world.tokenMark
        channels = world.channels
        storage = world.storage
        transit = world.transit
        // Of requests that are gone nobody needs the numbers.
        phones = world.phones.map { phone in
            var phone = phone
            phone.requests = []
            return phone
        }
        pairs = world.pairs
        lastSequence = world.log.lastSequence
        totals = world.totals
        var generator = world.generator
        seed = generator.next()
        lifetimes = world.lifetimes
        recent = world.recent
        deferring = world.deferring
        advanced = world.advanced
        skew = world.skew
        deletedWall = world.deletedWall
        deletedSequence = world.deletedSequence
    }
}

extension World {
    /// A world that goes on at `wall`, microseconds of the machine's clock, where another one stopped. Apps and keys of
    /// the settings are added, or take the place of those of their id.
    init(_ settings: SimulatorSettings, state: WorldState, atWall wall: Int64) {
        var settings = settings
        let configured = settings.apps
        settings.apps = state.apps.map { old in configured.first { $0.id == old.id } ?? old }
        settings.apps += configured.filter { new in !state.apps.contains { $0.id == new.id } }
        self.init(settings, log: RequestLog(after: state.lastSequence))
        knobs = state.knobs
        keys = ProviderKeys(settings.keys, before: state.keys)
        tokens = state.tokens
        tokenMark = state.tokenMark
        channels = state.channels
        storage = state.storage
        transit = state.transit
        phones = state.phones
        phoneIndex = Dictionary(uniqueKeysWithValues: phones.indices.map { (phones[$0].id, $0) })
        pairs = state.pairs
        totals = state.totals
        // Their requests are forgotten, so nothing would count them back when they arrive.
        for verdict in [Verdict.underWay, .stored, .deferred] { totals.verdicts[verdict] = nil }
        // Not the old generator itself: what was handed out after the state was last written must not come again.
        generator = SplitMix64(seed: settings.seed ^ state.seed)
        lifetimes = state.lifetimes
        recent = state.recent
        deferring = state.deferring
        advanced = state.advanced
        skew = state.skew
        deletedWall = state.deletedWall
        deletedSequence = state.deletedSequence
        for phone in phones.indices {
            phones[phone].resume(atWall: wall)
            tell([], from: phone)
        }
    }
}
