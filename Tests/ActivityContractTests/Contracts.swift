import ActivityContract
import Foundation
import JSONText

/// The example files that users start from.
enum Examples {
    static let names = ["status-and-date", "phase-and-minutes", "driver-progress", "steps-of-total"]

    static func contract(_ name: String) throws -> Contract {
        try Contract(reading: bytes("contracts/\(name).json"))
    }

    /// A file of the documentation.
    static func bytes(_ path: String) throws -> [UInt8] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return Array(try Data(contentsOf: repository.appending(path: "docs/\(path)")))
    }
}

/// A contract that is right, with what a test changes: `field` becomes `state.f`, `attribute` becomes `attributes.a`.
func contract(
    field: JSON? = nil,
    attribute: JSON? = nil,
    _ change: (inout JSONObject) -> Void = { _ in }
) -> JSON {
    var attributes: JSONObject = ["order": ["from": "order", "type": "String"]]
    if let attribute { attributes["a"] = attribute }
    var file: JSONObject = [
        "id": "shop.v1", "attributesType": "ShopAttributes", "attributes": .object(attributes),
        "state": ["f": field ?? ["from": "revision", "type": "Int"], "phase": ["from": "phase", "type": "String"]],
    ]
    change(&file)
    return .object(file)
}

/// A word for every phase, some of them changed.
func words(_ changes: JSONObject = [:]) -> JSON {
    var words: JSONObject = [
        "placed": "new", "accepted": "cooking", "on_the_way": "riding", "courier_waiting": "door",
        "delivered": "delivered", "cancelled": "off", "failed": "failed", "returned": "back",
    ]
    for member in changes.members { words[member.name] = member.value }
    return .object(words)
}

/// What a contract says is wrong, as `pointer rule`.
func problems(_ json: JSON) -> [String] {
    do throws(ContractError) {
        _ = try Contract(json)
        return []
    } catch {
        return error.problems.map { "\($0.pointer) \($0.rule.rawValue)" }
    }
}

let card = CanonicalCard(
    attributes: DoorstepAttributes(
        order: "1001",
        incarnation: 2,
        displayNumber: "42",
        restaurant: "Luca",
        promisedAt: 1_700_000_900
    ),
    state: DoorstepAttributes.ContentState(
        phase: .onTheWay,
        eta: 1_700_000_601,
        late: true,
        courier: "Ana",
        pendingCommand: "cancel",
        asOf: 1_699_999_998,
        revision: 7
    ),
    progress: 0.25,
    now: 1_700_000_000
)

/// The card of an order of which nothing is known but its phase.
func bare(_ phase: DoorstepAttributes.Phase = .onTheWay) -> CanonicalCard {
    CanonicalCard(
        attributes: DoorstepAttributes(order: "1001", incarnation: 1),
        state: DoorstepAttributes.ContentState(phase: phase, asOf: 1_699_999_998, revision: 1),
        now: 1_700_000_000
    )
}

extension Contract {
    func stateText(_ card: CanonicalCard) -> String {
        var json = JSONWriter()
        writeState(of: card, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    func attributesText(_ card: CanonicalCard) -> String {
        var json = JSONWriter()
        writeAttributes(of: card, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
