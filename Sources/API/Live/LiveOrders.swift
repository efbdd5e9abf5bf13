internal import JSONText
internal import PostgresStore
internal import Runtime
internal import Service
package import Tracking

/// Orders and their timelines, read back.
package struct LiveOrders: OrdersPort {
    let service: LiveService

    package init(_ service: LiveService) { self.service = service }

    package func order(
        _ order: OrderID,
        awaiting settlement: Settlement?,
        caller: Caller
    ) async throws(Unavailable) -> OrderView? {
        let app = try service.app(caller)
        let address = service.orders.address(app: app.number, order)
        let deadline = settlement.map { MonotonicTime.now + $0.wait }
        while true {
            let snapshot = try await service.reading { try await service.orders.order(app: app.number, order) }
            guard let settlement, let deadline, deadline > .now, (snapshot?.settledVersion ?? 0) < settlement.version
            else { return snapshot.map { OrderView($0) } }
            await service.settlements.wait(
                for: address,
                settled: settlement.version,
                within: min(.milliseconds(250), deadline - .now)
            )
        }
    }

    package func standing(
        of customer: CustomerID,
        in order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CustomerStanding? {
        let app = try service.app(caller)
        let snapshot = try await service.reading { try await service.orders.order(app: app.number, order) }
        guard let stream = snapshot?.stream,
            stream.links[customer] != nil || stream.order.customers.contains(customer)
        else { return nil }
        let cards = stream.activities.compactMap { card in card.activityID.map { ($0, card.device) } }
        return CustomerStanding(
            devices: Set(stream.devices.values.filter { $0.customer == customer }.map(\.device)),
            cards: Dictionary(cards) { first, _ in first }
        )
    }

    package func facts(
        of order: OrderID,
        page: Page,
        caller: Caller
    ) async throws(Unavailable) -> Slice<FactEntry>? {
        let app = try service.app(caller)
        let (logged, folded) = try await service.reading {
            let facts = try await service.orders.facts(app: app.number, order)
            return (facts, try service.orders.fold(app: app.number, facts))
        }
        if logged.isEmpty { return nil }
        let bodies = Dictionary(logged.map { (key(of: $0), $0) }) { first, _ in first }
        let start = page.after.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        let items = folded.dropFirst(start).prefix(page.limit).map { FactEntry($0, bodies[$0.fact.reference]) }
        let end = start + items.count
        return Slice(items: items, next: end < folded.count ? Array(String(end).utf8) : nil)
    }

    package func timeline(
        of order: OrderID,
        page: Page,
        caller: Caller
    ) async throws(Unavailable) -> Slice<TimelineEntry>? {
        let app = try service.app(caller)
        let after = page.after.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
        return try await service.reading { () async throws -> Slice<TimelineEntry>? in
            let all = try await service.orders.facts(app: app.number, order)
            if all.isEmpty { return nil }
            let folded = try service.orders.fold(app: app.number, all)
            let shown = all.drop { $0.pos <= after }.prefix(page.limit)
            let decisions = try await service.orders.decisions(app: app.number, order, at: shown.map(\.pos))
            let effects = Dictionary(folded.map { ($0.fact.reference, $0) }) { first, _ in first }
            let items = shown.map { fact in
                TimelineEntry(fact, source: sourceName(fact), effects[key(of: fact)], decisions[fact.pos])
            }
            let isEnd = shown.last?.pos == all.last?.pos || shown.isEmpty
            return Slice(items: Array(items), next: isEnd ? nil : shown.last.map { Array(String($0.pos).utf8) })
        }
    }

    private func sourceName(_ fact: LoggedFact) -> String { service.directory.source(fact.source)?.name ?? "" }

    private func key(of fact: LoggedFact) -> EventReference {
        EventReference(source: sourceName(fact), id: fact.id)
    }

    package func link(_ order: OrderID, to customer: CustomerID, caller: Caller) async throws(Unavailable) {
        let app = try service.app(caller)
        guard let source = service.directory.own(.api, app: app.number) else { throw Unavailable(.databaseUnavailable) }
        let body: JSON = ["customer": .string(customer.value)]
        try await service.append([
            NewFact(
                service.orders.address(app: app.number, order),
                source: source.number,
                id: "customer/\(customer.value)",
                type: FactType.orderLinked,
                body: body.serialized(),
                actor: caller.actor
            )
        ])
    }
}

extension OrderView {
    init(_ snapshot: OrderSnapshot) {
        let order = snapshot.stream.order
        self.init(
            order: snapshot.stream.id,
            phase: order.phase,
            since: order.since?.microseconds,
            kitchen: order.kitchen,
            courier: order.courierState,
            courierName: order.courier?.name,
            eta: order.eta?.microseconds,
            flags: order.flags,
            pendingCommand: snapshot.stream.pendingCommand,
            revision: order.revision,
            version: snapshot.version,
            settledVersion: snapshot.settledVersion,
            activities: snapshot.stream.activities.map { ActivityView($0) }
        )
    }
}

extension ActivityView {
    init(_ card: Activity) {
        self.init(
            device: card.device,
            incarnation: card.incarnation,
            activity: card.activityID,
            state: card.state,
            reason: card.reason,
            startedBy: card.origin,
            startedAt: card.startedAt?.microseconds,
            lastAcceptedAt: card.shown?.at.microseconds
        )
    }
}
