/// Which phones a replay needs, and on which of them each order should show.
struct PhonePlan: Sendable {
    struct Phone: Hashable, Sendable {
        let id: String
        let customer: String
    }

    /// An order on a phone: where there should be one card.
    struct Pair: Hashable, Sendable {
        let phone: String
        let order: String
    }

    private(set) var phones: [Phone] = []
    private(set) var pairs: [Pair] = []

    /// Ids say whose they are, so that a second replay finds the phones of the first.
    init(_ recording: Recording, phones kind: ReplaySettings.Phones, app: String) {
        var known: Set<String> = []
        for order in recording.orders {
            guard let customer = order.customer else { continue }
            for number in 0..<kind.count {
                let owner = kind.isPerOrder ? "\(order.id)/\(number + 1)" : customer
                let phone = Phone(id: "replay/\(app)/\(owner)", customer: customer)
                if known.insert(phone.id).inserted { phones.append(phone) }
                pairs.append(Pair(phone: phone.id, order: order.id))
            }
        }
    }
}

extension ReplaySettings.Phones {
    fileprivate var count: Int {
        switch self {
        case .perOrder(let count): count
        case .perCustomer: 1
        }
    }

    fileprivate var isPerOrder: Bool {
        switch self {
        case .perOrder: true
        case .perCustomer: false
        }
    }
}
