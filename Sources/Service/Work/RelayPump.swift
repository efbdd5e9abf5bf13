internal import Crypto
internal import PostgresStore
package import Runtime

/// Carries messages between streams: rows written with a checkpoint become facts of the other stream's lane.
///
/// The fact's id is derived from the row's place, so a repeat after a crash is a duplicate.
package actor RelayPump: Service {
    private struct Parcel {
        let lane: Int32
        let relay: Projection.PendingRelay
    }

    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Appends under way at once; each takes all that waits.
    private static let carriers = 4

    private let appender: Appender
    private let directory: Directory
    private let onDelivered: @Sendable (Int32, [RelayKey]) -> Void
    private var waiting: [Parcel] = []
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
        waiting.append(contentsOf: relays.map { Parcel(lane: lane, relay: $0) })
        idle.popLast()?.resume()
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

    private func carry() async {
        while !stopping {
            if waiting.isEmpty {
                await withCheckedContinuation { idle.append($0) }
                continue
            }
            let parcels = waiting
            waiting.removeAll(keepingCapacity: true)
            await deliver(parcels)
        }
    }

    private func deliver(_ parcels: [Parcel]) async {
        let outcomes = await appender.append(parcels.compactMap(fact))
        var delivered: [Int32: [RelayKey]] = [:]
        var failed: [Parcel] = []
        for (parcel, outcome) in zip(parcels, outcomes) {
            switch outcome {
            case .appended, .duplicate, .reused, .conflict:
                delivered[parcel.lane, default: []].append(parcel.relay.key)
            case .failed:
                failed.append(parcel)
            }
        }
        for (lane, keys) in delivered { onDelivered(lane, keys) }
        guard !failed.isEmpty else { return }
        try? await loop.sleep(for: .milliseconds(250))
        waiting.append(contentsOf: failed)
    }

    private func fact(_ parcel: Parcel) -> NewFact? {
        guard let source = directory.own(.relay, app: parcel.relay.app) else { return nil }
        let (key, relay) = (parcel.relay.key, parcel.relay.relay)
        return NewFact(
            StreamAddress(app: parcel.relay.app, kind: relay.kind, stream: relay.stream),
            source: source.number,
            id: "\(parcel.lane).\(key.pos).\(key.number)",
            type: relay.type,
            body: relay.body
        )
    }
}
