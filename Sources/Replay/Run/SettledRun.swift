private import Runtime

/// Sends each order's next event when its last one has settled.
struct SettledRun: Sendable {
    private static let openOrders = 2_000
    private static let postsInFlight = 4

    let poster: EventPoster
    let standing: OrderStanding
    let settings: ReplaySettings
    let progress: @Sendable (ReplayProgress) -> Void

    private enum Happening: Sendable {
        case posted([EventPoster.Outcome])
        case settled(order: Int, version: Int64)
        /// Not yet; to be asked again when its turn comes.
        case unsettled(SettleWait)
    }

    /// The answers, and the orders that were not waited for to the end.
    func run() async throws(ReplayError) -> (tally: PostTally, unsettled: Set<Int>) {
        let recording = poster.recording
        var tally = PostTally(recording)
        var work = Work(recording: recording, limit: settings.shuffle == nil ? Self.openOrders : .max)
        let failure: ReplayError? = await withTaskGroup(of: Result<Happening, ReplayError>.self) { group in
            while !work.isFinished {
                while let next = work.next() { start(next, in: &group, hurry: work.hasWaits) }
                switch await group.next() {
                case .success(.posted(let outcomes)):
                    tally.add(outcomes, in: recording)
                    work.posted(outcomes)
                    progress(ReplayProgress(stage: .events, done: tally.answered, total: recording.sequence.count))
                case .success(.settled(let order, let version)): work.settled(order: order, version: version)
                case .success(.unsettled(let wait)): work.ask(again: wait, patience: patience)
                case .failure(let error):
                    group.cancelAll()
                    return error
                case nil: return nil
                }
            }
            return nil
        }
        if let failure { throw failure }
        return (tally, work.givenUp)
    }

    /// An order that never settles must not keep the others out.
    private var patience: Duration { max(settings.settle, .seconds(180)) }

    private func start(
        _ next: Work.Next,
        in group: inout TaskGroup<Result<Happening, ReplayError>>,
        hurry: Bool
    ) {
        group.addTask {
            await outcome { () async throws(ReplayError) in
                switch next {
                case .post(let rows): .posted(try await poster.post(rows))
                case .ask(let wait): try await ask(wait, hurry: hurry)
                }
            }
        }
    }

    /// With others waiting for a connection, an order is asked for a second only.
    private func ask(_ wait: SettleWait, hurry: Bool) async throws(ReplayError) -> Happening {
        let order = try await standing.standing(
            of: poster.recording.orders[wait.order].id,
            awaiting: wait.version,
            limit: .seconds(hurry ? 1 : 10)
        )
        return order.settled >= wait.version
            ? .settled(order: wait.order, version: order.settled) : .unsettled(wait)
    }

    /// What is to be sent and asked, and what is under way.
    private struct Work {
        enum Next {
            case post([Int])
            case ask(SettleWait)
        }

        private let recording: Recording
        private var schedule: SettledSchedule
        private var posts: [Int] = []
        private var waits = FIFO<SettleWait>()
        private var posting = 0
        private var asking = 0
        /// Orders that went on without having settled.
        private(set) var givenUp: Set<Int> = []

        init(recording: Recording, limit: Int) {
            self.recording = recording
            schedule = SettledSchedule(counts: recording.orders.map(\.sequence.count), limit: limit)
            take(schedule.start())
        }

        var isFinished: Bool { schedule.isFinished }
        var hasWaits: Bool { !waits.isEmpty }

        mutating func next() -> Next? {
            if posting < SettledRun.postsInFlight, !posts.isEmpty {
                let rows = posts.prefix(Batch.size(of: posts[...], in: recording))
                posts.removeFirst(rows.count)
                posting += 1
                return .post(Array(rows))
            }
            guard asking < OrderStanding.connections, let wait = waits.popFirst() else { return nil }
            asking += 1
            return .ask(wait)
        }

        mutating func posted(_ outcomes: [EventPoster.Outcome]) {
            posting -= 1
            for outcome in outcomes {
                let order = recording.rows[outcome.row].order
                take(schedule.answered(order: order, version: outcome.answer.version))
            }
        }

        mutating func settled(order: Int, version: Int64) {
            asking -= 1
            take(schedule.settled(order: order, version: version))
        }

        mutating func ask(again wait: SettleWait, patience: Duration) {
            guard wait.isOver(patience: patience) else {
                asking -= 1
                return waits.append(wait)
            }
            givenUp.insert(wait.order)
            settled(order: wait.order, version: wait.version)
        }

        private mutating func take(_ actions: [SettledSchedule.Action]) {
            for action in actions {
                switch action.step {
                case .post(let place): posts.append(recording.orders[action.order].sequence[place])
                case .awaitSettled(let version): waits.append(SettleWait(order: action.order, version: version))
                }
            }
        }
    }
}

/// An order that is waited for, since when.
struct SettleWait: Sendable {
    let order: Int
    let version: Int64
    private let since: MonotonicTime

    init(order: Int, version: Int64) {
        self.order = order
        self.version = version
        since = .now
    }

    func isOver(patience: Duration) -> Bool { MonotonicTime.now - since > patience }
}
