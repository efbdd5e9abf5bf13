internal import Crypto
internal import Postgres
internal import PostgresStore
internal import Tracking

/// Turns a folded batch into the writes of its one transaction.
struct ProjectionWrite {
    private let projection: Projection
    private let lane: Int32
    private let lanes: Int
    private var orders: [OrderRow] = []
    private var activities: [ActivityRow] = []
    private var slots: [SlotWrite] = []
    private var emptied: [SlotKey] = []
    private var settled: [UUID128] = []
    private var timers: [TimerRow] = []
    private var stopped: [TimerKey] = []
    /// What the sender should know of the slots written.
    private(set) var hints: [SlotHint] = []

    init(_ projection: Projection, lane: Int32, lanes: Int) {
        self.projection = projection
        self.lane = lane
        self.lanes = lanes
        for work in projection.orders.values where work.lastPos > 0 { add(work) }
    }

    /// All writes, the fence first: in a pipeline a later statement must not run for a lane that is not ours.
    func calls(from: Int64, to: Int64, term: Int64, delivered: [RelayKey]) -> [Call] {
        var writes = [Checkpoints.advance(lane: lane, term: term, from: from, to: to)]
        writes += Orders.save(lane: lane, orders)
        writes += OrderReferences.save(lane: lane, projection.references)
        writes += Activities.save(lane: lane, activities)
        writes += Slots.save(lane: lane, slots, settled: settled)
        writes += Slots.delete(lane: lane, emptied, settled: settled)
        writes += Timers.delete(lane: lane, stopped)
        writes += Timers.save(lane: lane, timers)
        writes += Effects.insert(lane: lane, projection.effects)
        writes += deviceWrites()
        writes += customerWrites()
        writes += projection.tokenWrites(lane: lane)
        writes += Relays.insert(lane: lane, projection.relays.map(row))
        writes += Relays.delete(lane: lane, delivered)
        writes += ParkedStreams.insert(lane: lane, projection.parkings)
        return writes.map(\.call)
    }

    /// Puts the folded states into memory; orders that are closed are forgotten.
    func remember(in memory: inout LaneMemory) {
        for (key, work) in projection.orders {
            memory.orders[key] = work.after.stream.closed ? nil : work.after
        }
        for (key, work) in projection.devices { memory.devices[key] = work.after }
        for (key, work) in projection.customers { memory.customers[key] = work.after }
    }

    // MARK: - Orders

    private mutating func add(_ work: Projection.OrderWork) {
        let stream = work.after.stream
        let order = stream.order
        orders.append(
            OrderRow(
                app: work.address.app,
                order: stream.id,
                version: Int32(stream.version),
                stateVersion: Int32(OrderStream.storedVersion),
                pos: work.lastPos,
                placedAt: (stream.openedAt ?? Instant(microseconds: work.lastAt)).microseconds,
                lastAt: work.lastAt,
                closedAt: stream.closed ? work.lastAt : nil,
                phase: Int32(order.phase.rawValue),
                customer: order.customers.first,
                place: order.restaurant?.id,
                courier: order.courier?.id,
                state: stream.stored
            )
        )
        for card in stream.activities { add(card, of: work) }
        addFallbacks(work)
        addChannel(work)
        addTimers(work)
    }

    /// One row for each alarm that is set; those set as before are left alone.
    private mutating func addTimers(_ work: Projection.OrderWork) {
        let before = work.before?.stream.timers ?? []
        let after = work.after.stream.timers
        for old in before {
            let new = after.first { $0.device == old.device && $0.incarnation == old.incarnation }
            if new?.timer.kind != old.timer.kind { stopped.append(key(old, of: work)) }
        }
        for new in after {
            let old = before.first { $0.device == new.device && $0.incarnation == new.incarnation }
            guard old?.timer != new.timer else { continue }
            timers.append(
                TimerRow(
                    key: key(new, of: work),
                    generation: Int32(new.timer.generation),
                    dueAt: new.timer.dueAt.microseconds
                )
            )
        }
    }

    private func key(_ timer: OrderStream.SetTimer, of work: Projection.OrderWork) -> TimerKey {
        TimerKey(
            app: work.address.app,
            order: work.after.stream.id,
            device: timer.device ?? DeviceID(""),
            incarnation: timer.incarnation,
            kind: timer.timer.kind.rawValue
        )
    }

    private mutating func add(_ card: Activity, of work: Projection.OrderWork) {
        let key = CardKey(
            app: work.address.app,
            order: work.after.stream.id,
            device: card.device,
            incarnation: card.incarnation
        )
        let before = work.before?.stream.activities.first {
            $0.device == card.device && $0.incarnation == card.incarnation
        }
        guard before != card || work.settled[key] != nil else { return }
        activities.append(
            ActivityRow(
                key: key,
                phase: Int32(card.state.number),
                tokenGeneration: Int32(card.tokenGeneration),
                keyID: 1,
                lastStamp: card.lastStamp,
                token: work.after.tokens[key],
                state: card.stored
            )
        )
        settled += work.settled[key] ?? []
        addSlot(
            SlotKey(card: key),
            card.intention,
            before: before?.intention,
            isSettled: work.settled[key] != nil,
            attempt: Int32(card.startClaims + 1),
            stamp: card.lastStamp
        )
    }

    /// Alerts in the place of cards have slots of their own.
    private mutating func addFallbacks(_ work: Projection.OrderWork) {
        let before = work.before?.stream.fallbacks ?? [:]
        // Once an alert was wanted, the device keeps what became of it.
        for (device, fallback) in work.after.stream.fallbacks {
            let key = CardKey(
                app: work.address.app,
                order: work.after.stream.id,
                device: device,
                incarnation: Fallback.incarnation
            )
            settled += work.settled[key] ?? []
            addSlot(
                SlotKey(card: key, target: .fallback),
                fallback.intention,
                before: before[device]?.intention,
                isSettled: work.settled[key] != nil,
                attempt: 0,
                stamp: 0
            )
        }
    }

    /// The channel is stored with its order; its slot is one of the order's.
    private mutating func addChannel(_ work: Projection.OrderWork) {
        guard let channel = work.after.stream.channel else { return }
        let key = CardKey(
            app: work.address.app,
            order: work.after.stream.id,
            device: Channel.device,
            incarnation: Channel.incarnation
        )
        settled += work.settled[key] ?? []
        addSlot(
            SlotKey(card: key, target: .channel),
            channel.card.intention,
            before: work.before?.stream.channel?.card.intention,
            isSettled: work.settled[key] != nil,
            attempt: 0,
            stamp: channel.card.lastStamp
        )
    }

    private mutating func addSlot(
        _ key: SlotKey,
        _ wanted: Intention?,
        before: Intention?,
        isSettled: Bool,
        attempt: Int32,
        stamp: Int64
    ) {
        guard let intention = wanted else {
            if before != nil || isSettled { emptied.append(key) }
            return
        }
        guard isSettled || before != intention else { return }
        slots.append(
            SlotWrite(
                key: key,
                rev: Int32(intention.revision),
                attempt: attempt,
                dueAt: intention.dueAt?.microseconds ?? .max,
                stamp: stamp,
                verb: intention.verb,
                body: intention.stored
            )
        )
        guard let due = intention.dueAt else { return }
        hints.append(
            SlotHint(
                lane: lane,
                card: key.card,
                revision: Int32(intention.revision),
                verb: intention.verb,
                attempt: attempt,
                dueAt: due.microseconds
            )
        )
    }

    // MARK: - Devices and customers

    private func deviceWrites() -> [Write] {
        let changed = projection.devices.values.filter {
            $0.before?.stream != $0.after.stream || $0.before?.token != $0.after.token
                || $0.before?.deviceToken != $0.after.deviceToken
        }
        return Devices.save(
            lane: lane,
            changed.map { work in
                DeviceRow(
                    app: work.address.app,
                    device: work.after.stream.id,
                    generation: Int32(work.after.stream.generation),
                    keyID: 1,
                    registeredAt: work.lastAt,
                    seenDay: DatabaseClock.day(of: work.lastAt),
                    customer: work.after.stream.customer ?? CustomerID(""),
                    startToken: work.after.token,
                    deviceToken: work.after.deviceToken,
                    settings: work.after.stream.stored
                )
            }
        )
    }

    private func customerWrites() -> [Write] {
        var saved: [CustomerLinkRow] = []
        var deleted: [CustomerLinkKey] = []
        for work in projection.customers.values {
            let (before, after) = (work.before, work.after)
            func key(_ kind: StreamKind, _ member: String) -> CustomerLinkKey {
                CustomerLinkKey(app: work.address.app, customer: after.id, kind: kind, member: member)
            }
            for (device, snapshot) in after.devices where before.devices[device] != snapshot {
                saved.append(
                    CustomerLinkRow(key: key(.device, device.value), since: work.lastAt, body: snapshot.stored)
                )
            }
            for order in after.orders.subtracting(before.orders) {
                saved.append(CustomerLinkRow(key: key(.order, order.value), since: work.lastAt))
            }
            deleted += before.devices.keys.filter { after.devices[$0] == nil }.map { key(.device, $0.value) }
            deleted += before.orders.subtracting(after.orders).map { key(.order, $0.value) }
        }
        return CustomerLinks.save(lane: lane, saved) + CustomerLinks.delete(lane: lane, deleted)
    }

    private func row(_ relay: Projection.PendingRelay) -> RelayRow {
        let address = StreamAddress(app: relay.app, kind: relay.relay.kind, stream: relay.relay.stream)
        return RelayRow(
            pos: relay.key.pos,
            number: relay.key.number,
            toLane: address.lane(of: lanes),
            app: relay.app,
            kind: relay.relay.kind,
            stream: relay.relay.stream,
            type: relay.relay.type,
            body: relay.relay.body
        )
    }
}
