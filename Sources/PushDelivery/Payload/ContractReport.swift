package import ActivityContract
private import Tracking

/// What the pushes of a contract look like, how large they can get, and what they cost beyond the order's own news.
package struct ContractReport: Sendable {
    /// What Apple takes (contract 3.3).
    package static let sizeLimit = 4096
    /// How long before the arrival the card of a usual order appears, for the estimate.
    package static let usualWait = 30

    /// The bodies of a start, an update and an end, as they would be sent.
    package let samples: [(verb: String, body: [UInt8])]
    /// Bytes of the largest body, with the longest ids and names that are let through, in any language.
    package let largest: Int
    /// Pushes per order for minutes alone, `usualWait` minutes before the arrival; 0 for a contract without minutes.
    package let minutePushes: Int
    package let problems: [ContractProblem]

    package init(_ contract: Contract) {
        let app = AppRendering(contracts: ContractHistory(contract))
        samples = OutgoingPush.samples.map { ($0.intention.verb.name, Payload($0, in: app).bytes) }
        largest = OutgoingPush.largest.map { Payload($0, in: app).bytes.count }.max() ?? 0
        minutePushes = contract.traits.showsMinutes ? MinutesCost.pushes(from: Self.usualWait) : 0
        problems =
            largest <= Self.sizeLimit
            ? []
            : [
                ContractProblem(
                    "",
                    .tooLarge,
                    "a push can reach \(largest) bytes of \(Self.sizeLimit): leave out fields or shorten fixed values"
                )
            ]
    }
}

extension OutgoingPush {
    /// A start, an update and an end of an order as there are many.
    fileprivate static var samples: [OutgoingPush] {
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
    fileprivate static var largest: [OutgoingPush] {
        // Few letters of many bytes that JSON must escape; of ids it escapes every byte.
        let name = String(repeating: "\"\u{20DD}", count: 60)
        let order = String(repeating: "\u{1}", count: 255)
        let now = Instant(seconds: 99_999_999_999)
        let attributes = CardAttributes(displayNumber: name, restaurant: name, promisedAt: now)
        var pushes: [OutgoingPush] = []
        for phase in Phase.allCases {
            for language in Language.allCases {
                for flag in [false, true] {
                    let content = Content(
                        phase: phase,
                        eta: now + .seconds(7_200),
                        isLate: flag,
                        isStale: flag,
                        courierName: name,
                        attemptFailed: flag,
                        progress: flag ? 0.123_456_789_012_345_6 : nil
                    )
                    for verb in [Verb.start, .update, .end] {
                        var push = OutgoingPush(verb, content, attributes, order: order, alerts: .start, now: now)
                        push.incarnation = 999_999
                        push.intention.orderRevision = 999_999_999
                        push.intention.settings.locale = language.rawValue
                        pushes.append(push)
                    }
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
