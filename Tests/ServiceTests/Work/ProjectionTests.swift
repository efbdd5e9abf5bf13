import Crypto
import PostgresStore
import Testing
import Tracking

@testable import Service

struct ProjectionTests {
    private let directory: Directory = {
        let directory = Directory()
        directory.add(Directory.Source(number: 1, app: 1, name: OwnSource.push.rawValue))
        return directory
    }()
    private let card = CardKey(app: 1, order: OrderID("o"), device: DeviceID("d"), incarnation: 1)
    private let address = StreamAddress(app: 1, kind: .order, stream: "o")

    /// The answer to an earlier claim may have waited for the database longer than the claim lived.
    @Test func `a late answer does not hide the outcome of the present claim`() throws {
        let (earlier, present) = (UUID128(hi: 0, lo: 1), UUID128(hi: 0, lo: 2))
        var projection = Projection(directory: directory)
        projection.load(order: address, nil)
        for (position, claim) in [present, earlier].enumerated() {
            let fact = lost(claim, at: Int64(position + 1))
            try projection.fold(order: address.key, fact, try projection.orderFact(fact), history: nil)
        }
        #expect(projection.orders[address.key]?.settled[card] == [present, earlier])
    }

    @Test func `a fact of a source nobody knows is not folded`() {
        let fact = NewFact(address, source: 99, id: "1", type: "order.placed", body: [])
        let logged = LoggedFact(fact, at: LogPosition(lane: 0, pos: 1, version: 1), recordedAt: noon)
        #expect(throws: FactError(.badValue, "source")) { try Projection(directory: directory).orderFact(logged) }
    }

    private func lost(_ claim: UUID128, at position: Int64) -> LoggedFact {
        let push = PushLost(
            device: card.device,
            incarnation: 1,
            verb: .update,
            revision: 1,
            stamp: position,
            priority: 5,
            alerts: []
        )
        let fact = NewFact(
            address,
            source: 1,
            id: "\(claim)/lost",
            type: FactType.pushLost,
            body: PushFactCodec.body(push, apnsID: claim.description)
        )
        let place = LogPosition(lane: 0, pos: position, version: Int32(position))
        return LoggedFact(fact, at: place, recordedAt: noon)
    }
}
