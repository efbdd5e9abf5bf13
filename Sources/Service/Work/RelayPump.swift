internal import Crypto
internal import PostgresStore
package import Runtime

/// Carries messages between streams: rows written with a checkpoint become facts of the other stream's lane.
///
/// The fact's id is derived from the row's place, so a repeat after a crash is a duplicate.
package actor RelayPump: Service {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private typealias Parcel = RelayQueue.Parcel

    /// Appends under way at once; each takes all that may go.
    private static let carriers = 4

    private let appender: Appender
    private let directory: Directory
    private let onDelivered: @Sendable (Int32, [RelayKey]) -> Void
    private var queue = RelayQueue()
    private var idle: [CheckedContinuation<Void, Never>] = []
    private var stopping = false

    init(
        loop: EventLoop,
        appender: Appender,
        directory: Directory,
        onDelivered: @escaping @Sendable (Int32, [RelayKey]) -> Void
    ) {
        self.loop = loop
        self.appender = appender
        self.directory = directory
        self.onDelivered = onDelivered
    }

    func add(_ lane: Int32, _ relays: [Projection.PendingRelay]) {
        for relay in relays {
            let address = StreamAddress(app: relay.app, kind: relay.relay.kind, stream: relay.relay.stream)
            queue.add(Parcel(lane: lane, relay: relay, address: address))
        }
        wake()
    }

    package func run() async throws {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for _ in 0..<Self.carriers { group.addTask { await self.carry() } }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.stop() } }
        }
    }

    private func stop() {
        stopping = true
        for waiter in idle { waiter.resume() }
        idle.removeAll()
    }

    private func wake() {
        if !queue.isEmpty { idle.popLast()?.resume() }
    }

    private func carry() async {
        while !stopping {
            if queue.isEmpty {
                await withCheckedContinuation { idle.append($0) }
                continue
            }
            await deliver(queue.take())
        }
    }

    private func deliver(_ parcels: [Parcel]) async {
        var sent: [Parcel] = []
        var facts: [NewFact] = []
        var failed: [Parcel] = []
        for parcel in parcels {
            if let fact = fact(parcel) {
                sent.append(parcel)
                facts.append(fact)
            } else {
                failed.append(parcel)
            }
        }
        var delivered: [Int32: [RelayKey]] = [:]
        for (parcel, outcome) in zip(sent, await appender.append(facts)) {
            switch outcome {
            case .appended, .duplicate, .reused, .conflict:
                queue.arrived(parcel)
                delivered[parcel.lane, default: []].append(parcel.relay.key)
            case .failed:
                failed.append(parcel)
            }
        }
        for (lane, keys) in delivered { onDelivered(lane, keys) }
        guard !failed.isEmpty else { return }
        wake()
        try? await loop.sleep(for: .milliseconds(250))
        for parcel in failed { queue.failed(parcel) }
    }

    /// nil while this process does not know the app.
    private func fact(_ parcel: Parcel) -> NewFact? {
        guard let source = directory.own(.relay, app: parcel.relay.app) else { return nil }
        let (key, relay) = (parcel.relay.key, parcel.relay.relay)
        return NewFact(
            parcel.address,
            source: source.number,
            id: "\(parcel.lane).\(key.pos).\(key.number)",
            type: relay.type,
            body: relay.body
        )
    }
}
