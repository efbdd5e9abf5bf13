/// Everything the API answers to: a method and a path each. `openapi.yaml` and `docs/access.md` list the same.
package enum Route: Hashable, Sendable, CaseIterable {
    case postEvents
    case optionsEvents
    case postHook
    case getHook
    case listOrders
    case listParked
    case listQuarantined
    case getFeed
    case getOrder
    case getTimeline
    case getExplanation
    case putOrderCustomer
    case postCommand
    case askActivity
    case putActivity
    case postReport
    case getDevice
    case putDevice
    case deleteDevice
    case postRunning
    case health
    case readiness
    case metrics
    case openAPI
    case index

    package var method: String {
        switch self {
        case .getHook, .listOrders, .listParked, .listQuarantined, .getFeed, .getOrder, .getTimeline, .getExplanation,
            .getDevice,
            .health, .readiness, .metrics, .openAPI,
            .index:
            "GET"
        case .postEvents, .postHook, .postCommand, .askActivity, .postReport, .postRunning: "POST"
        case .putOrderCustomer, .putActivity, .putDevice: "PUT"
        case .optionsEvents: "OPTIONS"
        case .deleteDevice: "DELETE"
        }
    }

    /// The path; a segment in braces is a parameter.
    package var path: String {
        switch self {
        case .postEvents, .optionsEvents: "/v1/events"
        case .postHook, .getHook: "/v1/hooks/{name}"
        case .listOrders: "/v1/orders"
        case .listParked: "/v1/parked"
        case .listQuarantined: "/v1/quarantine"
        case .getFeed: "/v1/feed"
        case .getOrder: "/v1/orders/{order}"
        case .getTimeline: "/v1/orders/{order}/timeline"
        case .getExplanation: "/v1/orders/{order}/explanation"
        case .putOrderCustomer: "/v1/orders/{order}/customers/{customer}"
        case .postCommand: "/v1/orders/{order}/commands"
        case .askActivity: "/v1/orders/{order}/activities"
        case .putActivity: "/v1/orders/{order}/activities/{activity}"
        case .postReport: "/v1/orders/{order}/activities/{activity}/reports"
        case .getDevice, .putDevice, .deleteDevice: "/v1/devices/{device}"
        case .postRunning: "/v1/devices/{device}/running"
        case .health: "/healthz"
        case .readiness: "/readyz"
        case .metrics: "/metrics"
        case .openAPI: "/openapi.yaml"
        case .index: "/"
        }
    }
}
