import JSONText

@testable import APNsSimulator

/// Requests to the broadcast and the channel management API.
extension SimulatedWorld {
    @discardableResult
    mutating func manage(
        _ method: String,
        _ path: String = "/1/apps/\(SimulatedWorld.bundleID)/channels",
        channel: String? = nil,
        body: JSON? = nil,
        headers: [String: String?] = [:],
        environment: PushEnvironment = .sandbox
    ) -> PushReply {
        var all: [String: String?] = ["authorization": token, "apns-channel-id": channel]
        all.merge(headers) { $1 }
        let key = World.ConnectionKey(environment: environment, service: .management, id: 1)
        return receive(method, path, all, body?.serialized() ?? [], on: key)
    }

    /// Makes a channel and returns its id.
    mutating func createChannel(storing policy: Int = 1, environment: PushEnvironment = .sandbox) -> String {
        let body: JSON = ["message-storage-policy": .integer(policy), "push-type": "LiveActivity"]
        return manage("POST", body: body, environment: environment).success.channelID ?? ""
    }

    @discardableResult
    mutating func publish(
        to channel: String?,
        _ body: JSON? = nil,
        bundleID: String = SimulatedWorld.bundleID,
        method: String = "POST",
        headers: [String: String?] = [:],
        environment: PushEnvironment = .sandbox
    ) -> PushReply {
        let content = body ?? broadcast()
        return publish(to: channel, bytes: content.serialized(), bundleID, method, headers, environment)
    }

    @discardableResult
    mutating func publish(
        to channel: String?,
        bytes: [UInt8],
        _ bundleID: String = SimulatedWorld.bundleID,
        _ method: String = "POST",
        _ headers: [String: String?] = [:],
        _ environment: PushEnvironment = .sandbox
    ) -> PushReply {
        var all: [String: String?] = [
            "authorization": token, "apns-channel-id": channel, "apns-push-type": "liveactivity",
            "apns-priority": "10", "apns-expiration": "0",
        ]
        all.merge(headers) { $1 }
        let key = World.ConnectionKey(environment: environment, id: 1)
        return receive(method, "/4/broadcasts/apps/\(bundleID)", all, bytes, on: key)
    }

    func broadcast(_ event: String = "update", phase: String = "on_the_way", revision: Int = 5) -> JSON {
        Self.payload([
            "event": .string(event), "timestamp": .integer(seconds),
            "content-state": Self.state(phase: phase, revision: revision),
        ])
    }

    private mutating func receive(
        _ method: String,
        _ path: String,
        _ headers: [String: String?],
        _ body: [UInt8],
        on key: World.ConnectionKey
    ) -> PushReply {
        let fields = headers.compactMap { name, value in value.map { PushRequest.Header(name, $0) } }
        return world.receive(PushRequest(method: method, path: path, headers: fields, body: body), on: key, at: now)
    }
}
