internal import Tracking

/// Rows of events from standard input.
enum OrderRows {
    /// The partner facts of every order, each order's in the order of the fold.
    static func read() -> [(id: OrderID, facts: [PartnerFact])] {
        var places: [String: Int] = [:]
        var orders: [(id: OrderID, facts: [PartnerFact])] = []
        while let line = readLine() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            guard columns.count == 7, let time = Int64(columns[1]) else { continue }
            let place = places[columns[0]] ?? orders.count
            if place == orders.count {
                places[columns[0]] = place
                orders.append((id: OrderID(columns[0]), facts: []))
            }
            orders[place].facts.append(fact(columns, at: Instant(microseconds: time)))
        }
        return orders.map { (id: $0.id, facts: $0.facts.sorted { $0.key < $1.key }) }
    }

    private static func fact(_ columns: [String], at time: Instant) -> PartnerFact {
        let type = EventType(columns[4])
        var data = PartnerData()
        if !columns[5].isEmpty { data.customer = CustomerID(columns[5]) }
        if !columns[6].isEmpty { data.courier = PartnerData.Courier(id: columns[6]) }
        var digest = Digest()
        for column in columns[4...] { digest.add(column) }
        return PartnerFact(
            key: FoldKey(time: time, rank: type.rank, source: columns[3], id: columns[2]),
            type: type,
            data: data,
            flags: [],
            contentDigest: digest.value
        )
    }
}
