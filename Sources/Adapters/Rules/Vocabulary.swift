/// The types that have an effect (docs/events.md), and the words of `data` that are not free.
enum Vocabulary {
    static let voided = "event.voided"

    static let types: Set<String> = [
        "order.placed", "order.accepted", "order.rejected", "order.preparing", "order.ready", "courier.assigned",
        "courier.unassigned", "courier.reassigned", "courier.to_pickup", "courier.near_pickup", "courier.at_pickup",
        "order.picked_up", "order.on_the_way", "courier.nearby", "courier.waiting", "order.delivered", "order.closed",
        "delivery.attempt_failed", "order.cancelled", "cancellation.requested", "cancellation.denied",
        "order.returning", "order.returned", "order.disposed", "order.reopened", voided, "eta.changed",
        "courier.location", "order.batched",
    ]

    static let actors: Set<String> = ["customer", "restaurant", "courier", "platform", "staff"]

    /// Where an order can be after it was reopened.
    static let openPhases: Set<String> = ["placed", "accepted", "on_the_way", "courier_waiting"]
}
