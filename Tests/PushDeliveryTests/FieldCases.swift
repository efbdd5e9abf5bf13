import APNs
import Foundation
import PushDelivery
import Testing
import Tracking

/// Payloads that were reported to do nothing, or the wrong thing, on a phone.
@Suite struct FieldCases {
    private static func aps(_ push: OutgoingPush, _ contract: String? = nil) throws -> [String: Any] {
        let rendering = try contract.map { try app($0) } ?? AppRendering()
        let payload = Data(PushRendering.request(for: push, in: rendering).payload)
        let root = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        return try #require(root["aps"] as? [String: Any])
    }

    private static func state(_ push: OutgoingPush, _ contract: String? = nil) throws -> [String: Any] {
        try #require(try aps(push, contract)["content-state"] as? [String: Any])
    }

    // P57, P58
    @Test(arguments: [Verb.start, .update])
    func `a push that waited until its promise is past still has a stale date ahead`(verb: Verb) throws {
        for waited in [Int64(0), 60, 899, 900, 86_400] {
            let late = now + .seconds(waited)
            let push = sample(verb) {
                $0.intention = $0.intention.leaving(at: late)
                $0.now = late
            }
            let stale = try #require(try Self.aps(push)["stale-date"] as? Int64)
            #expect(stale >= late.seconds + 30)
            #expect(stale <= max(now.seconds + 900, late.seconds + 30))
        }
    }

    // P63
    @Test func `every time in a payload lies in this century, read as the phone reads it`() throws {
        let start = try Self.aps(sample(.start))
        let attributes = try #require(start["attributes"] as? [String: Any])
        let state = try Self.state(sample(.start))
        for seconds in [start["timestamp"], start["stale-date"], attributes["promisedAt"], state["eta"], state["asOf"]]
        {
            let seconds = try #require(seconds as? Int64)
            #expect(abs(seconds - now.seconds) < 3600)
        }
    }

    // P67
    @Test(arguments: [(Duration.zero, -60), (.seconds(600), 600), (.seconds(3600), 3600)] as [(Duration, Int64)])
    func `a card goes at once or at a time, both counted from our clock`(stay: Duration, from: Int64) throws {
        for verb in [Verb.start, .update, .end] {
            let push = sample(verb) {
                $0.intention.dismissAfter = verb == .end ? stay : nil
                // The event is an hour old and stamped ahead.
                $0.intention.asOf = now - .seconds(3600)
                $0.stamp += 7200
            }
            let date = try Self.aps(push)["dismissal-date"] as? Int64
            #expect(date == (verb == .end ? now.seconds + from : nil))
        }
    }

    // D21
    @Test func `an arrival time that is not known is null or the app's own word for it, never 1970`() throws {
        let unknown = sample(.update) { $0.intention.content.eta = nil }
        #expect(try Self.state(unknown)["eta"] is NSNull)
        let minutes = try Self.state(unknown, "phase-and-minutes")["etaMinutes"]
        #expect(minutes == nil || minutes is NSNull)
        #expect(try Self.state(unknown, "driver-progress")["minutesRemaining"] as? Int == -1)
        #expect(try Self.state(unknown, "steps-of-total")["etaMinutes"] as? Int == -1)

        let start = sample(.start) { $0.intention.content.eta = nil }
        let alert = try #require(try Self.aps(start)["alert"] as? [String: Any])
        let body = try #require(alert["body"] as? String)
        #expect(!body.contains { $0.isNumber })
    }
}
