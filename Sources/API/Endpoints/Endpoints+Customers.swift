internal import Tracking

/// What a caller who is one customer may touch. The holder of a key is held back by nothing here.
///
/// What is another's is answered as what nobody knows, so that ids cannot be probed.
extension Endpoints {
    static var unknownDevice: Problem { Problem(.notFound, "Nothing is known of this device in this app.") }

    /// Throws 404 unless the order is the customer's; answers what they have in it, nil for the holder of a key.
    @discardableResult func require(_ order: OrderID, for caller: Caller) async throws(Problem) -> CustomerStanding? {
        guard let customer = caller.customer else { return nil }
        let standing = try await asking { () async throws(Unavailable) in
            try await ports.orders.standing(of: customer, in: order, caller: caller)
        }
        guard let standing else { throw Self.unknownOrder }
        return standing
    }

    func require(_ order: OrderID, with device: DeviceID, for caller: Caller) async throws(Problem) {
        try await require(order, for: caller)
        try await require(device, for: caller)
    }

    /// A card that nobody knows yet may be reported: the report changes nothing.
    func require(_ order: OrderID, card: ActivityID, for caller: Caller) async throws(Problem) {
        guard let standing = try await require(order, for: caller), let device = standing.cards[card] else { return }
        try await require(device, for: caller)
    }

    /// Throws 404 unless the customer is signed in on the device.
    func require(_ device: DeviceID, for caller: Caller) async throws(Problem) {
        guard let customer = caller.customer else { return }
        guard try await owner(of: device, caller) == customer else { throw Self.unknownDevice }
    }

    /// Makes a registration the customer's own. Who signs in on a phone that was another's takes it over without the tokens
    /// of before: to know a device's id is not to hold the phone.
    func narrow(_ update: inout DeviceUpdate, of device: DeviceID, for caller: Caller) async throws(Problem) {
        guard let customer = caller.customer else { return }
        guard update.customer == .absent || update.customer == .known(customer) else {
            throw Problem(.forbidden, "A customer's token registers devices of its own sub only; leave customer out.")
        }
        update.customer = .known(customer)
        let owner = try await owner(of: device, caller)
        guard owner != customer else { return }
        let devices = try await asking { () async throws(Unavailable) in
            try await ports.devices.devices(of: customer, caller: caller)
        }
        guard devices.count < devicesPerCustomer || devices.contains(device) else {
            let detail = "This customer has \(devicesPerCustomer) devices already; log one out first."
            throw Problem(.invalidRequest, faults: [Fault("", .count, detail)])
        }
        guard owner != nil else { return }
        if update.pushToStartToken == .absent { update.pushToStartToken = .unknown }
        if update.deviceToken == .absent { update.deviceToken = .unknown }
    }

    private func owner(of device: DeviceID, _ caller: Caller) async throws(Problem) -> CustomerID? {
        try await asking { () async throws(Unavailable) in
            try await ports.devices.device(device, awaitingLink: nil, caller: caller)
        }?.customer
    }
}

extension OrderView {
    /// Leaves out other customers' cards, and the flags that are for staff.
    mutating func narrow(to standing: CustomerStanding) {
        activities = activities.filter { standing.devices.contains($0.device) }
        flags.formIntersection([.attemptFailed, .cancellationRequested, .late, .nearby])
    }
}
