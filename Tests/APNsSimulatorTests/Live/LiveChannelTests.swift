import APNs
import Crypto
import HTTP2
import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// Our client for channels against the simulator's own listeners.
@Suite(.serialized) struct LiveChannelTests {
    @Test func `a channel is made, read, listed, published to and deleted over the wire`() async throws {
        try await RunningSimulator.with { running in
            let endpoint = APNsEndpoint(
                host: "127.0.0.1",
                port: running.ports.sandboxManagement,
                trust: .file(running.trust)
            )
            let key = ProviderKey(id: SimulatedWorld.keyID, privateKey: running.signer)
            let channels = try APNsChannelClient(
                loop: running.loop,
                endpoint: endpoint,
                tokens: ProviderTokenSource(team: SimulatedWorld.team, key: key)
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await channels.run() }
                let bundleID = SimulatedWorld.bundleID
                let channel = try await channels.create(bundleID: bundleID, storesNewest: true)
                let read = try await channels.read(channel.id, bundleID: bundleID)
                #expect(read == channel)
                let listed = try await channels.list(bundleID: bundleID)
                #expect(listed == [channel.id])

                let push = Self.update(to: channel.id)
                #expect(Remedy(for: await running.sender.send(push, deadline: .seconds(10))) == .none)

                try await channels.delete(channel.id, bundleID: bundleID)
                #expect(Remedy(for: await running.sender.send(push, deadline: .seconds(10))) == .forgetChannel)
                let gone = await #expect(throws: APNsChannelError.self) {
                    try await channels.read(channel.id, bundleID: bundleID)
                }
                #expect(gone?.remedy == .forgetChannel)
                group.cancelAll()
            }
        }
    }

    private static func update(to channel: String) -> APNsRequest {
        let payload: JSON = [
            "aps": ["event": "update", "timestamp": .integer(WallClock.seconds), "content-state": [:]]
        ]
        return APNsRequest(
            channel: channel,
            bundleID: SimulatedWorld.bundleID,
            priority: .considerate,
            expiration: WallClock.seconds + 600,
            apnsID: UUID128.random().description,
            payload: payload.serialized()
        )
    }
}
