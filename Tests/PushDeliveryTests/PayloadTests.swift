import APNs
import ActivityContract
import Foundation
import JSONText
import PushDelivery
import Testing
import Tracking

/// The body of a push, byte by byte and as the phone decodes it (contract section 3).
@Suite struct PayloadTests {
    @Test func `a start names its channel in the place of a token`() throws {
        let start = sample(.start) { $0.intention.channel = ChannelID("dGVzdA==") }
        let aps = try #require(try JSON.parse(PushRendering.request(for: start).payload)["aps"])
        #expect(aps["input-push-channel"] == "dGVzdA==")
        #expect(aps["input-push-token"] == nil)
        let ordinary = try #require(try JSON.parse(PushRendering.request(for: sample(.start)).payload)["aps"])
        #expect(ordinary["input-push-token"] == 1 && ordinary["input-push-channel"] == nil)
    }

    private static func text(_ push: OutgoingPush) -> String {
        String(decoding: PushRendering.request(for: push).payload, as: UTF8.self)
    }

    private static func aps(_ push: OutgoingPush) throws -> [String: Any] {
        let payload = Data(PushRendering.request(for: push).payload)
        let root = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        return try #require(root["aps"] as? [String: Any])
    }

    // MARK: - Golden

    @Test func `a start carries everything a phone needs to make a card`() {
        #expect(
            Self.text(sample(.start)) == #"{"aps":{"timestamp":1700000001,"event":"start","#
                + #""attributes-type":"DoorstepAttributes","#
                + #""attributes":{"order":"1001","incarnation":1,"displayNumber":"42","restaurant":"Luca","#
                + #""promisedAt":1700000900},"input-push-token":1,"#
                + #""content-state":{"phase":"on_the_way","eta":1700000600,"late":false,"stale":false,"courier":"Ana","#
                + #""attemptFailed":false,"pendingCommand":null,"asOf":1699999998,"revision":7},"#
                + #""stale-date":1700000900,"relevance-score":75,"#
                + #""alert":{"title":"On the way","body":"Your order from "# + "\u{2068}Luca\u{2069}"
                + #" is on its way. It should arrive in 10 minutes.","sound":"default"}}}"#
        )
    }

    @Test func `an update carries the whole state and nothing that never changes`() {
        let push = sample(.update) { $0.intention.content = Content(phase: .courierWaiting) }
        #expect(
            Self.text(push) == #"{"aps":{"timestamp":1700000001,"event":"update","#
                + #""content-state":{"phase":"courier_waiting","eta":null,"late":false,"stale":false,"courier":null,"#
                + #""attemptFailed":false,"pendingCommand":null,"asOf":1699999998,"revision":7},"#
                + #""stale-date":1700000900,"relevance-score":100}}"#
        )
    }

    // P67
    @Test func `an end carries the final state and when the card goes`() {
        #expect(
            Self.text(sample(.end)) == #"{"aps":{"timestamp":1700000001,"event":"end","dismissal-date":1700000600,"#
                + #""content-state":{"phase":"delivered","eta":null,"late":false,"stale":false,"courier":null,"#
                + #""attemptFailed":false,"pendingCommand":null,"asOf":1699999998,"revision":7},"#
                + #""stale-date":1700000900}}"#
        )
    }

    // P67
    @Test(arguments: [nil, Duration.zero, .seconds(-5)])
    func `a card that goes at once has a dismissal in the past, whatever else is dated`(stay: Duration?) throws {
        let aps = try Self.aps(
            sample(.end) {
                $0.intention.dismissAfter = stay
                $0.stamp += 9_999
            }
        )
        #expect(try #require(aps["dismissal-date"] as? Int64) < now.seconds)
    }

    // P58
    @Test func `a stale date that would be past is left out`() throws {
        for stale in [Duration.zero, .seconds(-1)] {
            #expect(try Self.aps(sample(.update) { $0.intention.staleAfter = stale })["stale-date"] == nil)
        }
        #expect(try Self.aps(sample(.update) { $0.intention.staleAfter = .seconds(30) })["stale-date"] != nil)
    }

    // P66
    @Test func `the same words again have another revision`() throws {
        let texts = [7, 8].map { revision in Self.text(sample(.update) { $0.intention.orderRevision = revision }) }
        #expect(texts[0] != texts[1])
        #expect(texts[0].replacing("\"revision\":7", with: "\"revision\":8") == texts[1])
    }

    // P69
    @Test func `a new arrival time alone is quiet, and in seconds`() throws {
        let push = sample(.update) {
            $0.intention.priority = 5
            $0.intention.content.eta = now + .seconds(720)
        }
        let aps = try Self.aps(push)
        #expect(aps["alert"] == nil)
        #expect(aps["sound"] == nil)
        #expect((aps["content-state"] as? [String: Any])?["eta"] as? Int64 == 1_700_000_720)
        #expect(PushRendering.request(for: push).priority == .considerate)
    }

    @Test func `the app's own name of the type is sent to the letter`() throws {
        let aps = try Self.aps(sample(.start) { $0.intention.settings.attributesType = "FoodAttributes" })
        #expect(aps["attributes-type"] as? String == "FoodAttributes")
    }

    // MARK: - What the phone decodes

    @Test(arguments: Phase.allCases)
    func `a default decoder reads every state`(phase: Phase) throws {
        let content = Content(
            phase: phase,
            eta: now + .seconds(60),
            isLate: true,
            isStale: true,
            courierName: "Z\"o\u{EB}\\",
            attemptFailed: true
        )
        let aps = try Self.aps(sample(.update) { $0.intention.content = content })
        let state = try JSONSerialization.data(withJSONObject: #require(aps["content-state"]))
        #expect(
            try JSONDecoder().decode(DoorstepAttributes.ContentState.self, from: state)
                == .init(
                    phase: #require(DoorstepAttributes.Phase(rawValue: phase.name)),
                    eta: 1_700_000_060,
                    late: true,
                    stale: true,
                    courier: "Z\"o\u{EB}\\",
                    attemptFailed: true,
                    asOf: 1_699_999_998,
                    revision: 7
                )
        )
    }

    @Test func `a default decoder reads the attributes, known or not`() throws {
        for attributes in [CardAttributes(), sample(.start).intention.attributes] {
            let aps = try Self.aps(sample(.start) { $0.intention.attributes = attributes })
            let bytes = try JSONSerialization.data(withJSONObject: #require(aps["attributes"]))
            #expect(
                try JSONDecoder().decode(DoorstepAttributes.self, from: bytes)
                    == .init(
                        order: "1001",
                        incarnation: 1,
                        displayNumber: attributes.displayNumber,
                        restaurant: attributes.restaurant,
                        promisedAt: attributes.promisedAt?.seconds
                    )
            )
        }
    }

    // MARK: - Size

    @Test func `the longest names and ids fit`() throws {
        let push = sample(.start) {
            $0.order = OrderID(String(repeating: "\u{1}", count: 255))
            $0.intention.settings.attributesType = String(repeating: "T", count: 255)
            $0.intention.attributes.restaurant = String(repeating: "\"", count: 60_000)
            $0.intention.attributes.displayNumber = String(repeating: "\u{1}\\", count: 200)
            $0.intention.content.courierName = String(
                repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
                count: 99
            )
        }
        let request = PushRendering.request(for: push)
        #expect(request.payload.count <= 4096)
        #expect(request.problem == nil)
        let aps = try Self.aps(push)
        let attributes = try #require(aps["attributes"] as? [String: Any])
        #expect(attributes["order"] as? String == push.order.value)
    }

    @Test func `a long name is cut between letters, and shows it`() throws {
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        let push = sample(.update) { $0.intention.content.courierName = String(repeating: family, count: 99) }
        let state = try #require(try Self.aps(push)["content-state"] as? [String: Any])
        let courier = try #require(state["courier"] as? String)
        #expect(courier.last == "\u{2026}")
        #expect(courier.dropLast().allSatisfy { String($0) == family })
    }
}
