import APNs
import JSONText
import PushDelivery
import Testing
import Tracking

/// The ordinary alert in the place of a card (engine rule 14).
@Suite struct AlertPushTests {
    private static func alert(_ alerts: Alerts = .courierWaiting, locale: String? = nil) -> OutgoingPush {
        sample(.alert) {
            $0.incarnation = 0
            $0.intention.alerts = alerts
            $0.intention.content = Content(
                phase: alerts == .cancelled ? .cancelled : .courierWaiting,
                courierName: "Ana"
            )
            $0.intention.settings.locale = locale
        }
    }

    @Test func `its headers are those of an ordinary notification`() {
        let request = PushRendering.request(for: Self.alert())
        #expect(request.topic == "com.example.food")
        #expect(request.pushType == .alert)
        #expect(request.priority == .immediate)
        #expect(request.expiration == 1_700_000_300)
        #expect(request.problem == nil)
    }

    // P47
    @Test func `the suffix of Live Activities is no part of its topic`() {
        var push = Self.alert()
        push.bundleID += ".push-type.liveactivity"
        #expect(PushRendering.request(for: push).topic == "com.example.food")
    }

    @Test func `a later alert takes the place of an earlier one of its order, and of no other`() throws {
        let first = try #require(PushRendering.request(for: Self.alert()).collapseID)
        #expect(PushRendering.request(for: Self.alert(.cancelled)).collapseID == first)
        #expect(first.utf8.count <= 64)
        #expect(!first.contains("1001"))
        var other = Self.alert()
        other.order = OrderID("1002")
        #expect(PushRendering.request(for: other).collapseID != first)
        #expect(PushRendering.request(for: sample(.start)).collapseID != first)
    }

    @Test func `it says what the card's alert would say, and which order it is about`() throws {
        let request = PushRendering.request(for: Self.alert())
        let json = try JSON.parse(request.payload)
        let aps = json["aps"]
        #expect(aps?["alert"]?["title"] == "Your courier is here")
        #expect(aps?["alert"]?["body"]?.stringValue?.hasSuffix("is waiting at the door.") == true)
        #expect(aps?["alert"]?["sound"] == nil)
        #expect(aps?["sound"] == "default")
        #expect(aps?["thread-id"]?.stringValue == request.collapseID)
        #expect(json["doorstep"] == ["order": "1001", "phase": "courier_waiting"])
        #expect(aps?["event"] == nil)
        #expect(aps?["content-state"] == nil)
    }

    @Test(arguments: [("pl-PL", "Zamówienie"), ("hr", "Narudžba")])
    func `it speaks the phone's language`(locale: String, word: String) throws {
        let json = try JSON.parse(PushRendering.request(for: Self.alert(.cancelled, locale: locale)).payload)
        #expect(json["aps"]?["alert"]?["title"]?.stringValue?.hasPrefix(word) == true)
    }
}
