import PushDelivery
import Tracking

let now = Instant(seconds: 1_700_000_000)

/// A push as the tests need it: on the way, everything known.
func sample(_ verb: Verb, _ change: (inout OutgoingPush) -> Void = { _ in }) -> OutgoingPush {
    let intention = Intention(
        revision: 3,
        verb: verb,
        priority: 10,
        alerts: verb == .start ? .start : [],
        content: Content(
            phase: verb == .end ? .delivered : .onTheWay,
            eta: verb == .end ? nil : now + .seconds(600),
            courierName: verb == .end ? nil : "Ana"
        ),
        attributes: CardAttributes(displayNumber: "42", restaurant: "Luca", promisedAt: now + .seconds(900)),
        orderRevision: 7,
        asOf: now - .seconds(2),
        dueAt: now,
        staleAfter: .seconds(900),
        expiresAfter: .seconds(300),
        dismissAfter: verb == .end ? .seconds(600) : nil,
        reason: .phaseReached,
        settings: DeviceSettings()
    )
    var push = OutgoingPush(
        order: OrderID("1001"),
        device: DeviceID("phone"),
        incarnation: 1,
        intention: intention,
        bundleID: "com.example.food",
        token: "00ff",
        stamp: 1_700_000_001,
        apnsID: "01234567-89ab-4cde-8f01-23456789abcd",
        now: now
    )
    change(&push)
    return push
}
