/// The built-in contract `doorstep.v1`: what a card of a delivery is made of.
///
/// The app compiles this very type, so what Doorstep sends is what the app decodes. Everything is plain and flat, moments
/// are whole seconds since 1970 (UTC), and every member is present on the wire: null says unknown. A default
/// `JSONDecoder` reads it, which is what ActivityKit uses (Apple, "Starting and updating Live Activities with ActivityKit
/// push notifications").
public struct DoorstepAttributes: Codable, Hashable, Sendable {
    /// The name to send as `attributes-type`, exactly as ActivityKit knows this type.
    public static let typeName = "DoorstepAttributes"

    /// The delivery platform's id of the order.
    public var order: String
    /// Counts the cards of this order on this device; hand it back when registering the update token.
    public var incarnation: Int
    /// The number that restaurant and customer call the order by.
    public var displayNumber: String?
    public var restaurant: String?
    /// The arrival time that was promised first.
    public var promisedAt: Int64?

    public init(
        order: String,
        incarnation: Int,
        displayNumber: String? = nil,
        restaurant: String? = nil,
        promisedAt: Int64? = nil
    ) {
        self.order = order
        self.incarnation = incarnation
        self.displayNumber = displayNumber
        self.restaurant = restaurant
        self.promisedAt = promisedAt
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case order
        case incarnation
        case displayNumber
        case restaurant
        case promisedAt
    }

    /// Writes every member; the synthesised form would leave out unknown ones.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order, forKey: .order)
        try container.encode(incarnation, forKey: .incarnation)
        try container.encode(displayNumber, forKey: .displayNumber)
        try container.encode(restaurant, forKey: .restaurant)
        try container.encode(promisedAt, forKey: .promisedAt)
    }
}
