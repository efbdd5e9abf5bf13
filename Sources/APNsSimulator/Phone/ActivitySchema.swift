/// One `ActivityAttributes` type of an app, as data.
package struct ActivitySchema: Sendable, Codable {
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
    /// The first build of the app that knows the type (`CFBundleVersion`); nil: all do.
    package var firstBuild: String?

    package init(
        attributesType: String,
        attributes: ContentShape,
        state: ContentShape,
        orderKey: String = "order",
        incarnationKey: String = "incarnation",
        phaseKey: String = "phase",
        revisionKey: String = "revision",
        firstBuild: String? = nil
    ) {
        self.attributesType = attributesType
        self.attributes = attributes
        self.state = state
        self.orderKey = orderKey
        self.incarnationKey = incarnationKey
        self.phaseKey = phaseKey
        self.revisionKey = revisionKey
        self.firstBuild = firstBuild
    }

    /// The built-in contract `doorstep.v1`: flat, whole Unix seconds, null where unknown.
    package static func doorstepV1(
        attributesType: String = "DoorstepAttributes",
        firstBuild: String? = nil
    ) -> ActivitySchema {
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
            ]),
            firstBuild: firstBuild
        )
    }

    /// Whether a build of the app knows the type; builds are compared number by number, 2.9 before 2.10.
    func isKnown(toBuild build: String) -> Bool {
        func numbers(_ text: String) -> [UInt64] { text.split(separator: ".").map { UInt64($0) ?? 0 } }
        guard let firstBuild else { return true }
        return !numbers(build).lexicographicallyPrecedes(numbers(firstBuild))
    }
}
