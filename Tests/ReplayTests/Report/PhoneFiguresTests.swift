import JSONText
import Testing

@testable import Replay

struct PhoneFiguresTests {
    private func push(
        _ event: String,
        _ timestamp: Int64,
        status: Int = 200,
        incarnation: Int64 = 1
    ) throws -> PushRecord {
        try #require(
            PushRecord([
                "phone": "p", "order": "o", "event": .string(event), "timestamp": .integer(timestamp),
                "status": .integer(status), "incarnation": .integer(incarnation), "bytes": 500,
            ])
        )
    }

    private func figures(_ pushes: [PushRecord]) -> PhoneFigures {
        var figures = PhoneFigures()
        figures.add(pushes)
        return figures
    }

    private func figures(_ cards: [JSON], phase: String?) throws -> PhoneFigures {
        var figures = PhoneFigures()
        figures.add(try #require(PairCards(["phone": "p", "order": "o", "cards": .array(cards)])), phase: phase)
        return figures
    }

    @Test func `a clean card counts as started and ended, nothing else`() throws {
        let pushes = figures(try [push("start", 1), push("update", 2), push("end", 3)])
        #expect(pushes.mistakes == 0)
        let cards = try figures([["incarnation": 1, "ended": true, "phase": "delivered"]], phase: "delivered")
        #expect(cards.mistakes == 0)
        #expect((cards.started, cards.ended, cards.live) == (1, 1, 0))
    }

    @Test func `an update accepted after an accepted end is a mistake, a repeated end is none`() throws {
        #expect(figures(try [push("end", 1), push("end", 2)]).updatesAfterEnd == 0)
        #expect(figures(try [push("end", 1), push("update", 2)]).updatesAfterEnd == 1)
        #expect(figures(try [push("end", 1), push("update", 2, status: 410)]).updatesAfterEnd == 0)
        #expect(figures(try [push("end", 1, status: 503), push("update", 2)]).updatesAfterEnd == 0)
        #expect(figures(try [push("end", 1), push("update", 2, incarnation: 2)]).updatesAfterEnd == 0)
    }

    @Test func `timestamps must rise with every accepted push of a card`() throws {
        #expect(figures(try [push("start", 5), push("update", 5)]).timestampRegressions == 1)
        #expect(figures(try [push("start", 5), push("update", 4)]).timestampRegressions == 1)
        #expect(figures(try [push("start", 5, status: 500), push("start", 5)]).timestampRegressions == 0)
        #expect(figures(try [push("start", 5), push("start", 5, incarnation: 2)]).timestampRegressions == 0)
    }

    @Test func `what no phone can take or read is counted, also without a card`() throws {
        let large = try #require(PushRecord(["phone": "p", "event": "start", "status": 413, "bytes": 5000]))
        let broken = try #require(
            PushRecord(["phone": "p", "event": "start", "status": 200, "bytes": 9, "why": "stateUndecodable"])
        )
        let figures = figures([large, broken])
        #expect((figures.oversizedPayloads, figures.undecodable) == (1, 1))
    }

    @Test func `a card of a finished order shows its final state, ended`() throws {
        for card: JSON in [
            ["incarnation": 1, "ended": false, "phase": "delivered"],
            ["incarnation": 1, "ended": true, "phase": "on_the_way"],
        ] {
            #expect(try figures([card], phase: "delivered").wrongFinalState == 1)
            #expect(try figures([card], phase: "courier_waiting").wrongFinalState == 0)
        }
        let failed: JSON = ["incarnation": 1, "ended": true, "phase": "failed"]
        #expect(try figures([failed], phase: "returned").wrongFinalState == 0)
        #expect(try figures([failed], phase: "delivered").wrongFinalState == 1)
        let older: JSON = ["incarnation": 1, "ended": true, "phase": "on_the_way"]
        let newer: JSON = ["incarnation": 2, "ended": true, "phase": "delivered"]
        #expect(try figures([older, newer], phase: "delivered").mistakes == 0)
    }

    @Test func `two cards of one incarnation are a duplicate`() throws {
        let card: JSON = ["incarnation": 1, "ended": true, "phase": "delivered"]
        #expect(try figures([card, card], phase: "delivered").duplicateCards == 1)
    }

    @Test func `a pair without a card is counted by the newest decision's reason`() {
        #expect(PhoneFigures.NotStarted(decision: "noStartToken", phase: "accepted") == .noToken)
        #expect(PhoneFigures.NotStarted(decision: "answerLost", phase: "on_the_way") == .maybeStarted)
        #expect(PhoneFigures.NotStarted(decision: "somethingNew", phase: "delivered") == .other)
        #expect(PhoneFigures.NotStarted(decision: nil, phase: "delivered") == .finishedBeforeStart)
        #expect(PhoneFigures.NotStarted(decision: nil, phase: "on_the_way") == .other)
    }
}
