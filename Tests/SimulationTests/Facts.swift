import Simulation
import Tracking

/// The moment that tests count from: 2023-11-14 22:13:20 UTC.
let noon = Instant(seconds: 1_700_000_000)

func minute(_ number: Double) -> Instant { noon + .milliseconds(Int64(number * 60_000)) }

/// A partner's event, told in one line; its id is its type and time unless the test names it.
func event(
    _ word: String,
    at time: Double,
    id: String? = nil,
    _ fill: (inout PartnerData) -> Void = { _ in }
) -> PartnerFact {
    let type = EventType(word)
    var data = PartnerData()
    data.customer = CustomerID("ana")
    fill(&data)
    let id = id ?? "\(word)@\(time)"
    var digest = Digest()
    digest.add(id)
    return PartnerFact(
        key: FoldKey(time: minute(time), rank: type.rank, source: "pos", id: id),
        type: type,
        data: data,
        flags: [],
        contentDigest: digest.value
    )
}

/// One order of one person with one phone, told step by step.
struct OneOrder {
    static let id = OrderID("1001")

    var household: Household

    init(policy: Policy = Policy(), settings: SimulationSettings = SimulationSettings()) {
        var settings = settings
        settings.keepsPushes = true
        household = Household(CustomerID("ana"), at: noon, policy: policy, settings: settings)
        household.expect(RecordedOrder(id: Self.id))
    }

    mutating func happens(_ word: String, at time: Double, _ fill: (inout PartnerData) -> Void = { _ in }) {
        household.happens(event(word, at: time, fill), to: Self.id)
    }

    var cards: [PhoneCard] { household.cards(Self.id) }
    var pushes: [SentPush] { household.pushes }

    /// On its way at noon, with a card that has its token.
    static func running(policy: Policy = Policy(), settings: SimulationSettings = SimulationSettings()) -> OneOrder {
        var order = OneOrder(policy: policy, settings: settings)
        order.happens("order.on_the_way", at: 0)
        order.household.pass(to: minute(0.1))
        return order
    }
}

extension [SentPush] {
    var words: [String] { map { "\($0.kind.rawValue) \($0.intention.content.phase.name)" } }
}
