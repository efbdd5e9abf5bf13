extension OrderStream {
    /// Asks a customer for the devices, once; the answer is a fact. An order that is over asks only in passing, so that
    /// the decision to do nothing can be recorded for every device.
    mutating func open(_ customer: CustomerID, into outcome: inout Outcome) {
        guard links[customer] == nil else { return }
        links[customer] = false
        outcome.relays.append(.toCustomer(customer, .linkOpened(id)))
        if closed { outcome.relays.append(.toCustomer(customer, .linkClosed(id))) }
    }

    /// The answer names all devices there are: one that left while the order was closed was not told of.
    mutating func answered(_ customer: CustomerID, _ snapshots: [DeviceSnapshot], into outcome: inout Outcome) {
        links[customer] = true
        if !devices.isEmpty {
            let present = Set(snapshots.map(\.device))
            let gone = devices.values.filter { $0.customer == customer && !present.contains($0.device) }.map(\.device)
            for device in gone.sorted(by: { $0.value.precedesByBytes($1.value) }) { leave(device, into: &outcome) }
        }
        for snapshot in snapshots { learn(snapshot, into: &outcome) }
    }

    mutating func leave(_ device: DeviceID, into outcome: inout Outcome) {
        devices[device] = nil
        withdraw(device, .owner, into: &outcome)
    }

    /// Once every card is over nobody needs to tell of new devices; a reopened order opens its links again. What is
    /// known of devices is forgotten meanwhile: nobody would say that one has another owner.
    mutating func close(into outcome: inout Outcome) {
        let over =
            order.phase.isFinal
            && activities.indices.allSatisfy { activities[$0].state.isOver || activities[$0].isSettledNone }
            && fallbacks.values.allSatisfy { $0.intention == nil }
        if over, !devices.isEmpty { devices.removeAll() }
        guard over != closed else { return }
        closed = over
        for customer in links.keys.sorted(by: { $0.value.precedesByBytes($1.value) }) {
            if !over { links[customer] = false }
            outcome.relays.append(.toCustomer(customer, over ? .linkClosed(id) : .linkOpened(id)))
        }
    }
}
