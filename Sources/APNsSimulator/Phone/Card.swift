internal import Crypto
private import JSONText

/// One Live Activity on a Lock Screen. All times are microseconds of the phone's own clock.
struct Card: Sendable, Codable {
    /// Apple: eight hours active, then at most four more on the Lock Screen.
    static let activeLife: Int64 = 8 * 3600 * 1_000_000
    static let afterlife: Int64 = 4 * 3600 * 1_000_000
    /// Static and dynamic data of one activity together (contract 3.3).
    static let sizeLimit = 4096

    enum State: String, Sendable {
        /// Left by its stale date, an end or a swipe.
        case active
        /// Left by an update with a later stale date, an end or a swipe.
        case stale
        /// Still visible; left when its dismissal date comes.
        case ended
        /// Gone from the screen; final.
        case dismissed
    }

    /// What ended a card.
    enum Cause: Sendable, Codable {
        case push
        case lifetime
        case swipe
        case app
        /// A switch in Settings, or Don't Allow.
        case system

        var word: String {
            switch self {
            case .push: "push"
            case .lifetime: "lifetime"
            case .swipe: "swipe"
            case .app: "app"
            case .system: "system"
            }
        }
    }

    struct Ending: Sendable, Codable {
        let at: Int64
        var dismissAt: Int64
        let cause: Cause
    }

    struct Content: Sendable, Codable {
        /// The `content-state` as JSON text.
        var bytes: [UInt8]
        var phase: String?
        var revision: Int64?
    }

    /// What APNs accepted for this card, applied or not.
    struct Ledger: Sendable, Codable {
        var newestTimestamp: Int64
        var endAccepted = false
    }

    let activity: UUID128
    /// Which of the app's types it is of.
    let attributesType: String
    let order: String
    let incarnation: Int64?
    /// The `attributes` as JSON text.
    let attributes: [UInt8]
    let startedAt: Int64
    /// When it started by the machine's clock, for what the app tells its server.
    let startedWall: Int64
    /// Whether the person was asked and allowed it, or need not be asked.
    var isPromptAllowed: Bool
    /// Of no use to a card that listens to a channel: APNs never hears of it.
    var updateToken: String
    /// Index of the channel that the card listens to.
    let channel: Int?
    /// The number of the last broadcast it was given.
    var newestBroadcast = 0
    /// Whether the app was awake to see the token, or has looked since.
    var isTokenKnown: Bool
    var tokenSeenWall: Int64
    /// Of two cards the more relevant one is attached to the Dynamic Island.
    var relevance: Double
    /// What its last alerting push said.
    var alert: PhoneAlert?
    var urgentBudget = UrgentBudget()
    private(set) var content: Content
    private(set) var staleAt: Int64?
    private(set) var newestTimestamp: Int64
    private var recordedEnding: Ending?
    var ledger: Ledger
    /// The app tells of a card's first terminal state only, once.
    var isEndReported = false

    init(
        activity: UUID128,
        schema: ActivitySchema,
        attributes: [UInt8],
        content: Content,
        payload: ActivityPayload,
        updateToken: String,
        channel: Int?,
        isPromptAllowed: Bool,
        now: Moment
    ) {
        self.activity = activity
        attributesType = schema.attributesType
        order = payload.attributes?[schema.orderKey]?.stringValue ?? ""
        incarnation = payload.attributes?[schema.incarnationKey]?.int64Value
        self.attributes = attributes
        self.content = content
        staleAt = payload.staleAt
        relevance = payload.relevance
        alert = PhoneAlert(payload.alert, at: now.phone)
        self.updateToken = updateToken
        self.channel = channel
        self.isPromptAllowed = isPromptAllowed
        startedAt = now.phone
        startedWall = now.wall
        tokenSeenWall = now.wall
        isTokenKnown = false
        newestTimestamp = payload.timestamp
        ledger = Ledger(newestTimestamp: payload.timestamp)
    }

    /// How and when the card ended, if it has by `now`; eight hours end it without anybody's doing (contract 45).
    func ending(at now: Int64) -> Ending? {
        if let recordedEnding { return recordedEnding }
        let limit = startedAt + Self.activeLife
        return now >= limit ? Ending(at: limit, dismissAt: limit + Self.afterlife, cause: .lifetime) : nil
    }

    func state(at now: Int64) -> State {
        if let ending = ending(at: now) { return now >= ending.dismissAt ? .dismissed : .ended }
        if let staleAt, now >= staleAt { return .stale }
        return .active
    }

    /// The part of the rules that `update` and `end` share (contract 36, 38, 44).
    func obstacle(to payload: ActivityPayload, _ knobs: Knobs.Phones, at now: Int64) -> Verdict? {
        if !isPromptAllowed { return .promptIgnored }
        if ending(at: now) != nil { return .cardOver }
        let isOld = knobs.appliesTies ? payload.timestamp < newestTimestamp : payload.timestamp <= newestTimestamp
        if isOld, !(knobs.endIgnoresTimestamp && payload.event == .end) { return .olderTimestamp }
        if let ahead = knobs.timestampAhead, payload.timestamp > (now + ahead) / 1_000_000 {
            return .timestampTooFarAhead
        }
        return nil
    }

    /// Shows new content; an update without a stale date has none (contract 43).
    mutating func update(_ content: Content, _ payload: ActivityPayload, at now: Int64) {
        self.content = content
        staleAt = payload.staleAt
        relevance = payload.relevance
        take(payload, at: now)
    }

    /// Ends by push: a dismissal date in the past removes at once, none after four hours, a later one no later than
    /// that (contract 44).
    mutating func end(_ content: Content?, _ payload: ActivityPayload, at now: Int64) {
        if let content { self.content = content }
        take(payload, at: now)
        let latest = now + Self.afterlife
        recordedEnding = Ending(at: now, dismissAt: max(now, min(payload.dismissAt ?? latest, latest)), cause: .push)
    }

    private mutating func take(_ payload: ActivityPayload, at now: Int64) {
        newestTimestamp = max(newestTimestamp, payload.timestamp)
        if let alert = payload.alert { self.alert = PhoneAlert(alert, at: now) }
    }

    /// Takes the card off the screen: a swipe, the app itself, or the system's switch. A card that had ended keeps the
    /// time and the cause of its end.
    mutating func remove(_ cause: Cause, at now: Int64) {
        var ending = ending(at: now) ?? Ending(at: now, dismissAt: now, cause: cause)
        ending.dismissAt = min(ending.dismissAt, now)
        recordedEnding = ending
    }
}

/// One instant on two clocks: the machine's, and the phones', which tests may advance. Microseconds since 1970.
package struct Moment: Hashable, Sendable {
    package var wall: Int64
    package var phone: Int64

    package init(wall: Int64, phone: Int64) {
        self.wall = wall
        self.phone = phone
    }

    var phoneSeconds: Int64 { phone / 1_000_000 }
}
