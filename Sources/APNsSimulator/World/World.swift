internal import Crypto
internal import Runtime

/// Everything the simulator simulates: Apple's servers, phones and what was seen.
///
/// A value that knows no socket and no clock; every input brings its time. `Simulator` connects it to the network.
struct World: Sendable {
    /// A place in the queue of calls, for phones that have something to tell.
    struct Caller: Hashable, Sendable {
        let phone: Int
        /// Calls of phones that were deleted since are void.
        let epoch: Int
    }

    struct CardPlace: Hashable, Sendable, Codable {
        let phone: Int
        let card: Int
    }

    /// A phone and an order that have had a card together.
    struct Pair: Sendable, Codable {
        let phone: Int
        let order: String
    }

    private(set) var apps: [SimulatorSettings.App]
    private(set) var rules: [PushEnvironment: RequestRules]
    let defaultPreset: Preset
    var knobs = Knobs()
    var keys: ProviderKeys
    var tokens = TokenStore()
    var channels = ChannelStore()
    var storage = OfflineStorage()
    var transit = Transit()
    var faults = FaultScript()
    var connections: [ConnectionKey: Connection] = [:]
    var lastConnection: UInt64 = 0
    /// The last ones that closed, oldest first.
    var closedConnections: [Connection] = []
    /// What listeners are to do to connections by themselves.
    var commands: [Command] = []
    /// When connections were opened lately, microseconds of the machine's clock.
    var recentConnections: [Int64] = []
    var phones: [Phone] = []
    var phoneIndex: [String: Int] = [:]
    var pairs: [Pair] = []
    var log: RequestLog
    var violations = ViolationLog()
    var totals = Totals()
    var generator: SplitMix64
    /// Started cards in order of their start, for the end of their eight hours.
    var lifetimes = Lifetimes()
    /// Phones that got a push last, newest first.
    var recent = RecentPhones()
    /// Cards whose phone keeps a push until there is budget for it.
    var deferring: Set<CardPlace> = []
    /// Phones that have something to tell and are not yet handed to the caller.
    var callers: [Caller] = []
    var epoch = 0
    /// How far the phones' clock has been turned forward, microseconds.
    var advanced: Int64 = 0
    /// How far APNs' clock is ahead of the machine's, microseconds.
    var skew: Int64 = 0
    /// When phones were last deleted, by the machine's clock: their tokens answer 410 since then.
    var deletedWall: Int64?
    /// The highest sequence that a deleted phone came to.
    var deletedSequence: Int64 = 0
    /// What every token of this world starts with.
    var tokenMark: String

    init(_ settings: SimulatorSettings, log: RequestLog = RequestLog()) {
        apps = settings.apps
        rules = Self.rules(for: settings.apps)
        defaultPreset = settings.preset
        keys = ProviderKeys(settings.keys)
        self.log = log
        generator = SplitMix64(seed: settings.seed)
        tokenMark = String(Hex.token(using: &generator).prefix(16))
    }

    /// Adds an app, or puts another in the place of the one with its id.
    mutating func register(_ app: SimulatorSettings.App) {
        if let index = apps.firstIndex(where: { $0.id == app.id }) {
            apps[index] = app
        } else {
            apps.append(app)
        }
        rules = Self.rules(for: apps)
    }

    private static func rules(for apps: [SimulatorSettings.App]) -> [PushEnvironment: RequestRules] {
        let bundleIDs = apps.map(\.bundleID)
        return Dictionary(
            uniqueKeysWithValues: PushEnvironment.allCases.map {
                ($0, RequestRules(bundleIDs: bundleIDs, environment: $0))
            }
        )
    }

    /// The types that the phone's build of the app knows.
    func schemas(of phone: Int) -> [ActivitySchema] {
        let all = apps[phones[phone].app].schemas
        guard all.count > 1 else { return all }
        let (build, named) = (phones[phone].build, phones[phone].attributesTypes)
        var known: [ActivitySchema] = []
        for schema in all where schema.isKnown(toBuild: build) && named?.contains(schema.attributesType) ?? true {
            // A newer form of a type takes the place of the older one.
            known.removeAll { $0.attributesType == schema.attributesType }
            known.append(schema)
        }
        return known
    }

    func conditions(of phone: Int) -> Phone.Conditions {
        Phone.Conditions(schemas: schemas(of: phone), knobs: knobs.phones)
    }

    /// The type of the card a push is for, or that it asks for; the app's oldest when there is no such.
    func schema(app: Int, _ payload: ActivityPayload?, _ recipient: Recipient? = nil) -> ActivitySchema? {
        let card = recipient.flatMap { to in to.card.map { phones[to.phone].cards[$0] } }
        let type = card?.attributesType ?? payload?.attributesType
        return apps[app].schemas.first { $0.attributesType == type } ?? apps[app].schemas.first
    }

    /// Queues a phone's calls to Doorstep.
    mutating func tell(_ calls: [AppCall], from phone: Int) {
        if phones[phone].calls.add(calls, isOnline: phones[phone].isOnline) {
            callers.append(Caller(phone: phone, epoch: epoch))
        }
    }

    /// The phones that have become ready to call since the last time.
    mutating func takeCallers() -> [Caller] {
        let taken = callers
        callers.removeAll(keepingCapacity: true)
        return taken
    }
}
