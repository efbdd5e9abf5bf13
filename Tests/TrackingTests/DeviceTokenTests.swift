import Testing
import Tracking

/// A device's ordinary token (engine rules, section 3 and rule 14).
@Suite struct DeviceTokenTests {
    private static let token = TokenID("ds.01")

    private static func register(
        _ device: inout DeviceStream,
        _ version: Int,
        _ fill: (inout DeviceRegistration) -> Void = { _ in }
    ) -> [Relay] {
        var registration = DeviceRegistration(observedAt: minute(Double(version)))
        registration.customer = CustomerID("ana")
        registration.sequence = Int64(version)
        fill(&registration)
        return device.handle(.registered(registration), version: version, now: noon, policy: Policy())
    }

    private static func device() -> DeviceStream {
        var device = DeviceStream(id: DeviceID("phone"))
        _ = register(&device, 1) {
            $0.startToken = .replaced
            $0.tokenID = TokenID("ss.01")
            $0.deviceToken = .replaced
            $0.deviceTokenID = token
            $0.notificationsAllowed = true
        }
        return device
    }

    private static func tell(_ device: inout DeviceStream, _ message: Relay.DeviceMessage) -> [Relay] {
        device.handle(.message(message), version: 9, now: minute(9), policy: Policy())
    }

    private static func died(since: Double) -> Relay.DeviceMessage { .deviceTokenDied(since: minute(since)) }

    @Test func `its customer's orders learn whether there is one, and nothing of its value`() {
        let device = Self.device()
        #expect(device.snapshot?.hasDeviceToken == true)
        #expect(device.snapshot?.settings.notificationsAllowed == true)
    }

    @Test func `both tokens are claimed, each by its name`() {
        var device = DeviceStream(id: DeviceID("phone"))
        let relays = Self.register(&device, 1) {
            $0.startToken = .replaced
            $0.tokenID = TokenID("ss.01")
            $0.deviceToken = .replaced
            $0.deviceTokenID = Self.token
        }
        let claims = relays.compactMap { relay -> TokenID? in
            if case .toToken(let id, .claimed) = relay { return id }
            return nil
        }
        #expect(claims == [TokenID("ss.01"), Self.token])
    }

    // P33
    @Test func `what a registration does not mention stays, null erases`() {
        var device = Self.device()
        #expect(Self.register(&device, 2).isEmpty)
        #expect(device.hasDeviceToken)
        #expect(device.settings.notificationsAllowed)
        let relays = Self.register(&device, 3) { $0.deviceToken = .erased }
        #expect(!device.hasDeviceToken)
        #expect(device.hasStartToken)
        #expect(relays.contains(.toToken(Self.token, .released(TokenHolder(device: device.id), claim: 1))))
    }

    @Test func `who logs out is not alerted any more`() {
        var device = Self.device()
        _ = device.handle(.loggedOut(sequence: 2), version: 2, now: noon, policy: Policy())
        #expect(!device.hasDeviceToken)
    }

    // P35
    @Test(arguments: [(0.5, true), (1.5, false)])
    func `it dies only if it is older than its death, and takes nothing along`(since: Double, survives: Bool) {
        var device = Self.device()
        let relays = Self.tell(&device, Self.died(since: since))
        #expect(device.hasDeviceToken == survives)
        #expect(device.hasStartToken)
        let isTold = relays.contains { if case .toCustomer(_, .deviceChanged) = $0 { true } else { false } }
        #expect(isTold, "the order that met the death learns which token there is now")
        let isBuried = relays.contains { if case .toToken(Self.token, .died) = $0 { true } else { false } }
        #expect(isBuried != survives)
    }

    @Test func `one that another device registered is lost, and no start moves with it`() {
        var device = Self.device()
        _ = Self.tell(&device, .startRequested(OrderID("1"), incarnation: 1))
        let relays = Self.tell(&device, .tokenLost(Self.token, claim: 1, to: DeviceID("new")))
        #expect(!device.hasDeviceToken)
        #expect(device.hasStartToken)
        #expect(device.successor == nil)
        #expect(device.ledger.count == 1)
        #expect(!relays.contains { if case .toDevice = $0 { true } else { false } })
        #expect(Self.tell(&device, .tokenLost(Self.token, claim: 1, to: DeviceID("new"))).isEmpty)
    }
}
