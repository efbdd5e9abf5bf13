import Adapters
import JSONText
import PartnerEvents
import Testing
import Tracking

/// A whole delivery of each platform, from its first webhook to its last.
struct DeliveryTests {
    struct Expected: Sendable {
        let platform: String
        let order: String
        /// Of the events in their order, repeats left out.
        let types: [String]
        let phase: Phase
    }

    static let expected = [
        Expected(
            platform: "uber-direct",
            order: "ORD-2041",
            types: [
                "order.accepted", "courier.assigned", "courier.to_pickup", "courier.location", "courier.near_pickup",
                "order.picked_up", "order.on_the_way", "courier.nearby", "order.delivered", "order.closed",
            ],
            phase: .delivered
        ),
        Expected(
            platform: "doordash-drive",
            order: "D-88213",
            types: [
                "courier.assigned", "courier.to_pickup", "courier.at_pickup", "order.picked_up", "order.on_the_way",
                "courier.waiting", "order.delivered",
            ],
            phase: .delivered
        ),
        Expected(
            platform: "wolt-drive",
            order: "web-3301",
            types: [
                "order.accepted", "eta.changed", "courier.assigned", "courier.to_pickup", "courier.near_pickup",
                "order.picked_up", "order.on_the_way", "eta.changed", "courier.location", "courier.nearby",
                "order.handshake_delivery", "order.delivered", "order.closed",
            ],
            phase: .delivered
        ),
        Expected(
            platform: "onfleet",
            order: "W-0007",
            types: [
                "order.placed", "order.placed", "courier.assigned", "courier.assigned", "courier.to_pickup",
                "courier.near_pickup", "order.picked_up", "order.on_the_way", "eta.changed", "courier.nearby",
                "order.delivered", "eta.changed",
            ],
            phase: .delivered
        ),
        Expected(
            platform: "shipday",
            order: "0012",
            types: [
                "order.placed", "courier.assigned", "courier.to_pickup", "order.picked_up", "event.voided",
                "order.on_the_way", "order.delivered",
            ],
            phase: .delivered
        ),
        Expected(
            platform: "deliveroo",
            order: "gb:3f2b9c1e-0001",
            types: [
                "order.placed", "order.accepted", "courier.assigned", "eta.changed", "courier.location",
                "courier.near_pickup", "eta.changed", "courier.location", "courier.at_pickup", "courier.location",
                "order.on_the_way", "courier.location", "courier.nearby", "courier.location",
            ],
            phase: .onTheWay
        ),
        Expected(
            platform: "square",
            order: "eA3vssLHKJrv9H0IdJCM3gNqfdcZY",
            types: ["order.placed", "order.accepted", "order.ready", "order.closed"],
            phase: .accepted
        ),
    ]

    @Test func `every platform has its delivery`() {
        #expect(Set(Self.expected.map(\.platform)) == Set(Adapter.builtIn.map(\.name)))
    }

    @Test(arguments: expected)
    func `a delivery becomes its events`(expected: Expected) throws {
        var seen: [String: JSONObject] = [:]
        var types: [String] = []
        for hook in try Hooks.delivery(expected.platform) {
            for event in try Hooks.events(expected.platform, hook) {
                let id = try #require(event.text("id"))
                #expect(event.text("subject") == expected.order)
                #expect(event.text("source") == expected.platform)
                #expect(event.text("specversion") == "1.0")
                #expect(event.text("sourcetype") != nil)
                #expect(RFC3339.parse(try #require(event.text("time")))?.hasOffset == true)
                // An event that comes again says the same, or the API would refuse it.
                if let before = seen.updateValue(event, forKey: id) {
                    #expect(before == event)
                } else {
                    types.append(event.text("type") ?? "")
                }
            }
        }
        #expect(types == expected.types)
        #expect(try Self.fold(Array(seen.values)).phase == expected.phase)
    }

    @Test(arguments: Hooks.platforms)
    func `the same webhook twice is the same events`(platform: String) throws {
        for hook in try Hooks.delivery(platform) {
            #expect(try Hooks.events(platform, hook) == Hooks.events(platform, hook))
        }
    }

    @Test(arguments: Hooks.platforms)
    func `different webhooks never share an id, unless they tell the same`(platform: String) throws {
        let events = try Hooks.delivery(platform).flatMap { try Hooks.events(platform, $0) }
        let ids = Set(events.compactMap { $0.text("id") })
        #expect(ids.count == Set(events).count)
    }

    @Test(arguments: Hooks.platforms)
    func `addresses, telephone numbers and items stay out`(platform: String) throws {
        for hook in try Hooks.delivery(platform) {
            for event in try Hooks.events(platform, hook) {
                let text = "\(JSON.object(event))"
                for secret in [
                    "+1415", "Harbour Steps", "Elm Court", "falafel", "Ring twice", "Haddad", "33.8", "51.51",
                ] {
                    #expect(!text.contains(secret))
                }
            }
        }
    }

    static func fold(_ events: [JSONObject]) throws -> Order {
        let facts = try events.map { event in
            let time = RFC3339.parse(event.text("time") ?? "").map { Instant(microseconds: $0.microseconds) }
            return PartnerFact(
                type: EventType(event.text("type") ?? ""),
                source: event.text("source") ?? "",
                id: event.text("id") ?? "",
                occurredAt: time,
                recordedAt: time ?? Instant(microseconds: 0),
                flags: [],
                data: try PartnerData(event.data?.objectValue ?? JSONObject()),
                contentDigest: UInt64(truncatingIfNeeded: JSON.object(event).hashValue)
            )
        }
        return Order.fold(facts).order
    }
}
