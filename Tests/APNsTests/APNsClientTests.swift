import APNs
import HTTP2
import Runtime
import TestSupport
import Testing

/// What no rule of Apple asks of the client.
@Suite(.serialized) struct APNsClientTests {
    @Test func `a client that stops finishes what is under way and takes no more`() async throws {
        let gate = Gate()
        try await FakeAPNs.with { _, _ in
            await gate.wait()
            return .ok
        } _: { fake, client in
            async let outcome = client.send(.test(), deadline: .seconds(60))
            while fake.record.requests.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            async let drained: Void = client.drain()
            try await fake.loop.sleep(for: .milliseconds(20))
            #expect(await client.send(.test(), deadline: .seconds(60)).unsentCode == .stopped)
            gate.open()
            #expect(await outcome.answer?.status == 200)
            await drained
        }
    }

    @Test func `connections closed between pushes are replaced on demand`() async throws {
        // P13, P23
        try await FakeAPNs.with { fake, client in
            for number in 0..<20 {
                #expect(await client.send(.test(number), deadline: .seconds(60)).answer?.status == 200)
                for id in await fake.server.connections { await fake.server.drop(id) }
                while await client.usableConnections > 0 { try await fake.loop.sleep(for: .milliseconds(2)) }
            }
            #expect(fake.record.connections.count == 20)
        }
    }

    @Test func `nobody there is told at once, without a storm of attempts`() async throws {
        // P15
        let identity = try TestIdentity.shared.get()
        let loop = try TestLoop.shared.get()
        let client = try APNsClient(
            loop: loop,
            endpoint: APNsEndpoint(host: "127.0.0.1", port: 1, trust: .file(identity.file.path)),
            tokens: ProviderTokenSource(team: "TEAM123456", key: identity.key)
        )
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            let outcomes = await client.sendMany(500)
            #expect(outcomes.allSatisfy { $0.unsentCode == .unreachable })
            group.cancelAll()
        }
    }

    @Test func `pushes come and go by the thousand and nothing piles up`() async throws {
        // P21
        try await FakeAPNs.with { _, client in
            for _ in 0..<20 { #expect(await client.sendMany(500).allSatisfy { $0.answer?.status == 200 }) }
            #expect(await client.underWay == 0)
            #expect(await client.openStreams == 0)
        }
    }

    @Test func `warming up connects before the first push`() async throws {
        try await FakeAPNs.with { fake, client in
            #expect(await client.warmUp(within: .seconds(60)) == nil)
            while fake.record.connections.isEmpty { try await fake.loop.sleep(for: .milliseconds(2)) }
            #expect(fake.record.requests.isEmpty)
            #expect(await client.usableConnections == 1)
            #expect(await client.warmUp(within: .seconds(60)) == nil)
            #expect(await client.send(.test(), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.connections.count == 1)
        }
    }

    @Test func `warming up says why there is no connection, at once or in time`() async throws {
        let identity = try TestIdentity.shared.get()
        let loop = try TestLoop.shared.get()
        let client = try APNsClient(
            loop: loop,
            endpoint: APNsEndpoint(host: "127.0.0.1", port: 1, trust: .file(identity.file.path)),
            tokens: ProviderTokenSource(team: "TEAM123456", key: identity.key)
        )
        // Nothing connects before it runs.
        #expect(await client.warmUp(within: .milliseconds(20))?.code == .deadline)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            #expect(await client.warmUp(within: .seconds(60))?.code == .unreachable)
            group.cancelAll()
        }
    }

    @Test func `a client that could never send is not made`() throws {
        // P18
        let identity = try TestIdentity.shared.get()
        let loop = try TestLoop.shared.get()
        for field in [\APNsClientSettings.maxConnections, \.maxAttempts] {
            var settings = APNsClientSettings()
            settings[keyPath: field] = 0
            #expect(throws: HTTP2Error.self) {
                try APNsClient(
                    loop: loop,
                    endpoint: .sandbox,
                    tokens: ProviderTokenSource(team: "TEAM123456", key: identity.key),
                    settings: settings
                )
            }
        }
    }

    @Test func `a connection that answers PING and nothing else is left`() async throws {
        var settings = APNsClientSettings()
        settings.muteLimit = .milliseconds(100)
        try await FakeAPNs.with(settings: settings) { request, fake in
            request.connection == fake.record.connections.first && request.stream > 1 ? .silence : .ok
        } _: { fake, client in
            #expect(await client.send(.test(0), deadline: .seconds(60)).answer?.status == 200)
            #expect(await client.send(.test(1), deadline: .milliseconds(300)).unknownCode == .deadline)
            #expect(await client.send(.test(2), deadline: .seconds(60)).answer?.status == 200)
            #expect(fake.record.connections.count == 2)
        }
    }

    @Test func `doubtful tokens have a connection of their own`() async throws {
        // P10, P41: what APNs does to a connection that sends bad tokens costs the good ones nothing.
        let limited = Locked<Set<HTTP2ConnectionID>>([])
        try await FakeAPNs.with { request, fake in
            guard request.path.hasSuffix("bad0") else { return .ok }
            if limited.withLock({ $0.insert(request.connection).inserted }) {
                await fake.server.setMaxConcurrentStreams(1, on: request.connection)
            }
            return .refusal(400, "BadDeviceToken")
        } _: { fake, client in
            var doubtful = APNsRequest.test(7)
            doubtful.destination = .device(token: "bad0")
            doubtful.isDoubtful = true
            let bad = doubtful
            async let outcomes = client.sendMany(500)
            for _ in 0..<20 {
                #expect(await client.send(bad, deadline: .seconds(60)).answer?.reason == .badDeviceToken)
            }
            #expect(await outcomes.allSatisfy { $0.answer?.status == 200 })
            #expect(fake.record.connections.count == 2)
            let byConnection = Dictionary(grouping: fake.record.requests, by: \.connection)
            #expect(
                byConnection.values.allSatisfy { entries in Set(entries.map { $0.path == "/3/device/bad0" }).count == 1
                }
            )
        }
    }

    @Test func `tokens that are told to slow down hold up nobody else`() async throws {
        // P19: 429 for the first tries of each of many tokens, each tried again until it passes.
        let tries = Locked<[String: Int]>([:])
        try await FakeAPNs.with { request, _ in
            let count = tries.withLock { tries in
                tries[request.path, default: 0] += 1
                return tries[request.path, default: 0]
            }
            return request.path.hasSuffix("01") && count <= 10 ? .refusal(429, "TooManyRequests") : .ok
        } _: { _, client in
            let accepted = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<400 {
                    group.addTask(executorPreference: client.loop.tasks) {
                        var push = APNsRequest.test(number)
                        let name = String(100_000 + number)
                        push.destination = .device(token: name + (number.isMultiple(of: 2) ? "01" : "02"))
                        for _ in 0..<11 {
                            let outcome = await client.send(push, deadline: .seconds(60))
                            if outcome.answer?.status == 200 { return true }
                            guard Remedy(for: outcome) == .slowDownToken else { return false }
                        }
                        return false
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 400)
            #expect(await client.underWay == 0)
        }
    }
}
