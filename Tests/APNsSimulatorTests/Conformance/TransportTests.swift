import APNs
import HTTP2
import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// Behaviours of connections, over real sockets.
@Suite struct TransportTests {
    @Test func `behaviour 2: one stream until a valid provider token has come, then a thousand`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let sender = try await running.connect()
            #expect(try await running.eventually { await sender.limits == [1] })
            let stranger = await sender.send(HTTP2ClientRequest(path: "/3/device/\(token)", body: [1]))
            #expect(stranger.response?.status == 403)
            #expect(await sender.limits == [1])
            #expect(await sender.start(token).response?.status == 200)
            #expect(try await running.eventually { await sender.limits == [1, 1000] })
            await sender.close()
        }
    }

    @Test func `behaviour 2: what connections are announced first is a knob`() async throws {
        try await RunningSimulator.with { running in
            _ = try await running.ask("POST", "/settings", ["untrustedStreams": 7, "maxHeaderListSize": 4000])
            let sender = try await running.connect()
            #expect(try await running.eventually { await sender.limits == [7] })
            await sender.close()
        }
    }

    @Test func `behaviour 2: Doorstep's sender keeps back what is larger than announced, and goes on`() async throws {
        try await RunningSimulator.with { running in
            _ = try await running.ask("POST", "/settings", ["requestBurst": 1000])
            let token = try await running.addPhone()
            let start = SimulatedWorld.start(at: WallClock.seconds)
            #expect(await running.push(token, start).status == 200)
            _ = try await running.ask("POST", "/connections/all/settings", ["maxHeaderListSize": 100])
            let isKeptBack = try await running.eventually {
                guard case .unsent(let failure) = await running.push(token, start) else { return false }
                return failure.code == .invalidRequest
            }
            #expect(isKeptBack)
            _ = try await running.ask("POST", "/connections/all/settings", ["maxHeaderListSize": 8000])
            #expect(try await running.eventually { await running.push(token, start).status == 200 })
            let connections = try await running.ask("GET", "/connections")["items"]?.arrayValue ?? []
            #expect(connections.allSatisfy { $0["closedAt"]?.isNull == true })
        }
    }

    @Test func `behaviour 4: GOAWAY says why, by script or by command`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            for reason in ["Shutdown", "IdleTimeout", "BadDeviceToken"] {
                let sender = try await running.connect()
                _ = try await running.ask("POST", "/faults", ["effect": "goaway", "reason": .string(reason)])
                #expect(await sender.start(token).response?.status == 200)
                #expect(try await running.eventually { await sender.end != nil })
                let debugData = await sender.goAways.map { String(decoding: $0.debugData, as: UTF8.self) }
                #expect(debugData == [#"{"reason":"\#(reason)"}"#])
            }
            let sender = try await running.connect()
            _ = try await running.ask("POST", "/connections/all/goaway", ["reason": "Shutdown"])
            #expect(try await running.eventually { await sender.end != nil })
        }
    }

    @Test func `behaviour 4: an idle connection is sent away when the knob says so`() async throws {
        try await RunningSimulator.with { running in
            let sender = try await running.connect()
            _ = try await running.ask("POST", "/settings", ["idleTimeoutSeconds": 0])
            #expect(try await running.eventually { await sender.end != nil })
            let debugData = await sender.goAways.map { String(decoding: $0.debugData, as: UTF8.self) }
            #expect(debugData == [#"{"reason":"IdleTimeout"}"#])
        }
    }

    @Test func `behaviour 5: streams are reset, lost with their connection or answered late`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let sender = try await running.connect()
            _ = try await running.ask("POST", "/faults", ["effect": "reset"])
            #expect(await sender.start(token).isUnsent)
            _ = try await running.ask("POST", "/faults", ["effect": "reset", "code": "INTERNAL_ERROR"])
            guard case .unknown = await sender.start(token) else {
                Issue.record("a reset that says nothing of refusal leaves the outcome open")
                return
            }
            _ = try await running.ask("POST", "/faults", ["effect": "delay", "milliseconds": 50])
            #expect(await sender.start(token).response?.status == 200)
            _ = try await running.ask("DELETE", "/faults")
            _ = try await running.ask("POST", "/faults", ["effect": "drop"])
            #expect(await sender.start(token).response == nil)
            #expect(await sender.end?.code == .closed)
            #expect(await sender.goAways.isEmpty)
            #expect(try await running.ask("GET", "/phones/P1")["cards"]?.arrayValue?.count == 1)
        }
    }

    @Test func `behaviour 7: connections are recorded with their life and use`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let sender = try await running.connect()
            _ = await sender.start(token)
            let open = try await running.ask("GET", "/connections")["items"]?[0]
            #expect(open?["requests"] == 1)
            #expect(open?["environment"] == "sandbox")
            #expect(open?["closedAt"]?.isNull == true)
            await sender.close()
            #expect(
                try await running.eventually {
                    try await running.ask("GET", "/connections")["items"]?[0]?["closedAt"]?.stringValue != nil
                }
            )
        }
    }

    @Test func `behaviour 52: a shutdown in the middle of 1,000 streams loses and doubles nothing`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            _ = try await running.ask("POST", "/settings", ["requestBurst": 5000])
            let sender = try await running.connect()
            _ = await sender.start(token, order: "first")
            #expect(try await running.eventually { await sender.limits.last == 1000 })
            _ = try await running.ask("POST", "/settings", ["holdsRequests": true])
            async let all = sender.starts(1000, token)
            #expect(try await running.eventually { try await running.openStreams() == 1000 })
            _ = try await running.ask("POST", "/connections/all/goaway", ["reason": "Shutdown", "keep": 0.5])
            _ = try await running.ask("POST", "/settings", ["holdsRequests": false])
            let outcomes = await all
            #expect(outcomes.count { $0.response?.status == 200 } == 500)
            #expect(outcomes.count(where: \.isUnsent) == 500)
            let totals = try await running.ask("GET", "/summary?limit=1")["totals"]
            #expect(totals?["accepted"]?["start"] == 501)
            #expect(totals?["cards"] == 501)
        }
    }

    @Test(arguments: [0.0, 0.5, 1.0], [0, 20])
    func `behaviour 52: shutdowns say of nothing that was processed that it was not`(
        keep: Double,
        wait: Int
    ) async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            _ = try await running.ask("POST", "/settings", ["requestBurst": 5000])
            let sender = try await running.connect()
            _ = await sender.start(token, order: "first")
            #expect(try await running.eventually { await sender.limits.last == 1000 })
            let slow: JSON = ["effect": "delay", "milliseconds": .integer(wait), "times": 50]
            _ = try await running.ask("POST", "/faults", slow)
            _ = try await running.ask("POST", "/settings", ["latencySeconds": .double(Double(wait) / 1000)])
            let shutdown: JSON = ["effect": "goaway", "keep": .double(keep), "skip": 100, "times": 5]
            _ = try await running.ask("POST", "/faults", shutdown)
            let outcomes = await sender.starts(1000, token)
            let accepted = outcomes.count { $0.response?.status == 200 }
            #expect(outcomes.count(where: \.isUnsent) == 1000 - accepted)
            let totals = try await running.ask("GET", "/summary?limit=1")["totals"]
            #expect(totals?["accepted"]?["start"]?.int64Value == Int64(accepted + 1))
        }
    }

    @Test func `behaviour 52: the limit of streams goes down to one and up again under load`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            _ = try await running.ask("POST", "/settings", ["requestBurst": 5000])
            for count in [1, 500] {
                let fault: JSON = [
                    "effect": "settings", "maxConcurrentStreams": .integer(count), "skip": .integer(20 + count / 10),
                ]
                _ = try await running.ask("POST", "/faults", fault)
            }
            let statuses = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        await running.push(token, SimulatedWorld.start(at: WallClock.seconds)).status == 200
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(statuses == 100)
            #expect(try await running.ask("GET", "/faults")["items"]?.arrayValue?.map { $0["applied"] ?? 0 } == [1, 1])
        }
    }

    @Test func `a connection that reads nothing for a while answers afterwards`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let sender = try await running.connect()
            _ = try await running.ask("POST", "/faults", ["effect": "slowRead", "milliseconds": 100])
            #expect(await sender.start(token).response?.status == 200)
            #expect(await sender.start(token).response?.status == 200)
            await sender.close()
        }
    }

    @Test func `behaviour 53: every answer tells APNs' own time, which can be another`() async throws {
        try await RunningSimulator.with { running in
            let token = try await running.addPhone()
            let sender = try await running.connect()
            _ = try await running.ask("POST", "/clock", ["skewSeconds": 7200])
            let response = try #require(await sender.start(token).response)
            #expect(response.status == 403)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"ExpiredProviderToken"}"#)
            let date = try #require(response.headers["date"].flatMap { WallClock.seconds(httpDate: $0) })
            #expect(abs(date - WallClock.seconds - 7200) < 60)
            _ = try await running.ask("POST", "/clock", ["skewSeconds": -1800])
            #expect(await sender.start(token).response?.status == 200)
            await sender.close()
        }
    }
}

extension RunningSimulator {
    /// Requests that came and wait for their answers.
    fileprivate func openStreams() async throws -> Int64 {
        try await ask("GET", "/connections")["items"]?.arrayValue?.compactMap { $0["waiting"]?.int64Value }.reduce(0, +)
            ?? 0
    }
}
