import APNs
import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// The whole simulator over its sockets.
@Suite struct SimulatorTests {
    @Test func `a phone registers, a start shows a card, the app uploads its token, an end is reported`() async throws {
        try await RunningSimulator.with { running in
            _ = try await running.ask("POST", "/phones", ["id": "P1", "customer": "C1"])
            #expect(try await running.eventually { running.doorstep.calls == ["PUT /v1/devices/P1?app=demo"] })
            let phone = try await running.ask("GET", "/phones/P1")
            let token = try #require(phone["tokens"]?["start"]?.stringValue)
            let started = await running.push(token, SimulatedWorld.start(at: WallClock.seconds))
            #expect(started.status == 200)
            let card = try #require(try await running.ask("GET", "/phones/P1")["cards"]?[0])
            let activity = try #require(card["activity"]?.stringValue)
            let upload = "PUT /v1/orders/O1/activities/\(activity)?app=demo"
            #expect(try await running.eventually { running.doorstep.calls.last == upload })
            let end = SimulatedWorld.payload([
                "event": "end", "timestamp": .integer(WallClock.seconds + 1),
                "content-state": SimulatedWorld.state(phase: "delivered", revision: 9),
            ])
            let update = try #require(card["updateToken"]?.stringValue)
            #expect(await running.push(update, end).status == 200)
            let report = "POST /v1/orders/O1/activities/\(activity)/reports?app=demo"
            #expect(try await running.eventually { running.doorstep.calls.last == report })
            #expect(try await running.ask("GET", "/violations")["items"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test func `faults of the transport reach the sender`() async throws {
        try await RunningSimulator.with { running in
            _ = try await running.ask("POST", "/phones", ["id": "P1"])
            let phone = try await running.ask("GET", "/phones/P1")
            let token = try #require(phone["tokens"]?["start"]?.stringValue)
            func start() async -> APNsOutcome {
                await running.push(token, SimulatedWorld.start(at: WallClock.seconds))
            }
            _ = try await running.ask("POST", "/faults", ["effect": "acceptAndDrop"])
            guard case .unknown = await start() else {
                Issue.record("an accepted start whose connection broke is of unknown outcome")
                return
            }
            #expect(try await running.ask("GET", "/phones/P1")["cards"]?.arrayValue?.count == 1)
            _ = try await running.ask("POST", "/faults", ["effect": "answer", "reason": "Shutdown"])
            #expect(await start().status == 503)
            _ = try await running.ask("POST", "/faults", ["effect": "reset"])
            #expect(await start().status == 200)
            _ = try await running.ask("POST", "/faults", ["effect": "goaway", "reason": "Shutdown"])
            #expect(await start().status == 200)
            #expect(await start().status == 200)
        }
    }

    @Test func `a dead token answers 410 with its time`() async throws {
        try await RunningSimulator.with { running in
            _ = try await running.ask("POST", "/phones", ["id": "P1"])
            let phone = try await running.ask("GET", "/phones/P1")
            let token = try #require(phone["tokens"]?["start"]?.stringValue)
            _ = try await running.ask("POST", "/phones/P1/uninstall")
            guard case .answered(let answer) = await running.push(token, SimulatedWorld.start(at: 1)) else {
                Issue.record("no answer")
                return
            }
            #expect(answer.status == 410)
            #expect(answer.reason == .unregistered)
            #expect((answer.timestampMilliseconds ?? 0) / 1000 >= WallClock.seconds - 60)
        }
    }
}

extension APNsOutcome {
    var status: Int? {
        switch self {
        case .answered(let answer): answer.status
        case .unsent, .unknown: nil
        }
    }
}
