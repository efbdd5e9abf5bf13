/// What a request to the broadcast or the channel management API asks for (contract 6.2, 6.3).
struct ChannelAction: Sendable {
    enum Verb: Sendable {
        /// `POST /4/broadcasts/apps/<bundle>`, on the ordinary listeners.
        case publish
        /// `POST`, `GET` and `DELETE /1/apps/<bundle>/channels`, on the management listeners.
        case create
        case read
        case delete
        /// `GET /1/apps/<bundle>/all-channels`.
        case list
    }

    let verb: Verb
    /// As written; whether it may be used is judged later.
    let bundleID: String

    /// Each kind of listener knows its own paths only.
    init(_ method: String, _ path: String, on service: World.ConnectionKey.Service) throws(Refusal) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, !parts[1...].contains("") else { throw Refusal(.badPath) }
        let verbs: [String: Verb]
        switch service {
        case .provider where parts[1...3].elementsEqual(["4", "broadcasts", "apps"]):
            (bundleID, verbs) = (parts[4], ["POST": .publish])
        case .management where parts[1...2].elementsEqual(["1", "apps"]) && parts[4] == "channels":
            (bundleID, verbs) = (parts[3], ["POST": .create, "GET": .read, "DELETE": .delete])
        case .management where parts[1...2].elementsEqual(["1", "apps"]) && parts[4] == "all-channels":
            (bundleID, verbs) = (parts[3], ["GET": .list])
        case .provider, .management: throw Refusal(.badPath)
        }
        guard let verb = verbs[method] else { throw Refusal(.methodNotAllowed) }
        self.verb = verb
    }

    /// Whether a path of the ordinary listeners belongs to the broadcast API.
    static func isBroadcast(_ path: String) -> Bool { path.hasPrefix("/4/") }
}
