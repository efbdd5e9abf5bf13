import JSONText
import Testing

@testable import doorstep

/// What `doorstep explain` prints.
struct ExplanationTextTests {
    private static let phone: JSON = [
        "device": "phone",
        "cards": [
            [
                "incarnation": 1, "state": "ended", "reason": "delivered", "decision": "alreadyEnded",
                "meaning": "The card has ended.", "shownPhase": "delivered", "staleAt": nil,
                "lastAcceptedAt": "2026-11-30T12:09:00Z", "next": "Nothing: this card is over.",
                "pending": [
                    "event": "end", "meaning": "Once more.", "priority": 5, "alerts": [],
                    "dueAt": "2026-11-30T12:19:00Z",
                ],
                "timer": ["waitsFor": "unconfirmed", "meaning": "a sign", "until": "2026-12-01T00:00:00Z"],
            ]
        ],
        "decisions": [
            [
                "at": "2026-11-30T12:00:00Z", "pos": 5, "because": "order.on_the_way", "incarnation": 1,
                "policyVersion": 2, "verdict": "start", "reason": "phaseReached", "meaning": "It may start.",
                "token": "start", "priority": 10, "alerts": ["start"], "heldUntil": "2026-11-30T12:00:30Z",
                "today": [
                    "verdict": "wait", "reason": "beforeStartPhase", "meaning": "Too early.", "token": nil,
                    "priority": nil, "alerts": [], "heldUntil": nil,
                ],
            ],
            [
                "at": "2026-11-30T12:00:31Z", "pos": 6, "because": "push.refused", "incarnation": 1,
                "policyVersion": 2, "verdict": "nothing", "reason": "noStartToken", "meaning": "No token.",
                "token": nil, "priority": nil, "alerts": [], "heldUntil": nil, "today": nil,
            ],
        ],
        "answers": [
            [
                "at": "2026-11-30T12:00:31Z", "pos": 6, "incarnation": 1, "event": "start", "result": "refused",
                "status": 410, "reason": "Unregistered", "remedy": "forgetToken", "priority": 10, "alerts": [],
            ]
        ],
    ]

    private func lines(_ phones: JSON, redecided: Bool = false) -> [String] {
        let answer: JSON = [
            "order": "o", "at": "2026-11-30T12:10:00Z", "phase": "delivered", "policyVersion": 3,
            "timer": ["waitsFor": "attemptWait", "meaning": "another attempt", "until": "2026-11-30T13:00:00Z"],
            "phones": phones,
        ]
        return ExplanationText(answer, redecided: redecided).lines
    }

    @Test func `cards come first, then decisions and answers in the order of the log`() {
        #expect(
            lines([Self.phone]) == [
                "order o at 2026-11-30T12:10:00Z: delivered, policy 3 in force now",
                "  waits until 2026-11-30T13:00:00Z for another attempt (attemptWait)",
                "",
                "phone phone",
                "  card 1: ended (delivered). The card has ended.",
                "    shows delivered, accepted by APNs at 2026-11-30T12:09:00Z",
                "    to be sent: end, due at 2026-11-30T12:19:00Z (priority 5). Once more.",
                "    waits until 2026-12-01T00:00:00Z for a sign (unconfirmed)",
                "    next: Nothing: this card is over.",
                "  2026-11-30T12:00:00Z  card 1  after order.on_the_way: start, phaseReached (start token, priority 10, "
                    + "alert start), held until 2026-11-30T12:00:30Z. It may start. [policy 2]",
                "  2026-11-30T12:00:31Z  card 1  APNs: start refused: 410 Unregistered; the token is dead (priority 10)",
                "  2026-11-30T12:00:31Z  card 1  after push.refused: nothing, noStartToken. No token. [policy 2]",
            ]
        )
    }

    @Test func `today's decisions stand below those that were recorded`() {
        let today = lines([Self.phone], redecided: true).filter { $0.hasPrefix("    today") }
        #expect(today == ["    today: wait, beforeStartPhase. Too early.", "    today: nothing"])
    }

    @Test func `a phone without a card says why`() {
        let phone: JSON = ["device": "phone", "cards": [], "decisions": [], "answers": []]
        #expect(lines([phone]).suffix(2).first == "phone phone")
        #expect(lines([phone]).last?.hasPrefix("  no card yet: ") == true)
    }

    @Test func `an order without phones says whether customer or phone is missing`() {
        func told(_ customers: Int) -> String? {
            ExplanationText(["customers": .integer(customers), "phones": []], redecided: false).lines.last
        }
        #expect(told(0)?.hasPrefix("nothing was decided: nobody has said whose order it is; ") == true)
        #expect(told(1)?.hasPrefix("nothing was decided: no phone is registered for the order's customer; ") == true)
    }

    @Test func `what is left out is told`() {
        let answer: JSON = ["customers": 1, "phones": [], "decisionsSince": "2026-11-30T12:00:00Z"]
        let lines = ExplanationText(answer, redecided: false).lines
        #expect(lines.last == "decisions before 2026-11-30T12:00:00Z are left out here; they stand on the timeline")
    }

    @Test func `a time without an offset is no time`() throws {
        let told = try Shell.lines("DOORSTEP_SUPPORT_KEY=k doorstep explain o --at 2026-11-30; echo $?")
        #expect(told.first?.contains("--at must be a time") == true)
        #expect(told.last == "2")
    }
}
