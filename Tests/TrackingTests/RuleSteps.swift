import Testing
import Tracking

/// Steps that the tests of single rules take beside those of `OneOrder`.
extension OneOrder {
    /// An order with a policy of its own.
    init(_ change: (inout Policy) -> Void) {
        self.init()
        change(&world.policy)
    }

    /// Time passes and timers ring when they are due; nothing is sent.
    mutating func waits(minutes: Double) {
        let end = world.now + .milliseconds(Int64(minutes * 60_000))
        while let next = world.nextTimer, next <= end {
            world.pass(to: next)
            guard world.ring() else { break }
            settleRelays()
        }
        world.pass(to: end)
    }

    /// The order's stream hears of it.
    mutating func hears(_ fact: OrderStreamFact) {
        world.tell(Self.id, fact)
        settleRelays()
    }

    /// The phone has another build of the app now.
    mutating func updatesApp(to build: String, attributesType: String? = nil) {
        var registration = DeviceRegistration(observedAt: world.now)
        registration.appBuild = build
        registration.attributesType = attributesType
        registration.sequence = world.phones[Self.phone]?.nextSequence()
        world.tell(Self.phone, .registered(registration))
        settleRelays()
    }

    /// The one push that is due, claimed and under way.
    mutating func claimed() throws -> Push {
        let push = claims()
        return try #require(push)
    }

    /// APNs refuses the push under way.
    mutating func refuses(
        _ push: Push,
        _ remedy: RefusalRemedy = .retry,
        neverLeft: Bool = false,
        deadSince: Instant? = nil
    ) {
        world.pushes.removeAll()
        var refused = world.refusal(push, remedy, since: deadSince)
        refused.neverLeft = neverLeft
        hears(.pushRefused(refused))
    }

    /// The answer to the push under way is lost.
    mutating func loses(_ push: Push) {
        world.pushes.removeAll()
        hears(
            .pushLost(
                PushLost(
                    device: push.device,
                    incarnation: push.incarnation,
                    verb: push.intention.verb,
                    revision: push.intention.revision,
                    stamp: push.stamp,
                    priority: push.intention.priority,
                    alerts: push.intention.alerts
                )
            )
        )
    }

    var stream: OrderStream { world.orders[Self.id] ?? OrderStream(id: Self.id) }

    /// What the newest card's slot holds.
    var intention: Intention? { card()?.intention }

    /// What the phone's alert in the place of cards would tell.
    var alert: Intention? { stream.fallbacks[Self.phone]?.intention }

    /// The cards of the phone, oldest first.
    var states: [ActivityState] { stream.activities.filter { $0.device == Self.phone }.map(\.state) }

    /// The newest decision.
    var decided: Decision? {
        world.log.entries[Self.id]?.last { !$0.outcome.decisions.isEmpty }?.outcome.decisions.last
    }

    /// The newest push that APNs accepted.
    var lastSent: Intention? { world.record.accepted.last?.intention }
}
