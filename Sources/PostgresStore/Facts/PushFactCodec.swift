internal import JSONText
package import Tracking

/// The facts a push leaves behind: what was sent and what APNs said.
package enum PushFactCodec {
    /// What the log keeps beyond what decisions need: for staff who ask.
    package struct Trail: Hashable, Sendable {
        package var apnsID: String
        /// The contract of its payload; nil where none was written.
        package var contract: String?
        package var priority: Int
        package var bytes: Int
        package init(apnsID: String, contract: String?, priority: Int, bytes: Int) {
            self.apnsID = apnsID
            self.contract = contract
            self.priority = priority
            self.bytes = bytes
        }
    }

    package static func body(_ push: PushAccepted, _ trail: Trail) -> [UInt8] {
        let shown = push.shown
        let body: JSON = [
            "device": .string(push.device.value), "incarnation": .integer(push.incarnation),
            "event": .string(push.verb.name), "revision": .integer(push.revision),
            "alerts": .integer(push.alerts.rawValue), "digest": .string(String(shown.digest, radix: 16)),
            "phase": .string(shown.phase.name), "eta": .optionalTime(shown.eta), "late": .bool(shown.isLate),
            "stale": .bool(shown.isStale), "staleAt": .time(shown.staleAt),
            "orderRevision": .integer(shown.orderRevision), "timestamp": .integer(shown.stamp),
            "at": .time(shown.at), "apnsId": .string(trail.apnsID), "contract": .optional(trail.contract),
            "priority": .integer(push.priority), "bytes": .integer(trail.bytes),
        ]
        return body.serialized()
    }

    /// `status` is the HTTP status of the answer, 0 when the push never left; `reason` is APNs' word, or ours then.
    package static func body(_ push: PushRefused, _ trail: Trail, status: Int, reason: String) -> [UInt8] {
        let body: JSON = [
            "device": .string(push.device.value), "incarnation": .integer(push.incarnation),
            "event": .string(push.verb.name), "revision": .integer(push.revision),
            "generation": .integer(push.generation), "timestamp": .integer(push.stamp),
            "digest": .string(String(push.digest, radix: 16)), "remedy": .string(push.remedy.rawValue),
            "deadSince": .optionalTime(push.deadSince), "status": .integer(status), "reason": .string(reason),
            "apnsId": .string(trail.apnsID), "priority": .integer(trail.priority), "bytes": .integer(trail.bytes),
        ]
        return body.serialized()
    }

    package static func body(_ push: PushLost, apnsID: String) -> [UInt8] {
        let body: JSON = [
            "device": .string(push.device.value), "incarnation": .integer(push.incarnation),
            "event": .string(push.verb.name), "revision": .integer(push.revision),
            "timestamp": .integer(push.stamp), "alerts": .integer(push.alerts.rawValue),
            "priority": .integer(push.priority), "apnsId": .string(apnsID),
        ]
        return body.serialized()
    }

    /// For `channel.opened` and `channel.closed`.
    package static func channelBody(_ channel: ChannelID, apnsID: String) -> [UInt8] {
        let body: JSON = ["channel": .string(channel.value), "apnsId": .string(apnsID)]
        return body.serialized()
    }

    package static func claimBody(_ device: DeviceID, incarnation: Int, apnsID: String) -> [UInt8] {
        let body: JSON = [
            "device": .string(device.value), "incarnation": .integer(incarnation), "apnsId": .string(apnsID),
        ]
        return body.serialized()
    }

    /// The apns-id of an outcome, which is the claim it settles.
    package static func claim(of body: [UInt8]) throws(FactError) -> String {
        try Members(parsing: body).text("apnsId")
    }

    static func accepted(_ members: Members) throws(FactError) -> PushAccepted {
        PushAccepted(
            device: try members.device(),
            incarnation: try members.integer("incarnation"),
            verb: try members.verb("event"),
            revision: try members.integer("revision"),
            priority: try members.integer("priority"),
            alerts: try alerts(members),
            shown: Shown(
                digest: try members.digest("digest"),
                phase: try members.phase("phase"),
                eta: try members.optionalInstant("eta"),
                isLate: try members.flag("late"),
                isStale: try members.flag("stale"),
                orderRevision: try members.integer("orderRevision"),
                stamp: Int64(try members.integer("timestamp")),
                at: try members.instant("at"),
                staleAt: try members.instant("staleAt")
            )
        )
    }

    static func refused(_ members: Members) throws(FactError) -> PushRefused {
        PushRefused(
            device: try members.device(),
            incarnation: try members.integer("incarnation"),
            verb: try members.verb("event"),
            revision: try members.integer("revision"),
            generation: try members.integer("generation"),
            stamp: Int64(try members.integer("timestamp")),
            remedy: try members.word("remedy", RefusalRemedy.self),
            neverLeft: try members.integer("status") == 0,
            deadSince: try members.optionalInstant("deadSince"),
            digest: try members.digest("digest")
        )
    }

    static func lost(_ members: Members) throws(FactError) -> PushLost {
        PushLost(
            device: try members.device(),
            incarnation: try members.integer("incarnation"),
            verb: try members.verb("event"),
            revision: try members.integer("revision"),
            stamp: Int64(try members.integer("timestamp")),
            priority: try members.integer("priority"),
            alerts: try alerts(members)
        )
    }

    private static func alerts(_ members: Members) throws(FactError) -> Alerts {
        Alerts(rawValue: UInt8(truncatingIfNeeded: try members.integer("alerts")))
    }
}
