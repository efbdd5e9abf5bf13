import APNs
import ActivityContract
import Foundation
import PushDelivery
import Runtime
import Testing
import Tracking

/// Payloads for apps with types of their own, as those types decode them.
@Suite struct ShapeTests {
    private typealias A = StatusAndDate.DeliveryAttributes
    private typealias B = PhaseAndMinutes.DeliveryAttributes
    private typealias C = DriverProgress.DeliveryActivityAttributes
    private typealias D = StepsOfTotal.DeliveryAttributes

    private static func decode<Attributes: Decodable, State: Decodable>(
        _ push: OutgoingPush,
        _ contract: String?,
        _: Attributes.Type,
        _: State.Type
    ) throws -> Decoded<Attributes, State>.APS {
        let rendering = try contract.map { try app($0) } ?? AppRendering()
        let payload = Data(PushRendering.request(for: push, in: rendering).payload)
        return try JSONDecoder().decode(Decoded<Attributes, State>.self, from: payload).aps
    }

    // MARK: - One order in each shape

    // P63
    @Test func `a status and a date`() throws {
        let aps = try Self.decode(sample(.start), "status-and-date", A.self, A.ContentState.self)
        #expect(aps.attributesType == "DeliveryAttributes")
        #expect(aps.attributes == A(orderId: "1001", restaurantName: "Luca"))
        let arrival = Date(timeIntervalSince1970: 1_700_000_600)
        #expect(aps.state == .init(status: .onTheWay, estimatedArrival: arrival, courierName: "Ana"))
        let end = try Self.decode(sample(.end), "status-and-date", A.self, A.ContentState.self)
        let asOf = Date(timeIntervalSince1970: 1_699_999_998)
        #expect(end.state == .init(status: .delivered, estimatedArrival: asOf, courierName: nil))
    }

    @Test func `a phase and minutes that may be unknown`() throws {
        let aps = try Self.decode(sample(.start), "phase-and-minutes", B.self, B.ContentState.self)
        #expect(aps.attributes == B(orderID: "1001"))
        #expect(aps.state == .init(phase: "on_the_way", etaMinutes: 10))
        let end = try Self.decode(sample(.end), "phase-and-minutes", B.self, B.ContentState.self)
        #expect(end.state == .init(phase: "delivered", etaMinutes: nil))
    }

    @Test func `a driver, a stage and how far along`() throws {
        let aps = try Self.decode(sample(.start), "driver-progress", C.self, C.ContentState.self)
        let promised = Date(timeIntervalSince1970: 1_700_000_900)
        #expect(aps.attributesType == "DeliveryActivityAttributes")
        #expect(aps.attributes == C(orderId: "1001", restaurantName: "Luca", estimatedDeliveryTime: promised))
        #expect(
            aps.state
                == .init(driverName: "Ana", driverProgress: 0.5, currentStage: "On the way", minutesRemaining: 10)
        )
        let end = try Self.decode(sample(.end), "driver-progress", C.self, C.ContentState.self)
        #expect(
            end.state == .init(driverName: "", driverProgress: 1, currentStage: "Delivered", minutesRemaining: -1)
        )
    }

    @Test func `steps of a total`() throws {
        let aps = try Self.decode(sample(.start), "steps-of-total", D.self, D.ContentState.self)
        #expect(aps.attributes == D(orderNumber: "1001", restaurantName: "Luca", totalSteps: 3))
        #expect(aps.state == .init(status: .onTheWay, etaMinutes: 10, driverName: "Ana", stepsCompleted: 2))
        let end = try Self.decode(sample(.end), "steps-of-total", D.self, D.ContentState.self)
        #expect(end.state == .init(status: .arrived, etaMinutes: -1, driverName: "", stepsCompleted: 3))
    }

    // MARK: - Golden

    // P57, P65
    @Test func `start, update and end are these bytes`() throws {
        let app = try app("status-and-date")
        func text(_ push: OutgoingPush) -> String {
            String(decoding: PushRendering.request(for: push, in: app).payload, as: UTF8.self)
        }
        #expect(
            text(sample(.start)) == #"{"aps":{"timestamp":1700000001,"event":"start","#
                + #""attributes-type":"DeliveryAttributes","attributes":{"orderId":"1001","restaurantName":"Luca"},"#
                + #""input-push-token":1,"content-state":{"status":"onTheWay","estimatedArrival":721693400,"#
                + #""courierName":"Ana"},"stale-date":1700000900,"relevance-score":75,"#
                + #""alert":{"title":"On the way","body":"Your order from "# + "\u{2068}Luca\u{2069}"
                + #" is on its way. It should arrive in 10 minutes.","sound":"default"}}}"#
        )
        #expect(
            text(sample(.update)) == #"{"aps":{"timestamp":1700000001,"event":"update","content-state":"#
                + #"{"status":"onTheWay","estimatedArrival":721693400,"courierName":"Ana"},"stale-date":1700000900,"#
                + #""relevance-score":75}}"#
        )
        #expect(
            text(sample(.end)) == #"{"aps":{"timestamp":1700000001,"event":"end","dismissal-date":1700000600,"#
                + #""content-state":{"status":"delivered","estimatedArrival":721692798,"courierName":null},"#
                + #""stale-date":1700000900}}"#
        )
        let cancelled = sample(.end) { $0.intention.content = Content(phase: .cancelled) }
        #expect(
            text(cancelled) == #"{"aps":{"timestamp":1700000001,"event":"end","dismissal-date":1699999940,"#
                + #""alert":{"title":"Order cancelled","body":"Your order from "# + "\u{2068}Luca\u{2069}"
                + #" was cancelled.","sound":"default"}}}"#
        )
    }

    // MARK: - Whatever is known

    @Test func `random cards always decode, and fit`() throws {
        var random = SplitMix64(seed: 63)
        let limits = try ["status-and-date", "phase-and-minutes", "driver-progress", "steps-of-total"].map { name in
            (app: try app(name), largest: ContractReport(try example(name)).largest)
        }
        for _ in 0..<400 {
            let push = Self.push(&random)
            let removes = push.intention.verb == .end && [.cancelled, .failed, .returned].contains(push.phase)
            let a = try Self.decode(push, "status-and-date", A.self, A.ContentState.self)
            #expect((a.state == nil) == removes)
            #expect(!removes || (a.alert?.body.isEmpty == false && (a.dismissalDate ?? .max) < push.now.seconds))
            let b = try Self.decode(push, "phase-and-minutes", B.self, B.ContentState.self)
            #expect(b.state?.phase == push.phase.name)
            #expect((b.state?.etaMinutes ?? 0) >= 0)
            let c = try Self.decode(push, "driver-progress", C.self, C.ContentState.self)
            #expect((0...1).contains(try #require(c.state).driverProgress))
            let d = try Self.decode(push, "steps-of-total", D.self, D.ContentState.self)
            #expect((d.state == nil) == removes)
            let plain = try Self.decode(
                push,
                nil,
                DoorstepAttributes.self,
                DoorstepAttributes.ContentState.self
            )
            #expect(plain.state?.phase.rawValue == push.phase.name)
            for (app, largest) in limits {
                #expect(PushRendering.request(for: push, in: app).payload.count <= largest)
            }
            #expect((plain.attributes == nil) == (push.intention.verb != .start))
        }
    }

    private static func push(_ random: inout SplitMix64) -> OutgoingPush {
        let verb = [Verb.start, .update, .end].randomElement(using: &random) ?? .update
        let phases = Phase.allCases.filter { $0.isFinal == (verb == .end) }
        let texts = [
            "", "Ana", "\"\\\u{7}\n", "\u{202E}\u{5D0}\u{2069}", String(repeating: "\u{1F6B2}", count: 99),
            String(repeating: "\"\u{301}\u{301}\u{301}", count: 99), String(repeating: "\"", count: 99),
        ]
        var numbers = SplitMix64(seed: random.next())
        func text() -> String? { Bool.random(using: &numbers) ? texts.randomElement(using: &numbers) : nil }
        func moment() -> Instant? {
            Bool.random(using: &numbers) ? now + .seconds(Int64.random(in: -9_999...99_999, using: &numbers)) : nil
        }
        return sample(verb) {
            $0.order = OrderID(text() ?? "1")
            $0.incarnation = Int.random(in: 1...9, using: &numbers)
            $0.intention.content = Content(
                phase: phases.randomElement(using: &numbers) ?? .placed,
                eta: moment(),
                isLate: Bool.random(using: &numbers),
                isStale: Bool.random(using: &numbers),
                courierName: text(),
                attemptFailed: Bool.random(using: &numbers),
                progress: Bool.random(using: &numbers) ? Double.random(in: -1...2, using: &numbers) : nil
            )
            $0.intention.attributes = CardAttributes(displayNumber: text(), restaurant: text(), promisedAt: moment())
            $0.intention.settings.locale = ["hr_HR", "pl", "ru-RU", "xx", nil].randomElement(using: &numbers) ?? nil
        }
    }
}

extension OutgoingPush {
    fileprivate var phase: Phase { intention.content.phase }
}

/// The rendering of an app with one of the example contracts.
func app(_ contract: String) throws -> AppRendering {
    AppRendering(contracts: ContractHistory(try example(contract)))
}

func example(_ name: String) throws -> Contract {
    let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try Contract(reading: Array(Data(contentsOf: repository.appending(path: "docs/contracts/\(name).json"))))
}
