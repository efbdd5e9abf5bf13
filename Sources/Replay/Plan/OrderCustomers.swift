private import JSONText

/// Which customer each order belongs to, so that phones can be made for it before its first event.
///
/// With phones per order every order gets a customer of its own, `CUSTOMER/ORDER`: one buyer's many orders would
/// otherwise share a phone, and its budgets with it.
struct OrderCustomers {
    private let phones: ReplaySettings.Phones
    private var firstNamed: [String: String] = [:]
    /// Orders of which no event names a customer, with the event that will.
    private var addressee: [String: String] = [:]

    /// `events` in order of event time.
    init(_ events: [FileEvent], phones: ReplaySettings.Phones) {
        self.phones = phones
        for event in events where firstNamed[event.subject] == nil { firstNamed[event.subject] = event.customer }
        for event in events where firstNamed[event.subject] == nil && addressee[event.subject] == nil {
            addressee[event.subject] = event.id
        }
    }

    subscript(order: String) -> String? {
        switch phones {
        case .perCustomer, .perOrder(0): firstNamed[order]
        case .perOrder: Self.own(firstNamed[order], order)
        }
    }

    /// The event as it is posted.
    func addressed(_ event: FileEvent) -> [UInt8] {
        var event = event
        switch phones {
        case .perCustomer, .perOrder(0): break
        case .perOrder:
            if event.customer != nil || addressee[event.subject] == event.id {
                event.customer = Self.own(event.customer, event.subject)
            }
        }
        return JSON.object(event.event).serialized()
    }

    private static func own(_ customer: String?, _ order: String) -> String { "\(customer ?? "guest")/\(order)" }
}
