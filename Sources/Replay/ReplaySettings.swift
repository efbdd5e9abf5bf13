/// What to replay and how; the flags of `doorstep replay`.
package struct ReplaySettings: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case cloudEvents = "cloudevents"
        case csv
    }

    /// When the next event goes out.
    package enum Pace: Hashable, Sendable {
        /// When Doorstep has done everything that the order's last event asked for.
        case settled
        /// So many times real time.
        case times(Double)
        /// As fast as answers come: batches of 500, four in flight.
        case fastest
        /// So many events a second, whatever the answers do.
        case rate(Double)
    }

    package enum Phones: Hashable, Sendable {
        /// Each order is bought by a customer of its own with so many phones; 0 leaves customers and phones alone.
        case perOrder(Int)
        /// The file's customers, one phone each.
        case perCustomer
    }

    package var files: [String] = []
    package var format = Format.cloudEvents
    package var map: String?
    /// Nil: the map's app, else `defaultApp`.
    package var app: String?
    package var defaultApp = "demo"
    package var pace = Pace.settled
    /// Permutes all rows by this seed.
    package var shuffle: UInt64?
    /// How often each row is sent, under the same id.
    package var repeats = 1
    package var phones = Phones.perOrder(1)
    /// How long the end may wait for orders to settle.
    package var settle = Duration.seconds(120)
    package var rebase = false
    package var export: String?

    package init() {}
}
