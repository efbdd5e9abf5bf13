extension AlertTemplates {
    static let english = AlertTemplates(
        order: "Your order",
        orderFrom: { "Your order from \($0)" },
        courier: "Your courier",
        courierNamed: { $0 },
        arrival: { "It should arrive in \($0)." },
        placed: Sentence("Order placed") { "\($0) has been placed." },
        accepted: Sentence("Order accepted") { "\($0) is being prepared." },
        onTheWay: Sentence("On the way") { "\($0) is on its way." },
        cancelled: Sentence("Order cancelled") { "\($0) was cancelled." },
        attemptFailed: Sentence("Delivery attempt failed") { "\($0) could not be handed over." },
        courierWaiting: Sentence("Your courier is here") { "\($0) is waiting at the door." },
        delivered: Sentence("Order delivered") { "\($0) was delivered." },
        failed: Sentence("Delivery failed") { "\($0) could not be delivered." },
        returned: Sentence("Order returned") { "\($0) was returned to the sender." }
    )
}
