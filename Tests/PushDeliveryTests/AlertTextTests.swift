import Testing
import Tracking

@testable import PushDelivery

/// The words of alerts.
@Suite struct AlertTextTests {
    private static func alert(
        _ verb: Verb,
        _ alerts: Alerts,
        phase: Phase = .onTheWay,
        restaurant: String? = nil,
        courier: String? = nil
    ) -> AlertText? {
        AlertText(
            sample(verb) {
                $0.intention.alerts = alerts
                $0.intention.content = Content(phase: phase, courierName: courier)
                $0.intention.attributes = CardAttributes(restaurant: restaurant)
            },
            removesCard: false,
            locales: ["en"]
        )
    }

    private static func plain(_ text: String?) -> String? { text?.filter { $0 != "\u{2068}" && $0 != "\u{2069}" } }

    @Test func `an update that alerts to nothing has no alert`() {
        #expect(Self.alert(.update, []) == nil)
        #expect(Self.alert(.end, []) == nil)
    }

    @Test(arguments: [Phase.placed, .accepted, .onTheWay, .courierWaiting])
    func `a start always alerts, in words`(phase: Phase) throws {
        for alerts in [Alerts.start, []] {
            let alert = try #require(Self.alert(.start, alerts, phase: phase))
            #expect(!alert.title.isEmpty)
            #expect(!alert.body.isEmpty)
        }
    }

    @Test func `a courier at the door is called by name where it is known`() {
        #expect(
            Self.plain(Self.alert(.update, .courierWaiting, courier: "Ana")?.body) == "Ana is waiting at the door."
        )
        #expect(Self.alert(.update, .courierWaiting)?.body == "Your courier is waiting at the door.")
    }

    @Test func `of several alerts the most pressing speaks`() {
        #expect(Self.alert(.start, [.start, .courierWaiting])?.title == "Your courier is here")
        #expect(Self.alert(.update, [.attemptFailed, .courierWaiting])?.title == "Your courier is here")
        #expect(Self.alert(.update, .attemptFailed)?.title == "Delivery attempt failed")
    }

    @Test func `a cancellation says whose`() {
        let alert = Self.alert(.end, .cancelled, phase: .cancelled, restaurant: "Luca")
        #expect(alert?.title == "Order cancelled")
        #expect(Self.plain(alert?.body) == "Your order from Luca was cancelled.")
    }

    @Test func `names are set apart and never crowd out the sentence`() throws {
        let name = String(repeating: "\u{5D0}", count: 500)
        let body = try #require(Self.alert(.end, .cancelled, phase: .cancelled, restaurant: name)?.body)
        #expect(body.contains("\u{2068}"))
        #expect(body.hasSuffix("\u{2026}\u{2069} was cancelled."))
        #expect(body.count <= 110)
    }

    @Test func `control characters never reach a screen`() throws {
        let body = try #require(Self.alert(.end, .cancelled, phase: .cancelled, restaurant: "Lu\u{7}\nca")?.body)
        #expect(Self.plain(body) == "Your order from Lu  ca was cancelled.")
    }
}
