internal import JSONText
internal import Tracking

/// A device as streams tell each other of it.
enum SnapshotCodec {
    static func json(_ snapshot: DeviceSnapshot) -> JSON {
        let settings = snapshot.settings
        return [
            "device": .string(snapshot.device.value),
            "customer": .string(snapshot.customer.value),
            "generation": .integer(snapshot.generation),
            "startToken": .bool(snapshot.hasStartToken),
            "deviceToken": .bool(snapshot.hasDeviceToken),
            "environment": .string(settings.environment.name),
            "attributesType": .optional(settings.attributesType),
            "locale": .optional(settings.locale),
            "timeZone": .optional(settings.timeZone),
            "osVersion": .optional(settings.osVersion),
            "appBuild": .optional(settings.appBuild),
            "activitiesEnabled": .bool(settings.activitiesEnabled),
            "frequentPushes": .bool(settings.frequentPushes),
            "notificationsAllowed": .bool(settings.notificationsAllowed),
        ]
    }

    static func snapshot(_ members: Members) throws(FactError) -> DeviceSnapshot {
        var settings = DeviceSettings()
        guard let environment = APNsEnvironment(name: try members.text("environment")) else {
            throw FactError(.badValue, "environment")
        }
        settings.environment = environment
        settings.attributesType = members.optionalText("attributesType")
        settings.locale = members.optionalText("locale")
        settings.timeZone = members.optionalText("timeZone")
        settings.osVersion = members.optionalText("osVersion")
        settings.appBuild = members.optionalText("appBuild")
        settings.activitiesEnabled = try members.flag("activitiesEnabled")
        settings.frequentPushes = try members.flag("frequentPushes")
        // Facts from before there were alerts in the place of cards do not tell.
        settings.notificationsAllowed = members.optional("notificationsAllowed")?.boolValue ?? false
        return DeviceSnapshot(
            device: try members.device(),
            customer: CustomerID(try members.text("customer")),
            generation: try members.integer("generation"),
            hasStartToken: try members.flag("startToken"),
            hasDeviceToken: members.optional("deviceToken")?.boolValue ?? false,
            settings: settings
        )
    }
}

/// A card in a running list.
enum ListedCardCodec {
    static func json(_ card: ListedCard) -> JSON {
        [
            "activity": .string(card.activity.value),
            "incarnation": .optionalInteger(card.incarnation),
            "state": .string(card.state.rawValue),
        ]
    }

    static func card(_ members: Members) throws(FactError) -> ListedCard {
        ListedCard(
            activity: ActivityID(try members.text("activity")),
            incarnation: members.optionalInteger("incarnation"),
            state: try members.word("state", ReportedState.self)
        )
    }

    static func cards(_ members: Members, _ name: String) throws(FactError) -> [ListedCard] {
        var cards: [ListedCard] = []
        for entry in try members.list(name) { cards.append(try card(entry)) }
        return cards
    }
}
