/// Which orders of a settled replay are open, and what each of them does next.
struct SettledSchedule {
    struct Action: Hashable {
        /// Index of the order.
        let order: Int
        let step: Step

        enum Step: Hashable {
            /// Post the event at this place of the order's sequence.
            case post(Int)
            case awaitSettled(version: Int64)
        }
    }

    private var orders: [OrderProgress]
    private let limit: Int
    private var opened = 0
    private(set) var finished = 0

    /// `counts`: events of each order, in the order in which they open; at most `limit` are open at once.
    init(counts: [Int], limit: Int) {
        orders = counts.map(OrderProgress.init)
        self.limit = limit
    }

    var isFinished: Bool { finished == orders.count }
    var open: Int { opened - finished }

    /// Opens as many orders as may be open.
    mutating func start() -> [Action] {
        var actions: [Action] = []
        while open < limit, opened < orders.count {
            opened += 1
            actions += perform(orders[opened - 1].open(), of: opened - 1)
        }
        return actions
    }

    mutating func answered(order: Int, version: Int64?) -> [Action] {
        perform(orders[order].answered(version: version), of: order)
    }

    mutating func settled(order: Int, version: Int64) -> [Action] {
        perform(orders[order].settled(version: version), of: order)
    }

    private mutating func perform(_ action: OrderProgress.Action, of order: Int) -> [Action] {
        switch action {
        case .post(let place): return [Action(order: order, step: .post(place))]
        case .awaitSettled(let version): return [Action(order: order, step: .awaitSettled(version: version))]
        case .finish:
            finished += 1
            return start()
        }
    }
}
