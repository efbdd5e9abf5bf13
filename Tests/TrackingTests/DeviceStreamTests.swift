import Testing
import Tracking

/// What a device remembers and grants (engine rules, section 3 and rule 11).
@Suite struct DeviceStreamTests {
    private static func device(_ policy: Policy = Policy()) -> DeviceStream {
        var device = DeviceStream(id: DeviceID("phone"))
        var registration = DeviceRegistration(observedAt: noon)
        registration.customer = CustomerID("ana")
        registration.locale = "hr"
        registration.startToken = .replaced
        registration.sequence = 5
        _ = device.handle(.registered(registration), version: 1, now: noon, policy: policy)
        return device
    }

    private static func ask(
        _ device: inout DeviceStream,
        _ order: Int,
        at time: Double,
        _ policy: Policy = Policy()
    )
        -> [Relay]
    {
        let message = Relay.DeviceMessage.startRequested(OrderID("\(order)"), incarnation: 1)
        return device.handle(.message(message), version: order + 2, now: minute(time), policy: policy)
    }

    private static func isGranted(_ relays: [Relay]) -> Bool {
        guard case .toOrder(_, .startGranted)? = relays.first else { return false }
        return true
    }

    // P33
    @Test func `what a registration does not mention stays`() {
        var device = Self.device()
        var registration = DeviceRegistration(observedAt: noon)
        registration.customer = CustomerID("ana")
        registration.sequence = 6
        let relays = device.handle(.registered(registration), version: 2, now: noon, policy: Policy())
        #expect(relays.isEmpty)
        #expect(device.hasStartToken)
        #expect(device.settings.locale == "hr")
        registration.startToken = .erased
        registration.sequence = 7
        _ = device.handle(.registered(registration), version: 3, now: noon, policy: Policy())
        #expect(!device.hasStartToken)
    }

    // P34
    @Test func `an older registration has no effect`() {
        var device = Self.device()
        var registration = DeviceRegistration(observedAt: noon)
        registration.startToken = .erased
        registration.customer = CustomerID("bo")
        registration.sequence = 4
        let relays = device.handle(.registered(registration), version: 2, now: noon, policy: Policy())
        #expect(relays.isEmpty)
        #expect(device.hasStartToken)
        #expect(device.customer == CustomerID("ana"))
    }

    // P55
    @Test func `twenty orders in a minute start no more than the budget`() {
        var policy = Policy()
        policy.maxActivities = 100
        var device = Self.device()
        let answers = (0..<20).map { Self.ask(&device, $0, at: Double($0) / 20, policy) }
        #expect(answers.filter(Self.isGranted).count == policy.startsPerTenMinutes)
        #expect(
            answers.last
                == [.toOrder(OrderID("19"), .startRefused(device.id, incarnation: 1, until: minute(10)))]
        )
        #expect(Self.isGranted(Self.ask(&device, 20, at: 10.01, policy)))
    }

    @Test func `a full phone refuses, and tells when a place is free`() {
        var policy = Policy()
        policy.maxActivities = 1
        var device = Self.device()
        #expect(Self.isGranted(Self.ask(&device, 1, at: 0, policy)))
        #expect(
            Self.ask(&device, 2, at: 0, policy)
                == [.toOrder(OrderID("2"), .startRefused(device.id, incarnation: 1, until: nil))]
        )
        let relays = device.handle(
            .message(.cardEnded(OrderID("1"), incarnation: 1)),
            version: 9,
            now: minute(1),
            policy: policy
        )
        #expect(relays == [.toOrder(OrderID("2"), .startFree(device.id))])
        #expect(Self.isGranted(Self.ask(&device, 2, at: 1, policy)))
    }

    @Test func `a question told twice takes one place`() {
        var device = Self.device()
        let first = Self.ask(&device, 1, at: 0)
        #expect(Self.ask(&device, 1, at: 0) == first)
        #expect(device.places.count == 1)
        #expect(device.ledger.count == 1)
    }

    // P35
    @Test(arguments: [(-1.0, true), (1, false)])
    func `a start token dies only if it is older than its death`(since: Double, survives: Bool) {
        var device = Self.device()
        let message = Relay.DeviceMessage.startAnswered(
            OrderID("1"),
            incarnation: 1,
            result: .tokenDead,
            deadSince: minute(since)
        )
        let relays = device.handle(.message(message), version: 2, now: minute(2), policy: Policy())
        #expect(device.hasStartToken == survives)
        #expect(relays.count == 1, "the order that met the death learns which token there is now")
    }
}
