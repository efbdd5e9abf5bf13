import APNs
import HTTP2
import JSONText
import Runtime
import Testing

/// The channels of an app, against a scripted management host.
@Suite(.serialized) struct APNsChannelClientTests {
    private static let bundleID = "com.example.app"

    /// What one request looked like: method, path, channel, body.
    private struct Seen: Sendable {
        var line = ""
        var names: Set<String> = []
        var channel: String?
        var body: [UInt8] = []

        init(_ request: HTTP2Request) {
            line = "\(request.method) \(request.path)"
            names = Set(request.headers.fields.map(\.name))
            channel = request.headers["apns-channel-id"]
            body = request.body
        }
    }

    private func with(
        _ answer: @escaping @Sendable (HTTP2Request) -> HTTP2Answer,
        _ body: @escaping @Sendable (APNsChannelClient) async throws -> Void
    ) async throws -> [Seen] {
        let seen = Locked<[Seen]>([])
        try await FakeAPNs.with { request, _ in
            seen.withLock { $0.append(Seen(request)) }
            return answer(request)
        } _: { fake, _ in
            try await fake.withChannels { try await body($0) }
        }
        return seen.withLock { $0 }
    }

    @Test(arguments: [false, true]) func `a channel is made with its policy and known by APNs' id`(
        storesNewest: Bool
    )
        async throws
    {
        let id = "dHN0LXNyY2gtY2hubA=="
        let seen = try await with { _ in
            .reply(HTTP2Reply(status: 201, fields: [HTTP2Field("apns-channel-id", id)]))
        } _: { channels in
            let channel = try await channels.create(bundleID: Self.bundleID, storesNewest: storesNewest)
            #expect(channel == APNsChannel(id: id, storesNewest: storesNewest))
        }
        #expect(seen.map(\.line) == ["POST /1/apps/com.example.app/channels"])
        let body = try JSON.parse(try #require(seen.first?.body))
        #expect(body == ["message-storage-policy": storesNewest ? 1 : 0, "push-type": "LiveActivity"])
        #expect(seen.first?.channel == nil)
        #expect(seen.first?.names.isSuperset(of: ["authorization", "apns-request-id"]) == true)
        #expect(seen.first?.names.contains("apns-topic") == false)
    }

    @Test func `a channel is read and deleted by the id in a field, never in the path`() async throws {
        let seen = try await with { request in
            let policy = Array("{\"message-storage-policy\":1,\"push-type\":\"LiveActivity\"}".utf8)
            return .reply(
                request.method == "GET" ? HTTP2Reply(status: 200, body: policy) : HTTP2Reply(status: 204)
            )
        } _: { channels in
            let channel = try await channels.read("aWQ=", bundleID: Self.bundleID)
            #expect(channel == APNsChannel(id: "aWQ=", storesNewest: true))
            try await channels.delete("aWQ=", bundleID: Self.bundleID)
        }
        #expect(
            seen.map(\.line) == ["GET /1/apps/com.example.app/channels", "DELETE /1/apps/com.example.app/channels"]
        )
        #expect(seen.allSatisfy { $0.channel == "aWQ=" && $0.body.isEmpty })
    }

    @Test func `all channels of an app are listed`() async throws {
        let seen = try await with { _ in
            .reply(HTTP2Reply(status: 200, body: Array("{\"channels\":[\"a\",\"b\"]}".utf8)))
        } _: { channels in
            let ids = try await channels.list(bundleID: Self.bundleID)
            #expect(ids == ["a", "b"])
        }
        #expect(seen.map(\.line) == ["GET /1/apps/com.example.app/all-channels"])
    }

    @Test func `a refusal is thrown with its reason and remedy`() async throws {
        _ = try await with { _ in
            .refusal(400, "CannotCreateChannelConfig")
        } _: { channels in
            let error = await #expect(throws: APNsChannelError.self) {
                try await channels.create(bundleID: Self.bundleID, storesNewest: false)
            }
            #expect(error?.outcome.answer?.reason == .cannotCreateChannelConfig)
            #expect(error?.remedy == .deleteChannels)
            #expect(error?.description == "400 CannotCreateChannelConfig")
        }
    }

    @Test func `an answer without what was asked for leaves the outcome unknown`() async throws {
        _ = try await with { _ in
            .reply(HTTP2Reply(status: 200))
        } _: { channels in
            let created = await #expect(throws: APNsChannelError.self) {
                try await channels.create(bundleID: Self.bundleID, storesNewest: true)
            }
            #expect(created?.outcome.unknownCode == .lost)
            await #expect(throws: APNsChannelError.self) { try await channels.read("a", bundleID: Self.bundleID) }
            await #expect(throws: APNsChannelError.self) { try await channels.list(bundleID: Self.bundleID) }
        }
    }

    @Test(arguments: ["", "com.example.app.push-type.liveactivity", "com/example", "a b"])
    func `what is no bundle id is not asked about`(bundleID: String) async throws {
        let seen = try await with { _ in
            .ok
        } _: { channels in
            let error = await #expect(throws: APNsChannelError.self) { try await channels.list(bundleID: bundleID) }
            #expect(error?.outcome.unsentCode == .invalidRequest)
            await #expect(throws: APNsChannelError.self) { try await channels.delete("", bundleID: Self.bundleID) }
        }
        #expect(seen.isEmpty)
    }
}
