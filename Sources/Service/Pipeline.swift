package import Postgres
internal import PostgresStore
package import Runtime
internal import Tracking

/// Everything from a committed fact to the answer of APNs: leases, projector, relays, timers, sender.
package struct Pipeline: Service {
    package struct Settings: Sendable {
        package var worker = Worker.Settings()
        package var sender = Sender.Settings()
        package var leases = LaneKeeper.Settings()
        package init() {}
    }

    /// What a pipeline stands on.
    package struct Parts: Sendable {
        package var loop: EventLoop
        /// For derived rows: may commit asynchronously.
        package var projecting: PostgresPool
        /// For claims and leases: commits are on disk.
        package var durable: PostgresPool
        package var appender: Appender
        package var directory: Directory
        package var sources: SourceRegistry
        package var vault: Vault
        package var gateway: any PushGateway
        package var clock: DatabaseClock
        package var settlements: Settlements
        package var lanes: Int

        package init(
            loop: EventLoop,
            projecting: PostgresPool,
            durable: PostgresPool,
            appender: Appender,
            directory: Directory,
            sources: SourceRegistry,
            vault: Vault,
            gateway: any PushGateway,
            clock: DatabaseClock,
            settlements: Settlements,
            lanes: Int
        ) {
            self.loop = loop
            self.projecting = projecting
            self.durable = durable
            self.appender = appender
            self.directory = directory
            self.sources = sources
            self.vault = vault
            self.gateway = gateway
            self.clock = clock
            self.settlements = settlements
            self.lanes = lanes
        }
    }

    package let worker: Worker
    package let sender: Sender
    private let relays: RelayPump
    private let timers: TimerPump
    private let keeper: LaneKeeper
    private let appender: Appender
    private let loop: EventLoop

    /// `pushed` is told of each push, `failed` of what will be tried again.
    package init(
        _ parts: Parts,
        settings: Settings = Settings(),
        pushed: @escaping @Sendable (PushCount) -> Void,
        failed: @escaping @Sendable (StaticString, any Error) -> Void
    ) {
        let hub = Hub()
        let settlements = parts.settlements
        loop = parts.loop
        appender = parts.appender
        worker = Worker(
            loop: parts.loop,
            projector: Projector(
                pool: parts.projecting,
                directory: parts.directory,
                sources: parts.sources,
                lanes: parts.lanes
            ),
            clock: parts.clock,
            settings: settings.worker,
            listeners: WorkListeners(
                slots: { hints in hub.sender?.assumeIsolated { $0.offer(hints) } },
                relays: { lane, relays in hub.relays?.assumeIsolated { $0.add(lane, relays) } },
                timers: { lanes in hub.timers?.assumeIsolated { $0.due(in: lanes) } },
                folded: { orders in
                    settlements.assumeIsolated { settlements in
                        for (order, version) in orders { settlements.moved(order, settled: version) }
                    }
                },
                failed: failed
            )
        )
        let worker = worker
        relays = RelayPump(loop: parts.loop, appender: parts.appender, directory: parts.directory) { lane, keys in
            worker.assumeIsolated { $0.delivered(lane, keys) }
        }
        timers = TimerPump(
            loop: parts.loop,
            pool: parts.projecting,
            appender: parts.appender,
            directory: parts.directory,
            clock: parts.clock,
            failed: failed
        )
        sender = Sender(
            loop: parts.loop,
            pool: parts.durable,
            outcomes: OutcomeRecorder(
                loop: parts.loop,
                appender: parts.appender,
                directory: parts.directory,
                clock: parts.clock,
                pushed: pushed
            ),
            worker: worker,
            directory: parts.directory,
            vault: parts.vault,
            gateway: parts.gateway,
            clock: parts.clock,
            lanes: parts.lanes,
            settings: settings.sender,
            failed: failed
        )
        keeper = LaneKeeper(
            loop: parts.loop,
            pool: parts.durable,
            worker: worker,
            relays: relays,
            clock: parts.clock,
            lanes: parts.lanes,
            settings: settings.leases,
            failed: failed
        )
        hub.connect(Hub.Members(sender: sender, relays: relays, timers: timers))
    }

    /// Runs until cancelled; then pushes under way are answered and recorded, and the lanes given back.
    package func run() async throws {
        let worker = worker
        await appender.listen { lane, facts in worker.assumeIsolated { $0.offer(lane, facts) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in [keeper, worker, relays, timers, sender] as [any Service] {
                group.addTask(executorPreference: loop.tasks) { try await service.run() }
            }
            try await group.waitForAll()
        }
        await keeper.release()
    }
}

/// Closes the circle between the worker and those it tells: set once, before anything runs.
private final class Hub: Sendable {
    struct Members {
        let sender: Sender
        let relays: RelayPump
        let timers: TimerPump
    }

    private let members = Locked<Members?>(nil)

    var sender: Sender? { members.withLock { $0?.sender } }
    var relays: RelayPump? { members.withLock { $0?.relays } }
    var timers: TimerPump? { members.withLock { $0?.timers } }

    func connect(_ connected: Members) { members.withLock { $0 = connected } }
}
