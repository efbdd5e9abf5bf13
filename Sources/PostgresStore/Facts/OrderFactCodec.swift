private import JSONText
package import Tracking

/// Reads Doorstep's own facts of an order's stream.
package enum OrderFactCodec {
    package static func fact(type: String, body: [UInt8], recordedAt: Instant) throws(FactError) -> OrderStreamFact {
        let members = try Members(parsing: body)
        switch type {
        case FactType.orderLinked:
            return .linked(CustomerID(try members.text("customer")))
        case FactType.linkAnswered:
            var devices: [DeviceSnapshot] = []
            for entry in try members.list("devices") { devices.append(try SnapshotCodec.snapshot(entry)) }
            return .linkAnswered(CustomerID(try members.text("customer")), devices: devices)
        case FactType.deviceAvailable:
            return .deviceAvailable(try SnapshotCodec.snapshot(try members.object("device")))
        case FactType.deviceGone:
            return .deviceGone(try members.device())
        case FactType.startGranted:
            return .startGranted(
                try members.device(),
                incarnation: try members.integer("incarnation"),
                from: try members.optionalInstant("from")
            )
        case FactType.startRefused:
            return .startRefused(
                try members.device(),
                incarnation: try members.integer("incarnation"),
                until: try members.optionalInstant("until")
            )
        case FactType.startFree:
            return .startFree(try members.device())
        case FactType.farewellAtRisk:
            return .farewellAtRisk(try members.device(), incarnation: try members.integer("incarnation"))
        case FactType.cardsListed:
            return .cardsListed(try members.device(), cards: try ListedCardCodec.cards(members, "cards"))
        case FactType.activityAsked:
            return .asked(try members.device())
        case FactType.activityScheduled:
            return .scheduled(try members.device())
        case FactType.activityRegistered:
            return .registered(try registration(members))
        case FactType.activityReported:
            return .reported(
                CardReport(
                    activity: ActivityID(try members.text("activity")),
                    state: try members.word("state", ReportedState.self),
                    sequence: members.optionalInteger("sequence").map { Int64($0) }
                )
            )
        case FactType.tokenLost:
            return .tokenLost(try members.token(), claim: try members.integer("claim"))
        case FactType.startClaimed:
            return .startClaimed(try members.device(), incarnation: try members.integer("incarnation"))
        case FactType.pushAccepted:
            return .pushAccepted(try PushFactCodec.accepted(members))
        case FactType.pushRefused:
            return .pushRefused(try PushFactCodec.refused(members))
        case FactType.pushLost:
            return .pushLost(try PushFactCodec.lost(members))
        case FactType.channelOpened:
            return .channelOpened(ChannelID(try members.text("channel")))
        case FactType.channelClosed:
            return .channelClosed
        case FactType.timerRang:
            return .timerRang(try TimerFactCodec.timer(members, at: recordedAt))
        case FactType.courierSeen:
            return .courierSeen(courier: members.optionalText("courier"))
        case FactType.commandRequested:
            return .commandRequested(
                PendingCommand(id: try members.text("id"), command: try members.text("command"))
            )
        default:
            return .other
        }
    }

    private static func registration(_ members: Members) throws(FactError) -> CardRegistration {
        CardRegistration(
            device: try members.device(),
            activity: ActivityID(try members.text("activity")),
            hasToken: members.optional("token") != nil,
            token: members.optionalText("tokenId").map { TokenID($0) },
            origin: try members.text("startedBy") == "app" ? .app : .server,
            startedAt: try members.optionalInstant("startedAt"),
            observedAt: try members.instant("observedAt"),
            incarnation: members.optionalInteger("incarnation"),
            sequence: members.optionalInteger("sequence").map { Int64($0) }
        )
    }
}
