internal import HTTPServer

extension Route {
    /// Who may use a route. `docs/access.md` shows the same matrix, and a test compares the two.
    package enum Access: Hashable, Sendable {
        /// Without a key.
        case open
        case roles(Set<Role>)
    }

    package var access: Access {
        switch self {
        case .health, .readiness, .openAPI, .index, .optionsEvents, .getHook: .open
        case .postEvents, .postHook: .roles([.ingest])
        case .getOrder, .getDevice: .roles([.support, .supervisor, .device])
        case .listOrders, .getTimeline, .getExplanation: .roles([.support, .supervisor])
        case .listParked, .listQuarantined: .roles([.support, .supervisor, .operator])
        case .getFeed: .roles([.feed])
        case .putOrderCustomer: .roles([.ingest, .device])
        case .postCommand, .askActivity, .putActivity, .postReport, .putDevice, .deleteDevice, .postRunning:
            .roles([.device])
        case .metrics: .roles([.operator])
        }
    }

    /// Asked by those who watch over the service: answered however busy it is.
    var isProbe: Bool { self == .health || self == .readiness }

    /// Whether a request must bear a key: where sources sign instead, one that does is judged with its body.
    func needsKey(_ headers: HTTPHeaders) -> Bool {
        if self == .postEvents { return !WebhookSignature.stands(in: headers) }
        return self != .postHook || Gatekeeper.bearer(headers.first("authorization")) != nil
    }
}
