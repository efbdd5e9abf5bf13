private import HTTPClient
package import Runtime

/// Sends recorded events to Doorstep as their senders would have, and checks what the phones showed: `doorstep replay`.
package struct Replay: Sendable {
    /// Whom to talk to. The keys are secrets.
    package struct Endpoints: Sendable {
        package var doorstep: String
        /// Role ingest.
        package var ingestKey: String
        /// Role support or supervisor.
        package var supportKey: String
        /// The simulator's control API; nil when there are no phones.
        package var simulator: String?

        package init(doorstep: String, ingestKey: String, supportKey: String, simulator: String?) {
            self.doorstep = doorstep
            self.ingestKey = ingestKey
            self.supportKey = supportKey
            self.simulator = simulator
        }
    }

    private let settings: ReplaySettings
    private let endpoints: Endpoints
    private let loop: EventLoop
    private let progress: @Sendable (ReplayProgress) -> Void
    private let notice: @Sendable (String) -> Void

    /// `progress` is called often; `notice` with a sentence that the person should see.
    package init(
        _ settings: ReplaySettings,
        endpoints: Endpoints,
        loop: EventLoop,
        progress: @escaping @Sendable (ReplayProgress) -> Void,
        notice: @escaping @Sendable (String) -> Void
    ) {
        self.settings = settings
        self.endpoints = endpoints
        self.loop = loop
        self.progress = progress
        self.notice = notice
    }

    /// Replays, waits, checks. Throws when it cannot go on; a report with mistakes is no error.
    package func run() async throws(ReplayError) -> ReplayReport {
        let input = try readInput()
        let recording = Recording(input.events, settings: settings)
        let plan = PhonePlan(recording, phones: settings.phones, app: input.app)
        let doorstep = DoorstepClient(endpoints, app: input.app, loop: loop)
        let simulator = plan.phones.isEmpty ? nil : try simulatorClient()
        try await doorstep.check()
        if let simulator {
            let setup = PhoneSetup(simulator: simulator, doorstep: doorstep, loop: loop, progress: progress)
            try await setup.run(plan, app: input.app)
        }
        let start = MonotonicTime.now
        let poster = EventPoster(client: doorstep, recording: recording, loop: loop)
        let standing = OrderStanding(client: doorstep, loop: loop)
        let (tally, open) = try await send(poster, standing)
        var report = ReplayReport()
        report.elapsed = MonotonicTime.now - start
        let settling = Settling(standing: standing, recording: recording, progress: progress)
        report.unsettled = try await settling.run(open, versions: tally.versions, limit: settings.settle)
        let evidence = if let simulator { try await PhoneEvidence(of: plan, from: simulator) } else { PhoneEvidence() }
        let inspection = Inspection(
            doorstep: doorstep,
            recording: recording,
            plan: plan,
            kept: tally.kept,
            evidence: evidence,
            exports: settings.export != nil,
            progress: progress
        )
        let (findings, lines) = try await inspection.run()
        if let path = settings.export { try ExportFile.write(lines, of: recording, to: path) }
        report.take(recording, tally)
        report.take(findings, evidence, hasPhones: settings.phones != .perOrder(0))
        return report
    }

    /// The answers, and the orders that have still to settle.
    private func send(
        _ poster: EventPoster,
        _ standing: OrderStanding
    ) async throws(ReplayError) -> (PostTally, [Int]) {
        switch settings.pace {
        case .settled:
            let run = SettledRun(poster: poster, standing: standing, settings: settings, progress: progress)
            let (tally, unsettled) = try await run.run()
            return (tally, unsettled.sorted())
        case .fastest: return all(try await FastestRun(poster: poster, progress: progress).run())
        case .rate(let rate): return all(try await PacedRun.rate(rate, poster, progress).run())
        case .times(let times): return all(try await PacedRun.times(times, poster, progress).run())
        }
    }

    private func all(_ tally: PostTally) -> (PostTally, [Int]) { (tally, Array(tally.versions.indices)) }

    private func readInput() throws(ReplayError) -> (events: [FileEvent], app: String) {
        var events: [FileEvent] = []
        var app = settings.app
        switch settings.format {
        case .cloudEvents:
            for file in settings.files { events += try EventFile.cloudEvents(path: file) }
        case .csv:
            guard let path = settings.map else { throw ReplayError(.badInput, "a table needs a map: --map MAP.json") }
            let map = try ColumnMap(try EventFile.json(path: path), name: path)
            for file in settings.files { events += try EventFile.table(path: file, map: map) }
            app = app ?? map.app
        }
        if let days = Rebase.days(for: events, now: WallClock.microseconds, asked: settings.rebase) {
            notice("all times are moved by \(days) days, so that the newest is not in the future")
            events = events.map { Rebase.move($0, days: days) }
        }
        return (events, app ?? settings.defaultApp)
    }

    private func simulatorClient() throws(ReplayError) -> SimulatorClient {
        guard let url = endpoints.simulator else {
            throw ReplayError(.badInput, "phones need the simulator: set DOORSTEP_SIMULATOR_URL, or use --phones 0")
        }
        return SimulatorClient(http: HTTPClient(loop: loop, baseURL: url, maxConnections: 4))
    }
}

extension ReplayReport {
    fileprivate mutating func take(_ recording: Recording, _ tally: PostTally) {
        orders = recording.orders.count
        events = recording.rows.count
        accepted = tally.accepted
        duplicates = tally.duplicates
        rejected = tally.rejected
        rejections = tally.rejections
        retries = tally.retries
    }

    fileprivate mutating func take(_ findings: Inspection.Findings, _ evidence: PhoneEvidence, hasPhones: Bool) {
        unknownTypes = findings.unknownTypes
        missingFromLog = findings.missingFromLog
        latency = findings.latency
        guard hasPhones else { return }
        var figures = findings.phones
        figures.add(evidence.strays)
        phones = figures
    }
}
