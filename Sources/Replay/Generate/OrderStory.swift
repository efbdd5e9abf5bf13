internal import JSONText
internal import Runtime

/// One invented delivery: its events with their distance from the order's beginning.
struct OrderStory {
    struct Event {
        let type: String
        /// Microseconds after the order was placed.
        let at: Int64
        let data: JSONObject
    }

    private(set) var events: [Event] = []
    private var generator: SplitMix64
    private var now: Int64 = 0
    private let courier: JSONObject

    /// The story of the order with this number under this seed; always the same one. `begin` is when it was placed, in
    /// microseconds since 1970, and only shows in promised times.
    init(order: Int, seed: UInt64, begin: Int64) {
        generator = SplitMix64(seed: seed ^ UInt64(order) &* 0xD6E8_FEB8_6659_FD93)
        let courierNumber = generator.below(Cast.couriers.count * 40)
        courier = [
            "id": .string("courier-\(courierNumber)"),
            "name": .string(Cast.couriers[courierNumber % Cast.couriers.count]),
        ]
        tell(order: order, begin: begin)
    }

    private mutating func tell(order: Int, begin: Int64) {
        place(order: order, begin: begin)
        // 1 % of real orders are accepted, by their clocks, before they were placed.
        let isEarly = chance(perMille: 10)
        now += isEarly ? -Int64(generator.below(40)) * 1_000_000 : Gap.untilAccepted.draw(&generator)
        add("order.accepted", eta(begin))
        if isEarly { now = 0 }
        if chance(perMille: 15) {
            return add("order.cancelled", ["reason": "customer changed plans", "by": "customer"])
        }
        collect()
        if chance(perMille: 4) { return add("order.cancelled", ["reason": "courier accident", "by": "platform"]) }
        deliver(begin: begin)
    }

    private mutating func place(order: Int, begin: Int64) {
        let restaurant = generator.below(Cast.restaurants.count)
        var data: JSONObject = [
            "customer": .string("customer-\(generator.below(1_000_000))"),
            "restaurant": [
                "id": .string("restaurant-\(restaurant)"), "name": .string(Cast.restaurants[restaurant]),
                "timeZone": "America/Los_Angeles",
            ],
            "displayNumber": .string("#\(1 + order % 999)"),
        ]
        data["eta"] = eta(begin)["eta"]
        add("order.placed", data)
    }

    /// From the courier's assignment until the food is in the bag. A quarter of real streams lack the arrival.
    private mutating func collect() {
        now += Gap.untilAtPickup.draw(&generator)
        let arrival = now
        now = arrival / 2
        if chance(perMille: 30) {
            add("courier.assigned", ["courier": ["id": "courier-0", "name": "Robin"]])
            now += 1_000_000
            add("courier.unassigned", [:])
        }
        add("courier.assigned", ["courier": .object(courier)])
        now = arrival
        if chance(perMille: 750) { add("courier.at_pickup", ["courier": .object(courier)]) }
        now += Gap.atPickup.draw(&generator)
        if chance(perMille: 500) { add("order.ready", [:]) }
    }

    private mutating func deliver(begin: Int64) {
        var data = eta(begin)
        data["courier"] = .object(courier)
        add("order.picked_up", data)
        let ride = Gap.untilDelivered.draw(&generator)
        if chance(perMille: 400) {
            now += ride / 2
            add("eta.changed", eta(begin))
            now += ride - ride / 2
        } else {
            now += ride
        }
        if chance(perMille: 400) { add("courier.nearby", [:]) }
        if chance(perMille: 300) {
            now += Gap.atTheDoor.draw(&generator)
            add("courier.waiting", [:])
        }
        now += Gap.atTheDoor.draw(&generator)
        guard chance(perMille: 7) else { return add("order.delivered", [:]) }
        add("delivery.attempt_failed", ["reason": "nobody at home"])
        now += Gap.atTheDoor.draw(&generator)
        add("order.returning", [:])
        now += Gap.untilDelivered.draw(&generator)
        add("order.returned", [:])
    }

    /// A promise in whole minutes, half an hour to an hour after what is known now.
    private mutating func eta(_ begin: Int64) -> JSONObject {
        let promised = begin + max(0, now) + Int64(30 + generator.below(30)) * 60_000_000
        return ["eta": .string(RFC3339.format(promised - promised % 60_000_000))]
    }

    private mutating func chance(perMille: Int) -> Bool { generator.below(1000) < perMille }

    private mutating func add(_ type: String, _ data: JSONObject) {
        events.append(Event(type: type, at: now, data: data))
    }
}

/// Invented names.
private enum Cast {
    static let couriers = [
        "Asha", "Björn", "Chiara", "Diego", "Emeka", "Fatima", "Goran", "Hana", "Ines", "Jun", "مريم",
    ]
    static let restaurants = [
        "Blue Door Diner", "Casa Luna", "Dumpling Yard", "Falafel Corner", "Green Bowl", "Kebab & Co", "Noodle Station",
        "Pizzeria Nonna", "Saffron Table", "Taquería Sol",
    ]
}
