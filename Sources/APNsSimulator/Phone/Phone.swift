/// A virtual iPhone with one app: what ActivityKit, the system switches and the app itself keep.
///
/// A value without sockets or clocks. Whatever happens comes in as a call with the time; what the app wants to tell its
/// server comes out as `AppCall`s.
struct Phone: Sendable, Codable {
    /// A token and when the app was handed it, by the machine's clock.
    struct SeenToken: Sendable, Codable {
        var value: String
        var observedWall: Int64
        /// The only type that it starts; nil: every type of the app.
        var attributesType: String?
    }

    let id: String
    /// Index of the app in the settings.
    let app: Int
    let environment: PushEnvironment
    /// The system's version, such as "26.0".
    let os: String
    let preset: Preset
    /// The app's `CFBundleVersion`.
    let build: String
    /// The types that it knows, the one it registers with first; nil: all that its build knows.
    let attributesTypes: [String]?
    let locale: String
    let timeZone: String
    /// The one that the app registers with. Systems before 17.2 hand it to nobody.
    var startToken: SeenToken
    /// Those of the app's other types, where each has its own.
    var otherStartTokens: [SeenToken] = []
    var deviceToken: String

    /// Nil while nobody is logged in.
    var customer: String?
    var application: AppState
    /// The system has woken the app until then, microseconds of the phones' clock.
    var awakeUntil: Int64 = 0
    var isOnline = true
    var isInstalled = true
    var activitiesEnabled = true
    var frequentPushes = false
    /// The person's leave for ordinary notifications.
    var allowsNotifications = true
    var prompt: Prompt
    /// APNs answers 200 and nothing ever starts (contract 26).
    var isSilentlyDead = false
    var cards: [Card] = []
    /// Pushes that wait for budget, by the index of their card (contract 41).
    var deferred: [Int: Push] = [:]
    /// When cards were started by push, newest last; kept as far back as the budget looks.
    var recentStarts: [Int64] = []
    /// Ordinary notifications that came, and the alerts among them that are on the screen.
    var notifications = 0
    var alerts: [PhoneAlert] = []
    var log = PhoneLog()
    /// Numbers of the requests addressed to this phone, in the request log.
    var requests: [Int] = []
    /// Grows with everything the app tells, so that its server can order it.
    private(set) var sequence: Int64
    var calls = PendingCalls()

    /// The sequence goes on from the machine's clock in milliseconds, which no phone's clock that was turned forward
    /// moves, and never from less than `floor`: a phone made again counts higher than in its former life.
    init(_ order: PhoneOrder, startToken: SeenToken, deviceToken: String, above floor: Int64, now: Moment) {
        id = order.id
        app = order.app
        environment = order.environment
        os = order.os
        preset = order.preset
        build = order.build
        attributesTypes = order.attributesTypes
        locale = order.locale
        timeZone = order.timeZone
        self.startToken = startToken
        self.deviceToken = deviceToken
        customer = order.customer
        application = PhoneRules.initialState(order.preset)
        prompt = order.prompt
        sequence = max(now.wall / 1000, floor)
    }

    var system: SystemVersion { SystemVersion(os) }

    var startTokens: [SeenToken] { [startToken] + otherStartTokens }

    /// Whether the app has a start token at all.
    var startsByPush: Bool { system >= .pushToStart }

    /// Whether the app could show a card: the person's switch, on a system that has it.
    var mayShowCards: Bool { activitiesEnabled && system >= .liveActivities }

    /// Whether the app runs, by itself or because the system has woken it.
    func isRunning(at now: Moment) -> Bool { application.isRunning || now.phone < awakeUntil }

    /// The simulator was started again, and may have forgotten the last messages: the sequence is that of a phone made now.
    mutating func resume(atWall now: Int64) { sequence = max(sequence, now / 1000) }

    mutating func nextSequence() -> Int64 {
        sequence += 1
        return sequence
    }
}
