import JSONText
import Testing

@testable import APNsSimulator

/// Ordinary alerts on a phone.
@Suite struct AlertTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    @discardableResult
    private mutating func alert(_ title: String, collapseID: String? = "order-1", _ aps: JSON? = nil) -> PushReply {
        simulated.send(
            to: simulated.phone.deviceToken,
            ["aps": aps ?? ["alert": ["title": .string(title), "body": "At the door."], "sound": "default"]],
            headers: [
                "apns-topic": SimulatedWorld.bundleID, "apns-push-type": "alert", "apns-collapse-id": collapseID,
            ]
        )
    }

    @Test mutating func `an alert is shown until a newer one of its order takes its place`() {
        alert("Your courier is here")
        alert("Another order", collapseID: "order-2")
        #expect(simulated.lastVerdict == .notified)
        alert("Order cancelled")
        #expect(simulated.phone.alerts.map(\.title) == ["Another order", "Order cancelled"])
        #expect(simulated.phone.notifications == 3)
        #expect(simulated.world.totals.alerts == 3)
        #expect(simulated.world.totals.accepted[.alert] == 3)
        #expect(simulated.phone.cards.isEmpty)
    }

    @Test mutating func `an alert that says nothing is malformed`() {
        alert("", ["sound": "default"])
        #expect(simulated.lastVerdict == .malformed)
        #expect(simulated.phone.alerts.isEmpty)
    }

    @Test mutating func `a person who does not let the app notify sees nothing, and APNs does not tell`() {
        simulated.perform(.notificationsOff)
        let reply = alert("Your courier is here")
        #expect(reply.refusal == nil)
        #expect(simulated.lastVerdict == .notificationsOff)
        #expect(simulated.phone.alerts.isEmpty)
        simulated.perform(.notificationsOn)
        alert("Your courier is here")
        #expect(simulated.phone.alerts.count == 1)
    }

    @Test mutating func `the app tells its ordinary token and whether it may notify`() throws {
        _ = simulated.takeCalls()
        simulated.perform(.notificationsOff)
        let call = try #require(simulated.takeCalls().last)
        let body = try JSON.parse(call.body)
        #expect(body["deviceToken"]?.stringValue == simulated.phone.deviceToken)
        #expect(body["notificationsAllowed"] == false)
    }
}
