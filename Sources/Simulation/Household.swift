package import Tracking

/// One customer with one phone and the orders it shows, on a clock of their own: nobody else has to do with them.
///
/// Facts are received when they happen, relays arrive and APNs answers at once, timers and pushes keep their times.
package struct Household {
    package let customer: CustomerID
    let policy: Policy
    let settings: SimulationSettings
    package private(set) var now: Instant
    private(set) var device: DeviceStream
    private var customers: [CustomerID: CustomerStream] = [:]
    /// Orders that something may happen to; few at a time.
    var orders: [LiveOrder] = []
    private var relays: [Relay] = []
    package var figures = Figures()
    /// Every push, where the settings keep them.
    package internal(set) var pushes: [SentPush] = []

    /// The phone is known to the customer before anything happens.
    package init(_ customer: CustomerID, at begin: Instant, policy: Policy, settings: SimulationSettings) {
        self.customer = customer
        self.policy = policy
        self.settings = settings
        now = begin
        device = DeviceStream(id: DeviceID("phone"))
        var registration = DeviceRegistration(observedAt: begin)
        registration.customer = customer
        registration.startToken = .replaced
        registration.deviceToken = .replaced
        registration.notificationsAllowed = true
        relays = device.handle(.registered(registration), version: 1, now: begin, policy: policy)
        deliver()
    }

    // MARK: - What happens

    /// An order of which nothing was heard yet.
    package mutating func expect(_ order: RecordedOrder, place: Int = 0) {
        orders.append(LiveOrder(order, place: place))
    }

    /// A partner's event is received at its own time, after all that is due by then.
    package mutating func happens(_ fact: PartnerFact, to id: OrderID) {
        pass(to: fact.key.time)
        guard let index = index(id) else { return }
        orders[index].ahead -= 1
        figures.events += 1
        tell(index, .partner(fact))
        settle()
        dismissIfOver(id)
    }

    /// The order is shown to the household although no event names its customer.
    package mutating func link(_ id: OrderID) { tell(id, .linked(customer)) }

    /// A fact that no recorded stream holds, such as the app's wish to start a card itself.
    package mutating func tell(_ id: OrderID, _ fact: OrderStreamFact) {
        guard let index = index(id) else { return }
        tell(index, fact)
        settle()
    }

    /// Time passes, and what is due by then happens.
    package mutating func pass(to moment: Instant) {
        while let (index, at) = nextWake(), at <= moment {
            now = max(now, at)
            let id = orders[index].stream.id
            wake(index)
            settle()
            dismissIfOver(id)
        }
        now = max(now, moment)
    }

    /// Nobody says anything more: time alone ends what is left.
    package mutating func rest() {
        while let (_, at) = nextWake() { pass(to: at) }
        for order in orders { figures.count(order) }
        orders.removeAll()
    }

    package func stream(_ id: OrderID) -> OrderStream? { index(id).map { orders[$0].stream } }

    package func cards(_ id: OrderID) -> [PhoneCard] { index(id).map { orders[$0].cards } ?? [] }

    // MARK: - One thing after the other

    func index(_ id: OrderID) -> Int? { orders.firstIndex { $0.stream.id == id } }

    mutating func tell(_ index: Int, _ fact: OrderStreamFact) {
        let passed = orders[index].pass(to: now)
        figures.shownStale += passed.stale
        if passed.dishonest > .zero {
            figures.dishonest += passed.dishonest
            figures.dishonestOrders.insert(orders[index].place)
        }
        relays += orders[index].tell(fact, at: now, policy: policy)
    }

    /// Until nothing is left to do at this moment.
    private mutating func settle() {
        repeat { deliver() } while sendNext()
    }

    private mutating func sendNext() -> Bool {
        for index in orders.indices {
            if let card = orders[index].leaving(at: now, settings) {
                send(orders[index].stream.activities[card], of: index)
                return true
            }
            if let alert = orders[index].alerting(at: now, settings) {
                sendAlert(alert, of: index)
                return true
            }
        }
        return false
    }

    private func nextWake() -> (index: Int, at: Instant)? {
        var next: (index: Int, at: Instant)?
        for index in orders.indices {
            guard let at = orders[index].wakesAt(settings) else { continue }
            if next.map({ at < $0.at }) ?? true { next = (index, at) }
        }
        return next
    }

    private mutating func wake(_ index: Int) {
        if let card = orders[index].registering(at: now) {
            register(card, of: index)
        } else if let timer = orders[index].ringing(at: now) {
            tell(index, .timerRang(timer))
        }
    }

    /// What is over is counted and forgotten.
    private mutating func dismissIfOver(_ id: OrderID) {
        guard let index = index(id), orders[index].ahead == 0, orders[index].isOver(settings) else { return }
        figures.count(orders.remove(at: index))
    }

    // MARK: - Relays

    private mutating func deliver() {
        var next = 0
        while next < relays.count {
            receive(relays[next])
            next += 1
        }
        relays.removeAll(keepingCapacity: true)
    }

    private mutating func receive(_ relay: Relay) {
        switch relay {
        case .toOrder(let id, let message):
            if let index = index(id) { tell(index, OrderStreamFact(message)) }
        case .toDevice(_, let message):
            relays += device.handle(.message(message), version: device.version + 1, now: now, policy: policy)
        case .toCustomer(let id, let message):
            relays += customers[id, default: CustomerStream(id: id)].handle(message)
        case .toToken:
            // Nobody else has this phone's tokens, so none of them is given a name.
            break
        }
    }
}

extension OrderStreamFact {
    fileprivate init(_ message: Relay.OrderMessage) {
        switch message {
        case .linkAnswered(let customer, let devices): self = .linkAnswered(customer, devices: devices)
        case .deviceAvailable(let snapshot): self = .deviceAvailable(snapshot)
        case .deviceGone(let device): self = .deviceGone(device)
        case .startGranted(let device, let incarnation, let from):
            self = .startGranted(device, incarnation: incarnation, from: from)
        case .startRefused(let device, let incarnation, let until):
            self = .startRefused(device, incarnation: incarnation, until: until)
        case .startFree(let device): self = .startFree(device)
        case .farewellAtRisk(let device, let incarnation): self = .farewellAtRisk(device, incarnation: incarnation)
        case .cardsListed(let device, let cards): self = .cardsListed(device, cards: cards)
        case .tokenLost(let token, let claim): self = .tokenLost(token, claim: claim)
        }
    }
}
