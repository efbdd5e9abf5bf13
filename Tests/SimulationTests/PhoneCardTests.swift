import Testing
import Tracking

@testable import Simulation

/// What a person sees of a card while time passes.
struct PhoneCardTests {
    private func card(staleAfter: Duration, isStale: Bool = false) -> PhoneCard {
        var card = PhoneCard(
            activity: ActivityID("1"),
            origin: .server,
            incarnation: 1,
            startedAt: noon,
            registersAt: noon
        )
        card.receive(intention(.start, staleAfter: staleAfter, isStale: isStale), stamp: 1, at: noon)
        return card
    }

    private func intention(_ verb: Verb, staleAfter: Duration, isStale: Bool = false) -> Intention {
        Intention(
            revision: 1,
            verb: verb,
            priority: 10,
            alerts: [],
            content: Content(phase: .onTheWay, isStale: isStale),
            attributes: CardAttributes(),
            orderRevision: 1,
            asOf: noon,
            dueAt: noon,
            staleAfter: staleAfter,
            expiresAfter: staleAfter,
            dismissAfter: nil,
            reason: .phaseReached,
            settings: DeviceSettings()
        )
    }

    @Test func `a card that looks alive is dishonest from five seconds after its promise until it greys`() {
        var card = card(staleAfter: .seconds(600))
        let passed = card.pass(to: minute(20), brokenAt: minute(4))
        #expect(passed.dishonest == .seconds(600 - 245))
        #expect(passed.stale == .seconds(600))
        #expect(card.pass(to: minute(20), brokenAt: minute(4)) == (.zero, .zero))
    }

    @Test func `a card that greys with its promise, says so itself or belongs to a finished order is honest`() {
        var greys = card(staleAfter: .seconds(600))
        #expect(greys.pass(to: minute(20), brokenAt: minute(10)) == (.seconds(600), .zero))
        var says = card(staleAfter: .seconds(600), isStale: true)
        #expect(says.pass(to: minute(5), brokenAt: minute(0)) == (.seconds(300), .zero))
        var finished = card(staleAfter: .seconds(600))
        #expect(finished.pass(to: minute(5), brokenAt: nil) == (.zero, .zero))
    }

    @Test func `what comes after an end, or is older, changes nothing`() {
        var card = card(staleAfter: .seconds(600))
        card.receive(intention(.update, staleAfter: .seconds(60)), stamp: 1, at: minute(1))
        #expect(card.staleAt == minute(10))
        card.receive(intention(.end, staleAfter: .seconds(60)), stamp: 2, at: minute(2))
        #expect(card.endedAt == minute(2))
        card.receive(intention(.update, staleAfter: .seconds(60)), stamp: 3, at: minute(3))
        #expect(card.staleAt == minute(2) + .seconds(60))
        #expect(card.pass(to: minute(60), brokenAt: minute(0)) == (.zero, .zero))
    }
}
