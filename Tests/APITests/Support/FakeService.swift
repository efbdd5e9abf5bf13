import API
import Runtime
import Tracking

/// A service behind the ports that keeps everything in memory and remembers what it was asked.
final class FakeService: Sendable {
    struct State {
        var keys: [String: AccessKey] = [:]
        var sources: [String: SourceSettings] = ["kitchen": SourceSettings()]
        /// Sources that are taken without configuration.
        var platforms: Set<String> = ["shipday", "uber-direct"]
        var log: [IngestEvent] = []
        /// Overrules what the log would answer.
        var outcome: IngestOutcome?
        /// Refuses every other call.
        var unavailable: Unavailable?
        var orders: [String: OrderView] = [:]
        var facts: [FactEntry] = []
        /// What lists of orders have, whatever is asked.
        var summaries: [OrderSummary] = []
        var searched: [OrderSearch] = []
        var parked: [ParkedEntry] = []
        var quarantined: [QuarantinedEntry] = []
        var timeline: [TimelineEntry] = []
        /// What the feed has, all in one lane; readers of another epoch are lost.
        var feed: [FeedItem] = []
        var feedWaits: [Duration] = []
        var explanation: ExplanationView?
        var explained: (until: Int64?, redecide: Bool)?
        var links: [String] = []
        var registrations: [String: DeviceUpdate] = [:]
        var awaited: Settlement?
        var linkWait: Duration?
        var removed: [String] = []
        var running: [RunningList] = []
        var questions: [StartQuestion] = []
        var activities: [String: ActivityRegistration] = [:]
        var reports: [ActivityReport] = []
        var commands: [CommandRequest] = []
        var commandOutcome = CommandOutcome.requested
        var deadToken: String?
        var isReady = true
        /// Who has which order, as `app|order`.
        var standings: [String: [CustomerID: CustomerStanding]] = [:]
    }

    let state = Locked(State())
    let tokens = CustomerTokens()

    func check() throws(Unavailable) {
        if let refusal = state.withLock({ $0.unavailable }) { throw refusal }
    }

    var ports: Ports {
        Ports(
            access: self,
            ingest: self,
            orders: self,
            feed: self,
            devices: self,
            activities: self,
            commands: self,
            operations: self
        )
    }
}

extension FakeService: AccessPort {
    func key(id: String) async throws(Unavailable) -> AccessKey? { state.withLock { $0.keys[id] } }

    func customer(bearing token: String, app: String?, at now: Int64) async -> CustomerTokens.Verdict {
        await tokens.judge(token, app: app, at: now) { _ in }
    }

    func source(named name: String, app: String) async throws(Unavailable) -> SourceSettings? {
        state.withLock { $0.sources[name] ?? ($0.platforms.contains(name) ? SourceSettings() : nil) }
    }

    func signers(of source: String, app: String?) async throws(Unavailable) -> [Signer] {
        try check()
        let secrets = state.withLock { $0.sources[source]?.secrets ?? [] }
        return secrets.isEmpty || app ?? "demo" != "demo" ? [] : [Signer(app: "demo", secrets: secrets)]
    }

    func hooks(of source: String, app: String?) async throws(Unavailable) -> [Hook] {
        try check()
        guard app ?? "demo" == "demo", let settings = state.withLock({ $0.sources[source] }) else { return [] }
        return Hook(app: "demo", settings).map { [$0] } ?? []
    }
}

extension FakeService: IngestPort {
    func append(_ events: [IngestEvent], caller: Caller) async -> [IngestOutcome] {
        state.withLock { state in events.map { state.append($0) } }
    }
}

extension FakeService.State {
    fileprivate mutating func append(_ event: IngestEvent) -> IngestOutcome {
        if let outcome { return outcome }
        let first = log.firstIndex {
            $0.app == event.app && $0.source == event.source && $0.id == event.id && $0.subject == event.subject
        }
        if let first {
            let receipt = Receipt(lane: 0, pos: Int64(first + 1), version: first + 1)
            return log[first].fingerprint == event.fingerprint ? .duplicate(receipt) : .idReused
        }
        let revision = log.count { $0.subject == event.subject }
        if let expected = event.expectedRevision, expected != revision { return .revisionConflict(revision: revision) }
        log.append(event)
        return .accepted(Receipt(lane: 0, pos: Int64(log.count), version: log.count))
    }
}

extension FakeService: OrdersPort {
    func order(
        _ order: OrderID,
        awaiting settlement: Settlement?,
        caller: Caller
    ) async throws(Unavailable) -> OrderView? {
        try check()
        state.withLock { $0.awaited = settlement }
        return state.withLock { $0.orders["\(caller.app)|\(order.value)"] }
    }

    func standing(
        of customer: CustomerID,
        in order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CustomerStanding? {
        try check()
        return state.withLock { $0.standings["\(caller.app)|\(order.value)"]?[customer] }
    }

    func search(_ search: OrderSearch, page: Page, caller: Caller) async throws(Unavailable) -> Slice<OrderSummary> {
        try check()
        state.withLock { $0.searched.append(search) }
        return Self.slice(state.withLock { $0.summaries }, page)
    }

    func parked(page: Page, caller: Caller) async throws(Unavailable) -> Slice<ParkedEntry> {
        try check()
        return Self.slice(state.withLock { $0.parked }, page)
    }

    func quarantined(page: Page, caller: Caller) async throws(Unavailable) -> Slice<QuarantinedEntry> {
        try check()
        return Self.slice(state.withLock { $0.quarantined }, page)
    }

    func facts(of order: OrderID, page: Page, caller: Caller) async throws(Unavailable) -> Slice<FactEntry>? {
        try check()
        return state.withLock { $0.facts.isEmpty ? nil : Self.slice($0.facts, page) }
    }

    func timeline(of order: OrderID, page: Page, caller: Caller) async throws(Unavailable) -> Slice<TimelineEntry>? {
        try check()
        return state.withLock { $0.timeline.isEmpty ? nil : Self.slice($0.timeline, page) }
    }

    func explanation(
        of order: OrderID,
        until time: Int64?,
        redecide: Bool,
        caller: Caller
    ) async throws(Unavailable) -> ExplanationView? {
        try check()
        state.withLock { $0.explained = (time, redecide) }
        return state.withLock { $0.explanation }
    }

    func link(_ order: OrderID, to customer: CustomerID, caller: Caller) async throws(Unavailable) {
        try check()
        state.withLock { $0.links.append("\(order.value) → \(customer.value)") }
    }

    private static func slice<Item>(_ items: [Item], _ page: Page) -> Slice<Item> {
        let start = page.after.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        let end = min(items.count, start + page.limit)
        return Slice(items: Array(items[start..<end]), next: end < items.count ? Array(String(end).utf8) : nil)
    }
}

extension FakeService: DevicesPort {
    func devices(of customer: CustomerID, caller: Caller) async throws(Unavailable) -> Set<DeviceID> {
        try check()
        return state.withLock { state in
            Set(state.registrations.filter { $0.value.customer == .known(customer) }.map { DeviceID($0.key) })
        }
    }

    func device(
        _ device: DeviceID,
        awaitingLink wait: Duration?,
        caller: Caller
    ) async throws(Unavailable) -> DeviceView? {
        try check()
        return state.withLock { state in
            state.linkWait = wait
            guard let known = state.registrations[device.value] else { return nil }
            var customer: CustomerID?
            if case .known(let id) = known.customer { customer = id }
            return DeviceView(
                device: device,
                customer: customer,
                isLinked: true,
                hasStartToken: known.pushToStartToken != .absent,
                hasDeviceToken: known.deviceToken != .absent,
                settings: DeviceSettings(),
                places: 2
            )
        }
    }

    func register(
        _ device: DeviceID,
        _ registration: DeviceUpdate,
        caller: Caller
    ) async throws(Unavailable)
        -> RegistrationOutcome
    {
        try check()
        return state.withLock { state in
            if case .known(let token) = registration.pushToStartToken, token == state.deadToken { return .dead }
            state.registrations[device.value] = registration
            return .accepted
        }
    }

    func remove(_ device: DeviceID, caller: Caller) async throws(Unavailable) {
        try check()
        state.withLock { $0.removed.append(device.value) }
    }

    func running(_ device: DeviceID, _ list: RunningList, caller: Caller) async throws(Unavailable) -> RunningAnswer {
        try check()
        state.withLock { $0.running.append(list) }
        return RunningAnswer(
            end: [ActivityID("a-1")],
            orders: [.init(order: OrderID("o-1"), phase: .onTheWay, revision: 3)]
        )
    }
}

extension FakeService: ActivitiesPort {
    func ask(_ order: OrderID, _ question: StartQuestion, caller: Caller) async throws(Unavailable) -> StartVerdict {
        try check()
        state.withLock { $0.questions.append(question) }
        return StartVerdict(verdict: .adopt, reason: "cardExists", incarnation: 1, activity: ActivityID("a-1"))
    }

    func register(
        _ activity: ActivityID,
        of order: OrderID,
        _ registration: ActivityRegistration,
        caller: Caller
    ) async throws(Unavailable) -> CardOutcome {
        try check()
        return state.withLock { state in
            if registration.updateToken == state.deadToken, state.deadToken != nil { return .dead }
            let known = state.activities["\(order.value)/\(activity.value)"]
            if let known, known.device != registration.device { return .ofOtherDevice }
            state.activities["\(order.value)/\(activity.value)"] = registration
            return .accepted(incarnation: registration.incarnation ?? 1)
        }
    }

    func report(
        _ activity: ActivityID,
        of order: OrderID,
        _ report: ActivityReport,
        caller: Caller
    ) async throws(Unavailable) {
        try check()
        state.withLock { $0.reports.append(report) }
    }
}

extension FakeService: CommandsPort {
    func request(
        _ command: CommandRequest,
        on order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CommandOutcome {
        try check()
        return state.withLock { state in
            state.commands.append(command)
            return state.commandOutcome
        }
    }
}

extension FakeService: OperationsPort {
    func readiness() async -> ServiceReadiness {
        ServiceReadiness(checks: [.init(name: "database", isWell: state.withLock { $0.isReady })])
    }

    func metrics() async -> String { "# HELP up Whether.\n" }
}
