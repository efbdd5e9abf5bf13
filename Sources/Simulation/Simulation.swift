package import Tracking

/// Tries policies on a recorded stream: `doorstep simulate` (docs/simulate.md).
///
/// Orders of different households have nothing to do with each other, so that each household lives from its first event
/// to its end before the next one begins. This needs memory for one household beside the stream.
package struct Simulation: Sendable {
    /// A household's orders by their place in the stream.
    private struct Home: Sendable {
        let customer: CustomerID
        var orders: [Int]
    }

    /// How many events pass between two words of progress.
    private static let progressStep = 10_000

    private let stream: RecordedStream
    private let settings: SimulationSettings
    private let homes: [Home]

    package init(_ stream: RecordedStream, settings: SimulationSettings) {
        self.stream = stream
        self.settings = settings
        homes = Self.homes(of: stream, settings.phones)
    }

    /// What the policy does to the stream. `progress` hears of the events that are done.
    package func run(_ policy: Policy, progress: (Int) -> Void = { _ in }) -> Figures {
        var figures = Figures(orders: stream.orders.count)
        var told = 0
        for home in homes {
            live(home, policy, &figures)
            guard figures.events - told >= Self.progressStep else { continue }
            told = figures.events
            progress(told)
        }
        progress(figures.events)
        return figures
    }

    /// What two policies do, each on a thread of its own; `progress` hears of the first.
    package func compare(
        _ policy: Policy,
        with current: Policy,
        progress: @escaping @Sendable (Int) -> Void
    ) async -> SimulationReport {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            async let currently = run(current)
            async let figures = run(policy, progress: progress)
            return await SimulationReport(figures, current: currently, stream)
        }
    }

    private static func homes(of stream: RecordedStream, _ phones: SimulationSettings.Phones) -> [Home] {
        var homes: [Home] = []
        var places: [CustomerID: Int] = [:]
        for (place, order) in stream.orders.enumerated() {
            let customer = order.customer ?? CustomerID("guest")
            if phones == .perCustomer, order.customer != nil {
                if let known = places[customer] {
                    homes[known].orders.append(place)
                    continue
                }
                places[customer] = homes.count
            }
            homes.append(Home(customer: customer, orders: [place]))
        }
        return homes
    }

    private func live(_ home: Home, _ policy: Policy, _ figures: inout Figures) {
        let told = order(home)
        guard let begin = told.first?.fact.key.time else { return }
        var household = Household(home.customer, at: begin, policy: policy, settings: settings)
        swap(&household.figures, &figures)
        var known: Set<Int> = []
        for (place, fact) in told {
            let order = stream.orders[place]
            if known.insert(place).inserted {
                household.expect(order, place: place)
                if order.customer == nil {
                    household.pass(to: fact.key.time)
                    household.link(order.id)
                }
            }
            household.happens(fact, to: order.id)
        }
        household.rest()
        swap(&household.figures, &figures)
    }

    /// All that a household hears of, in order of time.
    private func order(_ home: Home) -> [(place: Int, fact: PartnerFact)] {
        let told = home.orders.flatMap { place in stream.orders[place].facts.map { (place: place, fact: $0) } }
        guard home.orders.count > 1 else { return told }
        return told.enumerated()
            .sorted { ($0.element.fact.key.time, $0.offset) < ($1.element.fact.key.time, $1.offset) }
            .map(\.element)
    }
}
