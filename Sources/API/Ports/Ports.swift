package import Tracking

/// What the endpoints ask of the service behind them: each endpoint decodes, makes one of these calls, and encodes.
///
/// Every call may be refused for now (`Unavailable`); everything else that can happen is in its result. Times are
/// microseconds since 1970 UTC. The app a call concerns is `caller.app`.
package struct Ports: Sendable {
    package var access: any AccessPort
    package var ingest: any IngestPort
    package var orders: any OrdersPort
    package var feed: any FeedPort
    package var devices: any DevicesPort
    package var activities: any ActivitiesPort
    package var commands: any CommandsPort
    package var operations: any OperationsPort

    package init(
        access: any AccessPort,
        ingest: any IngestPort,
        orders: any OrdersPort,
        feed: any FeedPort,
        devices: any DevicesPort,
        activities: any ActivitiesPort,
        commands: any CommandsPort,
        operations: any OperationsPort
    ) {
        self.access = access
        self.ingest = ingest
        self.orders = orders
        self.feed = feed
        self.devices = devices
        self.activities = activities
        self.commands = commands
        self.operations = operations
    }
}

/// Keys and sources: read on every request, so answered from memory in the normal case.
package protocol AccessPort: Sendable {
    /// The key with this id; nil when there is none or it was revoked.
    func key(id: String) async throws(Unavailable) -> AccessKey?

    /// Who brings this token of an app's own sign-in; `app` where the request names one, `now` in microseconds.
    func customer(bearing token: String, app: String?, at now: Int64) async -> CustomerTokens.Verdict

    /// The settings of an event source of an app; nil when events from it are not taken.
    func source(named name: String, app: String) async throws(Unavailable) -> SourceSettings?

    /// Who may sign for a source of this name: in this app or, nil, in any.
    func signers(of source: String, app: String?) async throws(Unavailable) -> [Signer]

    /// The sources of this name, in this app or, nil, in any, that take a platform's webhooks.
    func hooks(of source: String, app: String?) async throws(Unavailable) -> [Hook]
}

package protocol IngestPort: Sendable {
    /// Appends events, of one request and one app, and returns when all are committed or refused: one outcome per
    /// event, in the same order. At least one event, at most 1,000.
    func append(_ events: [IngestEvent], caller: Caller) async -> [IngestOutcome]
}

package protocol OrdersPort: Sendable {
    /// nil: nothing is known of this order in the caller's app. With `settlement` the answer waits until the order has
    /// settled so far, or that long.
    func order(
        _ order: OrderID,
        awaiting settlement: Settlement?,
        caller: Caller
    ) async throws(Unavailable) -> OrderView?

    /// What a customer has in an order; nil when it is none of theirs, or unknown.
    func standing(
        of customer: CustomerID,
        in order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CustomerStanding?

    /// Orders by a number or a filter; a slice may have fewer than were asked for, even none, and yet a `next`.
    func search(_ search: OrderSearch, page: Page, caller: Caller) async throws(Unavailable) -> Slice<OrderSummary>

    /// Streams that rest, and events that wait for staff.
    func parked(page: Page, caller: Caller) async throws(Unavailable) -> Slice<ParkedEntry>
    func quarantined(page: Page, caller: Caller) async throws(Unavailable) -> Slice<QuarantinedEntry>

    /// The partner facts in fold order, each with its effect in the final fold; nil as above.
    func facts(of order: OrderID, page: Page, caller: Caller) async throws(Unavailable) -> Slice<FactEntry>?

    /// Every fact of the order in the order of the log with what was decided when it was folded; nil as above.
    func timeline(of order: OrderID, page: Page, caller: Caller) async throws(Unavailable) -> Slice<TimelineEntry>?

    /// The order with all that was decided about it up to `time` (nil: now), and with `redecide` what today's policy would
    /// decide; nil as above, and where nothing was known by then.
    func explanation(
        of order: OrderID,
        until time: Int64?,
        redecide: Bool,
        caller: Caller
    ) async throws(Unavailable) -> ExplanationView?

    /// Appends that this customer receives this order; returns after commit. A repeat is no new fact.
    func link(_ order: OrderID, to customer: CustomerID, caller: Caller) async throws(Unavailable)
}

package protocol DevicesPort: Sendable {
    /// nil: nothing of it was folded yet. With `wait` the answer waits until its customer knows of it, or that long.
    func device(
        _ device: DeviceID,
        awaitingLink wait: Duration?,
        caller: Caller
    ) async throws(Unavailable) -> DeviceView?

    /// The devices that a customer is signed in on, as far as they are folded.
    func devices(of customer: CustomerID, caller: Caller) async throws(Unavailable) -> Set<DeviceID>

    /// Appends what the device says of itself, unless it is unchanged; returns after commit.
    func register(
        _ device: DeviceID,
        _ registration: DeviceUpdate,
        caller: Caller
    ) async throws(Unavailable)
        -> RegistrationOutcome

    /// Logout: the device has no owner and no tokens any more. Unknown devices are none either.
    func remove(_ device: DeviceID, caller: Caller) async throws(Unavailable)

    /// Takes the app's list of running cards and answers what the app should do about them.
    func running(_ device: DeviceID, _ list: RunningList, caller: Caller) async throws(Unavailable) -> RunningAnswer
}

package protocol ActivitiesPort: Sendable {
    /// The app asks whether to start a card itself; `start` holds back the push start for 30 s.
    func ask(_ order: OrderID, _ question: StartQuestion, caller: Caller) async throws(Unavailable) -> StartVerdict

    /// Appends a card's update token; returns after commit.
    func register(
        _ activity: ActivityID,
        of order: OrderID,
        _ registration: ActivityRegistration,
        caller: Caller
    ) async throws(Unavailable) -> CardOutcome

    /// Appends what the app says of a card's state; returns after commit.
    func report(
        _ activity: ActivityID,
        of order: OrderID,
        _ report: ActivityReport,
        caller: Caller
    ) async throws(Unavailable)
}

package protocol CommandsPort: Sendable {
    /// Appends a customer's request, which the partner confirms or denies; returns after commit.
    func request(
        _ command: CommandRequest,
        on order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CommandOutcome
}

package protocol OperationsPort: Sendable {
    /// Whether this process can serve: database reachable, schema current.
    func readiness() async -> ServiceReadiness

    /// All metrics in Prometheus' text format.
    func metrics() async -> String
}
