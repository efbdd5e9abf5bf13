import Tracking

extension OutgoingPush {
    /// A start, an update and an end of an order as there are many.
    static var samples: [OutgoingPush] {
        let now = Instant(seconds: 1_767_225_600)
        func sample(_ verb: Verb, _ content: Content, _ alerts: Alerts = []) -> OutgoingPush {
            let attributes = CardAttributes(
                displayNumber: "42",
                restaurant: "Luca",
                promisedAt: now + .seconds(1_800)
            )
            return OutgoingPush(verb, content, attributes, order: "1001", alerts: alerts, now: now)
        }
        return [
            sample(.start, Content(phase: .onTheWay, eta: now + .seconds(1_500), courierName: "Ana"), .start),
            sample(.update, Content(phase: .onTheWay, eta: now + .seconds(1_320), isLate: true, courierName: "Ana")),
            sample(.end, Content(phase: .delivered)),
        ]
    }

    /// The pushes among which the largest is: everything as long as it is let through.
    static var largest: [OutgoingPush] {
        [LongName.ofFewLetters, LongName.ofManyLetters].flatMap { name in
            Phase.allCases.flatMap { phase in
                [false, true].flatMap { flag in largest(name, phase, flag) }
            }
        }
    }

    private static func largest(_ name: String, _ phase: Phase, _ flag: Bool) -> [OutgoingPush] {
        let now = Instant(seconds: 99_999_999_999)
        let attributes = CardAttributes(displayNumber: name, restaurant: name, promisedAt: now)
        let content = Content(
            phase: phase,
            eta: now + .seconds(7_200),
            isLate: flag,
            isStale: flag,
            courierName: name,
            attemptFailed: flag,
            progress: flag ? 0.123_456_789_012_345_6 : nil,
            pendingCommand: flag ? name : nil
        )
        // JSON escapes every byte of such an id.
        let order = String(repeating: "\u{1}", count: 255)
        var pushes: [OutgoingPush] = []
        for language in Language.allCases {
            for verb in [Verb.start, .update, .end, .alert] {
                for alerts in [Alerts.start, .courierWaiting, .cancelled, .attemptFailed] {
                    var push = OutgoingPush(verb, content, attributes, order: order, alerts: alerts, now: now)
                    push.incarnation = 999_999
                    push.intention.orderRevision = 999_999_999
                    push.intention.settings.locale = language.rawValue
                    pushes.append(push)
                }
            }
        }
        return pushes
    }

    private init(
        _ verb: Verb,
        _ content: Content,
        _ attributes: CardAttributes,
        order: String,
        alerts: Alerts,
        now: Instant
    ) {
        self.init(
            order: OrderID(order),
            device: DeviceID(""),
            incarnation: 1,
            intention: Intention(
                revision: 1,
                verb: verb,
                priority: 10,
                alerts: alerts,
                content: content,
                attributes: attributes,
                orderRevision: 7,
                asOf: now,
                dueAt: now,
                staleAfter: .seconds(900),
                expiresAfter: .seconds(300),
                dismissAfter: verb == .end ? .seconds(600) : nil,
                reason: .phaseReached,
                settings: DeviceSettings()
            ),
            bundleID: "",
            token: "",
            stamp: now.seconds,
            apnsID: "",
            now: now
        )
    }
}

/// The longest names that `ForeignText` lets through: 240 bytes, and JSON adds one to every letter.
private enum LongName {
    private static let six = "\"\u{20DD}\u{301}"
    private static let five = "\"\u{301}\u{301}"

    /// Stays whole in an alert.
    static let ofFewLetters = String(repeating: six, count: 40)
    /// Cut in an alert, longer on a card.
    static let ofManyLetters =
        String(repeating: six, count: 24) + String(repeating: five, count: 15) + String(repeating: "\"", count: 21)
}
