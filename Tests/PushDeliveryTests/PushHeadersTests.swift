import APNs
import PushDelivery
import Testing
import Tracking

/// The headers of a push (contract 1.2).
@Suite struct PushHeadersTests {
    @Test(arguments: [Verb.start, .update, .end])
    func `start, update and end share one topic`(verb: Verb) {
        let request = PushRendering.request(for: sample(verb))
        #expect(request.topic == "com.example.food.push-type.liveactivity")
        #expect(request.destination == .device(token: "00ff"))
        #expect(request.apnsID == "01234567-89ab-4cde-8f01-23456789abcd")
        #expect(request.expiration == 1_700_000_300)
        #expect(request.problem == nil)
    }

    @Test func `what a channel tells goes to the channel, and is stored for eight hours at most`() {
        let request = PushRendering.request(
            for: sample(.end) {
                $0.incarnation = Channel.incarnation
                $0.intention.channel = ChannelID("dGVzdA==")
                $0.intention.expiresAfter = .seconds(12 * 3600)
                $0.bundleID += ".push-type.liveactivity"
            }
        )
        #expect(request.destination == .channel(id: "dGVzdA==", bundleID: "com.example.food"))
        #expect(request.expiration == now.seconds + 8 * 3600)
        #expect(request.collapseID == nil)
        #expect(request.problem == nil)
    }

    // P47
    @Test func `a bundle id that has the suffix already gets no second one`() {
        let request = PushRendering.request(for: sample(.start) { $0.bundleID += ".push-type.liveactivity" })
        #expect(request.topic == "com.example.food.push-type.liveactivity")
    }

    @Test func `priorities are five and ten`() {
        #expect(PushRendering.request(for: sample(.update)).priority == .immediate)
        #expect(PushRendering.request(for: sample(.update) { $0.intention.priority = 5 }).priority == .considerate)
    }

    // P54
    @Test func `only a start collapses, with the repeat of itself alone`() throws {
        let start = try #require(PushRendering.request(for: sample(.start)).collapseID)
        #expect(start.utf8.count <= 64)
        #expect(!start.contains("1001"))
        #expect(PushRendering.request(for: sample(.update)).collapseID == nil)
        #expect(PushRendering.request(for: sample(.end)).collapseID == nil)

        let again = sample(.start) {
            $0.apnsID = "ffffffff-ffff-4fff-8fff-ffffffffffff"
            $0.stamp += 9
            $0.intention.content.courierName = nil
        }
        #expect(PushRendering.request(for: again).collapseID == start)
        let others = [
            sample(.start) { $0.order = OrderID("1002") }, sample(.start) { $0.device = DeviceID("tablet") },
            sample(.start) { $0.incarnation = 2 },
        ]
        for other in others { #expect(PushRendering.request(for: other).collapseID != start) }
    }
}
