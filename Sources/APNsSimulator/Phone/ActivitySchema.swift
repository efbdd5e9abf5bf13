/// One `ActivityAttributes` type of an app, as data.
package struct ActivitySchema: Sendable {
    /// The Swift type's name, exactly as `attributes-type` must spell it.
    package var attributesType: String
    package var attributes: ContentShape
    package var state: ContentShape
    /// Where the app finds the order and the incarnation among the attributes.
    package var orderKey: String
    package var incarnationKey: String
    /// Where the content says its phase and revision, if it does.
    package var phaseKey: String
    package var revisionKey: String

    package init(
        attributesType: String,
        attributes: ContentShape,
        state: ContentShape,
        orderKey: String = "order",
        incarnationKey: String = "incarnation",
        phaseKey: String = "phase",
        revisionKey: String = "revision"
    ) {
        self.attributesType = attributesType
        self.attributes = attributes
        self.state = state
        self.orderKey = orderKey
        self.incarnationKey = incarnationKey
        self.phaseKey = phaseKey
        self.revisionKey = revisionKey
    }

    /// The built-in contract `doorstep.v1`: flat, whole Unix seconds, null where unknown.
    package static func doorstepV1(attributesType: String = "DoorstepAttributes") -> ActivitySchema {
        ActivitySchema(
            attributesType: attributesType,
            attributes: ContentShape([
                .init("order", .string),
                .init("incarnation", .integer),
                .init("displayNumber", .string, isOptional: true),
                .init("restaurant", .string, isOptional: true),
                .init("promisedAt", .integer, isOptional: true),
            ]),
            state: ContentShape([
                .init(
                    "phase",
                    .words([
                        "placed", "accepted", "on_the_way", "courier_waiting", "delivered", "cancelled", "failed",
                        "returned",
                    ])
                ),
                .init("eta", .integer, isOptional: true),
                .init("late", .boolean),
                .init("stale", .boolean),
                .init("courier", .string, isOptional: true),
                .init("attemptFailed", .boolean),
                .init("pendingCommand", .string, isOptional: true),
                .init("asOf", .integer),
                .init("revision", .integer),
            ])
        )
    }
}
