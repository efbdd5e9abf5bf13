import JSONText
import Runtime
import Service
import TestSupport
import Testing
import Tracking

/// The whole way from a partner's event to the phone and back, on a database.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct PipelineTests {
    @Test func `an order's card starts, follows and ends`() async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: 1, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                let facts = node.directory
                _ = await node.appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    facts.event("o1", "order.placed", at: 0, data: ["customer": "ann"]),
                ])
                try await node.settle(["o1"])
                #expect(phones.sent == 0)

                _ = await node.appender.append([facts.event("o1", "order.on_the_way", at: 5)])
                try await node.eventually("a card") { phones.cards.count == 1 }
                let card = try #require(phones.register(phones.cards[0].activity))
                _ = await node.appender.append([
                    try facts.card(
                        "o1",
                        "phone",
                        activity: card.activity,
                        token: card.token,
                        incarnation: 1,
                        sequence: 1
                    )
                ])
                try await node.settle(["o1"])

                _ = await node.appender.append([facts.event("o1", "courier.waiting", at: 9)])
                try await node.settle(["o1"])
                #expect(phones.cards[0].pushes == 2)
                _ = await node.appender.append([facts.event("o1", "order.delivered", at: 12)])
                try await node.settle(["o1"])
                #expect(phones.cards[0].hasEnded)
                #expect(phones.cards[0].pushes == 3)
                let stream = try #require(try await node.snapshot("o1")).stream
                #expect(stream.activities.map(\.state) == [.ended(.delivered)])
                #expect(stream.closed)
                #expect(node.troubles.all.isEmpty)
            }
        }
    }

    @Test func `a token that comes after the order's end is used for the end`() async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: 2, faultsInHundred: 0)
            try await Node.with(installation, gateway: phones) { node in
                let facts = node.directory
                _ = await node.appender.append([
                    try facts.device("phone", of: "ann", startToken: "aa01", sequence: 1),
                    try facts.device("tablet", of: "ann", startToken: "aa02", sequence: 1),
                    facts.event("o1", "order.on_the_way", at: 5, data: ["customer": "ann"]),
                ])
                try await node.eventually("two cards") { phones.cards.count == 2 }
                _ = await node.appender.append([facts.event("o1", "order.delivered", at: 12)])
                try await node.settle(["o1"])
                #expect(phones.cards.map(\.pushes) == [1, 1])
                for (index, card) in phones.cards.enumerated() {
                    _ = phones.register(card.activity)
                    _ = await node.appender.append([
                        try facts.card(
                            "o1",
                            card.device,
                            activity: card.activity,
                            token: card.token,
                            incarnation: 1,
                            sequence: Int64(index)
                        )
                    ])
                }
                try await node.settle(["o1"])
                #expect(phones.cards.map(\.hasEnded) == [true, true])
                #expect(phones.violations.isEmpty)
            }
        }
    }
}
