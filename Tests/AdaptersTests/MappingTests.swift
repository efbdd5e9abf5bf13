import Adapters
import JSONText
import Testing

/// Each platform's words, as they are to be understood.
struct MappingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let platform: String
        /// Which of the platform's webhooks in the fixtures, and what is changed in it.
        let hook: Int
        let changes: [(path: String, value: JSON)]
        /// The word and the type of every event it becomes.
        let events: [String]

        init(_ platform: String, _ hook: Int, _ changes: [(path: String, value: JSON)], _ events: String...) {
            self.init(platform, hook, changes, events: events)
        }

        init(_ platform: String, _ hook: Int, _ changes: [(path: String, value: JSON)], events: [String]) {
            self.platform = platform
            self.hook = hook
            self.changes = changes
            self.events = events
        }

        var testDescription: String { "\(platform): \(events.joined(separator: ", "))" }
    }

    @Test(arguments: uber + doordash + wolt + onfleet + shipday + deliveroo + square)
    func `a word is understood`(expected: Case) throws {
        let hook = try Hooks.delivery(expected.platform)[expected.hook]
        let changed = expected.changes.reduce(hook) { $0.with($1.value, at: $1.path) }
        let events = try Hooks.events(expected.platform, changed)
        let told = events.map { "\($0.text("sourcetype") ?? "") \($0.text("type") ?? "")" }
        #expect(told.filter { !$0.hasPrefix("position ") } == expected.events)
    }

    private static func uber(_ status: String, imminent: JSON = false, id: JSON = "del_1", _ events: String...) -> Case
    {
        Case(
            "uber-direct",
            4,
            [("status", .string(status)), ("data.courier_imminent", imminent), ("delivery_id", id)],
            events: events
        )
    }

    static let uber = [
        uber("pending", "pending order.accepted"),
        uber("pickup", "pickup courier.assigned", "pickup courier.to_pickup"),
        uber("pickup", imminent: true, "pickup courier.near_pickup"),
        uber("pickup_complete", "pickup_complete order.picked_up"),
        uber("dropoff", "dropoff order.on_the_way"),
        uber("dropoff", imminent: true, "dropoff courier.nearby"),
        uber("delivered", "delivered order.delivered"),
        uber("canceled", "canceled order.cancelled"),
        uber("returned", "returned order.returning"),
        uber("pending", id: "ret_1", "pending order.returning"),
        uber("pickup", id: "ret_1", "pickup order.returning"),
        uber("dropoff", imminent: true, id: "ret_1", "dropoff order.returning"),
        uber("delivered", id: "ret_1", "delivered order.returned"),
        Case("uber-direct", 7, [], "delivered order.delivered", "complete order.closed"),
        Case("uber-direct", 2, [], "event.courier_update courier.location"),
        Case("uber-direct", 2, [("kind", "event.refund_request")], "event.refund_request event.refund_request"),
        Case(
            "uber-direct",
            7,
            [("status", "returned"), ("data.undeliverable_reason", "customer_unavailable"), ("data.complete", false)],
            "returned order.returning",
            "undeliverable_reason delivery.attempt_failed"
        ),
    ]

    private static func words(
        _ platform: String,
        _ path: String,
        _ types: KeyValuePairs<String, String>,
        hook: Int = 0
    ) -> [Case] {
        types.map { word, type in Case(platform, hook, [(path, .string(word))], "\(word) \(type)") }
    }

    static let doordash = words(
        "doordash-drive",
        "event_type",
        [
            "DASHER_CONFIRMED": "courier.assigned", "DASHER_CONFIRMED_PICKUP_ARRIVAL": "courier.at_pickup",
            "DASHER_ENROUTE_TO_PICKUP": "courier.to_pickup", "DASHER_PICKED_UP": "order.picked_up",
            "DASHER_ENROUTE_TO_DROPOFF": "order.on_the_way", "DASHER_CONFIRMED_DROPOFF_ARRIVAL": "courier.waiting",
            "DASHER_DROPPED_OFF": "order.delivered", "DELIVERY_CANCELLED": "order.cancelled",
            "DELIVERY_RETURN_INITIALIZED": "order.returning", "DELIVERY_RETURNED": "order.returned",
            "DASHER_CONFIRMED_RETURN_ARRIVAL": "order.returning", "DELIVERY_BATCHED": "order.batched",
            "delivery_created": "order.placed", "delivery_attempted": "delivery.attempt_failed",
            "driver_batched": "order.batched",
        ]
    )

    static let wolt =
        words(
            "wolt-drive",
            "type",
            [
                "order.received": "order.accepted", "order.rejected": "order.rejected",
                "order.pickup_arrival": "courier.near_pickup", "order.picked_up": "order.picked_up",
                "order.dropoff_started": "order.on_the_way", "order.dropoff_arrival": "courier.nearby",
                "order.delivered": "order.delivered", "order.dropoff_completed": "order.closed",
                "order.customer_no_show": "delivery.attempt_failed", "order.pickup_eta_updated": "eta.changed",
                "order.dropoff_eta_updated": "eta.changed", "order.location_updated": "courier.location",
            ]
        ) + [
            Case(
                "wolt-drive",
                2,
                [],
                "order.pickup_started courier.assigned",
                "order.pickup_started courier.to_pickup"
            )
        ]

    private static func onfleet(_ trigger: String, pickup: String, dropoff: String) -> [Case] {
        [(true, pickup), (false, dropoff)].map { isPickup, type in
            Case(
                "onfleet",
                8,
                [("triggerName", .string(trigger)), ("data.task.pickupTask", .bool(isPickup))],
                "\(trigger) \(type)"
            )
        }
    }

    static let onfleet =
        onfleet("taskStarted", pickup: "courier.to_pickup", dropoff: "order.on_the_way")
        + onfleet("taskEta", pickup: "courier.near_pickup", dropoff: "courier.nearby")
        + onfleet("taskArrival", pickup: "courier.near_pickup", dropoff: "courier.nearby")
        + onfleet("taskCompleted", pickup: "order.picked_up", dropoff: "order.delivered")
        + words(
            "onfleet",
            "triggerName",
            [
                "taskCreated": "order.placed", "taskAssigned": "courier.assigned",
                "taskUnassigned": "courier.unassigned", "taskFailed": "delivery.attempt_failed",
                "taskDeleted": "order.cancelled", "taskDelayed": "eta.changed", "taskUpdated": "eta.changed",
            ]
        ) + [Case("onfleet", 0, [("triggerName", "workerDuty"), ("taskId", nil)])]

    static let shipday =
        words(
            "shipday",
            "event",
            [
                "ORDER_INSERTED": "order.placed", "ORDER_ASSIGNED": "courier.assigned",
                "ORDER_ACCEPTED_AND_STARTED": "courier.assigned", "ORDER_UNASSIGNED": "courier.unassigned",
                "ORDER_PIKEDUP": "order.picked_up", "ORDER_ONTHEWAY": "order.on_the_way",
                "ORDER_COMPLETED": "order.delivered", "ORDER_FAILED": "delivery.attempt_failed",
                "ORDER_INCOMPLETE": "delivery.attempt_failed", "ORDER_DELETE": "order.cancelled",
                "ORDER_PIKEDUP_REMOVED": "event.voided", "ORDER_ONTHEWAY_REMOVED": "event.voided",
            ]
        ) + [Case("shipday", 2, [], "ORDER_ACCEPTED_AND_STARTED courier.to_pickup")]

    static let deliveroo =
        words(
            "deliveroo",
            "body.order.status_log.0.status",
            [
                "placed": "order.placed", "PLACED": "order.placed", "accepted": "order.accepted",
                "ACCEPTED": "order.accepted", "rejected": "order.rejected", "REJECTED": "order.rejected",
                "canceled": "order.cancelled", "CANCELED": "order.cancelled", "confirmed": "order.preparing",
            ]
        )
        + [
            ("rider_assigned", "courier.assigned"), ("rider_unassigned", "courier.unassigned"),
            ("rider_arrived", "courier.near_pickup"), ("rider_confirmed_at_restaurant", "courier.at_pickup"),
            ("rider_in_transit", "order.on_the_way"), ("rider_nearby", "courier.nearby"),
        ].map { word, type in
            Case(
                "deliveroo",
                2,
                [("body.riders.0.status_log.0.status", .string(word))],
                "\(word) \(type)",
                "estimated_arrival_time eta.changed"
            )
        } + [
            Case(
                "deliveroo",
                2,
                [("body.stacked_with", ["gb:9"]), ("body.riders.0.estimated_arrival_time", "")],
                "rider_assigned courier.assigned",
                "stacked_with order.batched"
            ),
            Case("deliveroo", 0, [("event", "menu.upload_result"), ("body", ["menu_id": "m"])]),
        ]

    static let square =
        words(
            "square",
            "data.object.order_fulfillment_updated.fulfillment_update.0.new_state",
            [
                "PROPOSED": "order.placed", "RESERVED": "order.accepted", "PREPARED": "order.ready",
                "COMPLETED": "order.closed", "CANCELED": "order.cancelled", "FAILED": "delivery.attempt_failed",
            ],
            hook: 3
        ) + [
            Case("square", 0, [], "order.created order.placed"),
            Case("square", 2, []),
            Case("square", 2, [("data.object.order_updated.state", "CANCELED")], "order.updated order.cancelled"),
            Case("square", 2, [("type", "payment.updated")]),
        ]
}
