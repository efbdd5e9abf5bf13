import HTTP2
import Runtime
import TestSupport
import Testing

@Suite(.serialized) struct HTTP2ServerTests {
    private static let push = HTTP2ClientRequest(path: "/3/device/ab", body: [1, 2, 3])

    @Test func `a request and its answer cross the wire whole`() async throws {
        let response = try await Loopback.with { request in
            let echo = [request.method, request.path, request.headers["x-name"] ?? "", "\(request.body.count)"]
            return .reply(
                HTTP2Reply(status: 201, fields: [HTTP2Field("x-echo", echo.joined(separator: " "))], body: [7])
            )
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            let outcome = await client.send(
                HTTP2ClientRequest(
                    path: "/3/device/ab",
                    fields: [HTTP2Field("x-name", "value")],
                    body: [UInt8](repeating: 1, count: 100_000)
                )
            )
            return try #require(outcome.response)
        }
        #expect(response.status == 201)
        #expect(response.headers["x-echo"] == "POST /3/device/ab value 100000")
        #expect(response.body == [7])
    }

    @Test func `a large answer passes through small windows`() async throws {
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        try await Loopback.with { _ in
            .reply(HTTP2Reply(status: 200, body: body))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            #expect(await client.send(Self.push).response?.body == body)
            await client.close()
        }
    }

    @Test func `after GOAWAY older streams are answered and newer ones are unsent`() async throws {
        // P01, P05
        let gate = Gate()
        try await Loopback.with { _ in
            await gate.wait()
            return .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let outcomes = client.sendMany(100)
            try await client.wait { $0.openStreams == 100 }
            try await loopback.loop.sleep(for: .milliseconds(50))
            let id = try #require(await loopback.server.connections.first)
            await loopback.server.goAway(id, debugData: Array("{\"reason\":\"Shutdown\"}".utf8), lastStream: 99)
            try await client.wait { $0.openStreams == 50 }
            gate.open()
            let ended = await outcomes
            #expect(ended.count { $0.response?.status == 200 } == 50)
            #expect(ended.count { $0.isUnsent } == 50)
            let goAway = try #require(await client.goAways.first)
            #expect(goAway.lastStream == 99)
            #expect(String(decoding: goAway.debugData, as: UTF8.self) == "{\"reason\":\"Shutdown\"}")
            try await client.wait { $0.end != nil }
        }
    }

    @Test func `fields that are too large fail alone, on a connection that lives on`() async throws {
        var settings = HTTP2ServerSettings()
        settings.maxHeaderListSize = 300
        try await Loopback.with(settings: settings) { _ in
            .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            try await client.wait { !$0.limits.isEmpty }
            let large = HTTP2ClientRequest(path: "/", fields: [HTTP2Field("x", String(repeating: "x", count: 200))])
            guard case .unsent(let error) = await client.send(large) else {
                Issue.record("what the server does not take must not be sent")
                return
            }
            #expect(error.code == .fieldsTooLarge)
            #expect(await client.send(Self.push).response?.status == 200)
            await client.close()
        }
    }

    @Test func `the limit of streams can be changed while the connection lives`() async throws {
        try await Loopback.with(settings: HTTP2ServerSettings(maxConcurrentStreams: 1)) { _ in
            .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            #expect(await client.send(Self.push).response?.status == 200)
            let id = try #require(await loopback.server.connections.first)
            await loopback.server.setMaxConcurrentStreams(1000, on: id)
            try await client.wait { $0.limits == [1, 1000] }
            await loopback.server.setMaxConcurrentStreams(1, on: id)
            try await client.wait { $0.limits == [1, 1000, 1] }
            await client.close()
        }
    }

    @Test func `a PING is told with the streams that are open`() async throws {
        let gate = Gate()
        let open = Locked<[Int]>([])
        let note: @Sendable (HTTP2ConnectionEvent) -> Void = { event in
            if case .ping(_, let openStreams) = event { open.withLock { $0.append(openStreams) } }
        }
        try await Loopback.with(onEvent: note) { _ in
            await gate.wait()
            return .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let outcome = client.send(Self.push)
            try await client.wait { $0.openStreams == 1 }
            await client.tick(at: .now + .seconds(6))
            while open.withLock(\.isEmpty) { try await loopback.loop.sleep(for: .milliseconds(2)) }
            gate.open()
            #expect(await outcome.response?.status == 200)
            await client.close()
        }
        #expect(open.withLock { $0 } == [1])
    }

    @Test func `a handler ends when its client goes away`() async throws {
        let events = Locked<[String]>([])
        let note: @Sendable (HTTP2ConnectionEvent) -> Void = { event in
            switch event {
            case .certificate: events.withLock { $0.append("certificate") }
            case .opened: events.withLock { $0.append("opened") }
            case .abandoned(_, let stream): events.withLock { $0.append("abandoned \(stream)") }
            case .closed: events.withLock { $0.append("closed") }
            case .rejected, .oversized, .ping, .priority, .excessStream: break
            }
        }
        try await Loopback.with(onEvent: note) { _ in
            try? await Task.sleep(for: .seconds(3600))
            return .silence
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let outcome = client.send(Self.push)
            try await client.wait { $0.openStreams == 1 }
            try await loopback.loop.sleep(for: .milliseconds(50))
            await client.close()
            #expect(await outcome.isUnknown)
            while events.withLock({ $0.last }) != "closed" { try await loopback.loop.sleep(for: .milliseconds(2)) }
        }
        #expect(events.withLock { $0 } == ["opened", "abandoned 1", "closed"])
    }

    @Test func `a server that stops lets open streams finish`() async throws {
        let gate = Gate()
        let outcome = try await Loopback.with { _ in
            await gate.wait()
            return .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            let pending = Task(executorPreference: loopback.loop.tasks) { await client.send(Self.push) }
            try await client.wait { $0.openStreams == 1 }
            try await loopback.loop.sleep(for: .milliseconds(50))
            _ = Task(executorPreference: loopback.loop.tasks) {
                try await client.wait { !$0.goAways.isEmpty }
                gate.open()
            }
            return pending
        }
        #expect(await outcome.value.response?.status == 200)
    }

    @Test func `many connections come and go and none is left`() async throws {
        // P23
        try await Loopback.with { _ in
            .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            for _ in 0..<100 {
                let client = try loopback.client()
                try await client.connect()
                #expect(await client.send(Self.push).response?.status == 200)
                await client.close()
            }
            while await !loopback.server.connections.isEmpty { try await loopback.loop.sleep(for: .milliseconds(2)) }
        }
    }
}
