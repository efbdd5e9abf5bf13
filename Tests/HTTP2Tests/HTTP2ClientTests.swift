import Crypto
import HTTP2
import Runtime
import Testing

@Suite(.serialized) struct HTTP2ClientTests {
    private static let push = HTTP2ClientRequest(path: "/3/device/ab", body: [1, 2, 3])

    @Test func `another authority's certificate is not trusted`() async throws {
        let stranger = try TemporaryFile(CertificateAuthority.generate().certificatePEM)
        try await Loopback.with { _ in
            .silence
        } _: { loopback in
            let origin = try HTTP2Origin(host: "127.0.0.1", port: loopback.port, trust: .file(stranger.path))
            let client = try TestClient(loop: loopback.loop, origin: origin)
            await #expect(performing: { try await client.connect() }, throws: { hasCode($0, .tlsFailed) })
        }
    }

    @Test func `the certificate must name the host`() async throws {
        try await Loopback.with(names: ["localhost"], addresses: []) { _ in
            .silence
        } _: { loopback in
            let byAddress = try loopback.client(host: "127.0.0.1")
            await #expect(performing: { try await byAddress.connect() }, throws: { hasCode($0, .tlsFailed) })
            let byName = try loopback.client(host: "localhost")
            try await byName.connect()
            await byName.close()
        }
    }

    @Test func `nobody listening is told at once`() async throws {
        try await Loopback.with { _ in
            .silence
        } _: { loopback in
            let origin = try HTTP2Origin(host: "127.0.0.1", port: 1, trust: loopback.trust)
            let client = try TestClient(loop: loopback.loop, origin: origin)
            await #expect(performing: { try await client.connect() }, throws: { hasCode($0, .unreachable) })
        }
    }

    @Test func `a trust file that cannot be read is named`() {
        #expect(
            performing: { try HTTP2Origin(host: "127.0.0.1", port: 1, trust: .file("/nowhere.pem")) },
            throws: { hasCode($0, .badConfiguration) }
        )
    }

    @Test func `a second connection resumes the first one's session`() async throws {
        try await Loopback.with { _ in
            .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let origin = try HTTP2Origin(host: "127.0.0.1", port: loopback.port, trust: loopback.trust)
            let first = try TestClient(loop: loopback.loop, origin: origin)
            try await first.connect()
            #expect(await first.send(Self.push).response?.status == 200)
            let second = try TestClient(loop: loopback.loop, origin: origin)
            try await second.connect()
            #expect(await !first.hasResumed)
            #expect(await second.hasResumed)
            #expect(await second.send(Self.push).response?.status == 200)
            await first.close()
            await second.close()
        }
    }

    @Test func `a request without an answer ends at its deadline and frees its stream`() async throws {
        // P06
        try await Loopback.with { request in
            request.path == "/silent" ? .silence : .reply(HTTP2Reply(status: 200))
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let silent = client.send(HTTP2ClientRequest(path: "/silent", body: [1]), within: .seconds(60))
            for _ in 0..<20 { #expect(await client.send(Self.push).response?.status == 200) }
            #expect(await client.openStreams == 1)
            await client.tick(at: .now + .seconds(59))
            #expect(await client.openStreams == 1)
            await client.tick(at: .now + .seconds(61))
            #expect(await silent.isUnknown)
            try await client.wait { $0.openStreams == 0 }
            #expect(await client.send(Self.push).response?.status == 200)
            await client.close()
        }
    }

    @Test func `a dead connection is noticed by PING and its requests end`() async throws {
        // P09, P14
        var settings = HTTP2ServerSettings()
        settings.drainLimit = .milliseconds(100)
        try await Loopback.with(settings: settings) { _ in
            .silence
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let outcomes = client.sendMany(131, within: .seconds(3600))
            try await client.wait { $0.openStreams == 131 && !$0.limits.isEmpty }
            try await loopback.loop.sleep(for: .milliseconds(50))
            for id in await loopback.server.connections { await loopback.server.freeze(id) }
            await client.tick(at: .now + .seconds(6))
            await client.tick(at: .now + .seconds(12))
            #expect(await outcomes.allSatisfy(\.isUnknown))
            #expect(await client.end?.code == .timedOut)
        }
    }

    @Test func `a peer that takes no bytes is given up, whatever it sends`() async throws {
        var settings = HTTP2ServerSettings()
        settings.drainLimit = .milliseconds(100)
        try await Loopback.with(settings: settings) { _ in
            .silence
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            try await client.wait { !$0.limits.isEmpty }
            for id in await loopback.server.connections { await loopback.server.freeze(id) }
            // More than the kernel holds for two sockets.
            let long = HTTP2ClientRequest(path: "/" + String(repeating: "x", count: 7000), body: [1])
            async let outcomes = client.sendMany(999, of: long, within: .seconds(3600))
            try await client.wait { $0.openStreams == 999 }
            try await loopback.loop.sleep(for: .milliseconds(200))
            await client.tick(at: .now + .seconds(11))
            #expect(await client.end == HTTP2Error(.timedOut, "the peer takes no bytes"))
            #expect(await outcomes.count == 999)
            #expect(await client.openStreams == 0)
        }
    }

    @Test func `a connection that dies leaves what was written unknown`() async throws {
        try await Loopback.with { _ in
            .silence
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            async let outcomes = client.sendMany(10)
            try await loopback.loop.sleep(for: .milliseconds(50))
            for id in await loopback.server.connections { await loopback.server.drop(id) }
            #expect(await outcomes.allSatisfy(\.isUnknown))
            try await client.wait { $0.end != nil }
            #expect(await client.send(Self.push).isUnsent)
        }
    }

    @Test func `what was never written is unsent`() async throws {
        try await Loopback.with { _ in
            .silence
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            let outcome = await client.sendAndCloseAtOnce(Self.push)
            #expect(outcome.isUnsent)
        }
    }

    @Test func `a refused stream is unsent and any other reset is unknown`() async throws {
        try await Loopback.with { request in
            .reset(request.path == "/refused" ? .refusedStream : .internalError)
        } _: { loopback in
            let client = try loopback.client()
            try await client.connect()
            #expect(await client.send(HTTP2ClientRequest(path: "/refused", body: [1])).isUnsent)
            #expect(await client.send(HTTP2ClientRequest(path: "/broken", body: [1])).isUnknown)
            await client.close()
        }
    }
}

func hasCode(_ error: any Error, _ code: HTTP2Error.Code) -> Bool { (error as? HTTP2Error)?.code == code }
