internal import JSONText

extension World {
    /// `GET /channels`: every channel ever made, deleted ones too.
    func channelList(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        let end = min(channels.all.count, page.after + page.limit)
        return try Self.get(request) {
            let items = channels.all[min(page.after, end)..<end].map(json)
            let next: JSON = end < channels.all.count ? .string(String(end)) : .null
            return .json(["items": .array(items), "next": next])
        }
    }

    private func json(_ channel: Channel) -> JSON {
        [
            "id": .string(channel.id),
            "app": .string(apps[channel.app].id),
            "environment": .string(channel.environment.rawValue),
            "messageStoragePolicy": .integer(channel.storage.rawValue),
            "createdAt": .string(RFC3339.format(channel.createdAt)),
            "deleted": .bool(channel.isDeleted),
            "published": .integer(channel.published),
            "listeners": .integer(channel.listeners.count),
        ]
    }

    /// `POST /apps/{id}/broadcast {enabled}`: the capability of Apple's developer portal. Off deletes the app's channels.
    mutating func setBroadcast(_ id: String, _ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        guard let app = apps.firstIndex(where: { $0.id == id }) else { throw ControlProblem(404, "no app of this id") }
        var form = try Form(request.json())
        let isEnabled = try form.need("enabled", .flag)
        try form.end()
        channels.setEnabled(isEnabled, app: app)
        return .json(["id": .string(id), "enabled": .bool(isEnabled)])
    }
}
