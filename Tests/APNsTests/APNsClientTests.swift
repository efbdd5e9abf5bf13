import APNs
import HTTP2
import Runtime
import Testing

struct APNsClientTests {
    @Test func `a thousand pushes are answered over few connections with one token`() async throws {
        // P22, P25
        try await FakeAPNs.with { fake, client in
            let outcomes = await client.sendMany(1000)
            #expect(outcomes.allSatisfy { $0.answer?.status == 200 })
            #expect(Set(fake.record.requests.map(\.id)).count == 1000)
            #expect(fake.record.authorizations.count == 1)
            #expect(fake.record.connections.count == 1)
            #expect(await client.underWay == 0)
        }
    }
}
