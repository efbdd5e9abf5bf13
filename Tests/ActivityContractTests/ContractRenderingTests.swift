import ActivityContract
import Foundation
import JSONText
import Testing

/// What fields say of a card.
@Suite struct ContractRenderingTests {
    private static func text(_ field: JSON, _ card: CanonicalCard) throws -> String {
        let text = try Contract(contract(field: field)).stateText(card)
        return String(text.dropFirst(#"{"f":"#.count).dropLast(#","phase":"on_the_way"}"#.count))
    }

    @Test(
        arguments: [
            (["from": "phase", "type": "String"], #""on_the_way""#, #""on_the_way""#),
            (["from": "phase", "type": "String", "map": words()], #""riding""#, #""riding""#),
            (["from": "order", "type": "String"], #""1001""#, #""1001""#),
            (["from": "displayNumber", "type": "String?"], #""42""#, "null"),
            (["from": "restaurant", "type": "String", "ifUnknown": "?"], #""Luca""#, #""?""#),
            (["from": "courier", "type": "String", "ifUnknown": ""], #""Ana""#, #""""#),
            (["from": "pendingCommand", "type": "String?"], #""cancel""#, "null"),
            (["from": "incarnation", "type": "Int"], "2", "1"), (["from": "revision", "type": "Int"], "7", "1"),
            (["from": "late", "type": "Bool"], "true", "false"), (["from": "stale", "type": "Bool"], "false", "false"),
            (["from": "attemptFailed", "type": "Bool"], "false", "false"),
            (["from": "late", "type": "String", "map": ["true": "late", "false": "ok"]], #""late""#, #""ok""#),
            (["from": "eta", "type": "Int?", "as": "unixSeconds"], "1700000601", "null"),
            (["from": "eta", "type": "Date?", "as": "swiftDate"], "721693401", "null"),
            (["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": -1], "11", "-1"),
            (
                ["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": "distantFuture"], "721693401",
                "63113904000"
            ),
            (
                ["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": "distantPast"], "721693401",
                "-63114076800"
            ),
            (
                ["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": "hold", "ifLost": "asOf"], "721693401",
                "721692798"
            ), (["from": "eta", "type": "Date?", "as": "swiftDate", "ifUnknown": "hold"], "721693401", "null"),
            (["from": "promisedAt", "type": "Int?", "as": "unixSeconds"], "1700000900", "null"),
            (["from": "asOf", "type": "Int", "as": "unixSeconds"], "1699999998", "1699999998"),
            (["from": "progress", "type": "Double?"], "0.25", "null"),
            (["from": "progress", "type": "Double", "ifUnknown": -1], "0.25", "-1"),
            (["type": "Int", "value": 3], "3", "3"),
        ] as [(JSON, String, String)]
    )
    func `a field is written as its contract says, known or not`(field: JSON, known: String, unknown: String) throws {
        #expect(try Self.text(field, card) == known)
        #expect(try Self.text(field, bare()) == unknown)
    }

    // P63
    @Test func `a Swift date decodes to the same instant`() throws {
        let text = try Self.text(["from": "eta", "type": "Date?", "as": "swiftDate"], card)
        let date = try JSONDecoder().decode([Date].self, from: Data("[\(text)]".utf8))
        #expect(date == [Date(timeIntervalSince1970: 1_700_000_601)])
        #expect(Double(MomentForm.swiftEpoch) == Date.timeIntervalBetween1970AndReferenceDate)
    }

    @Test func `the words for never are those of Foundation`() throws {
        for (word, date) in [("distantPast", Date.distantPast), ("distantFuture", Date.distantFuture)] {
            let field: JSON = ["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": .string(word)]
            let text = try Self.text(field, bare())
            #expect(try JSONDecoder().decode([Date].self, from: Data("[\(text)]".utf8)) == [date])
        }
    }

    @Test(
        arguments: [
            (-60, 0), (0, 0), (1, 1), (59, 1), (60, 1), (61, 2), (3_600, 60), (Int64.max, 153_722_867_280_912_931),
        ] as [(Int64, Int64)]
    )
    func `begun minutes count whole, and none are below 0`(seconds: Int64, minutes: Int64) {
        #expect(MomentForm.minutes(until: seconds, from: 0) == minutes)
        #expect(MomentForm.minutes(until: .min, from: seconds) == 0)
    }

    @Test func `progress is the partner's, between 0 and 1, or the phase's step`() throws {
        var card = card
        for (progress, text) in [(1.5, "1.0"), (-0.5, "0.0"), (.nan, "0.5")] {
            card.progress = progress
            #expect(try Self.progress(card) == text)
        }
        card.progress = nil
        #expect(try Self.progress(card) == "0.5")
        card.state.phase = .delivered
        #expect(try Self.progress(card) == "1")
    }

    private static func progress(_ card: CanonicalCard) throws -> String? {
        let state = try Examples.contract("driver-progress").stateText(card)
        guard case .number(let text) = try JSON.parse(Array(state.utf8))["driverProgress"] else { return nil }
        return text
    }

    @Test func `an attribute that is held says at worst when the order was last heard of`() throws {
        let contract = try Examples.contract("driver-progress")
        #expect(
            contract.attributesText(card)
                == #"{"orderId":"1001","restaurantName":"Luca","estimatedDeliveryTime":721693700}"#
        )
        #expect(
            contract.attributesText(bare())
                == #"{"orderId":"1001","restaurantName":"","estimatedDeliveryTime":721692798}"#
        )
        let optional: JSON = ["from": "promisedAt", "type": "Date?", "as": "swiftDate", "ifUnknown": "hold"]
        #expect(
            try Contract(ActivityContractTests.contract(attribute: optional)).attributesText(bare())
                == #"{"order":"1001","a":null}"#
        )
    }

    @Test func `names are made fit, the order stays what it is`() throws {
        var card = card
        card.state.courier = "A\u{202E}na\n" + String(repeating: "x", count: 99)
        card.attributes.order = "a\u{7}" + String(repeating: "b", count: 200)
        let attributes = try JSON.parse(Array(Contract.doorstep.attributesText(card).utf8))
        #expect(attributes["order"]?.stringValue == card.attributes.order)
        let courier = try JSON.parse(Array(Contract.doorstep.stateText(card).utf8))["courier"]?.stringValue
        #expect(courier?.hasPrefix("A na x") == true)
        #expect(courier?.count == 60)
    }

    /// The app compiles these types; the contract must be theirs.
    @Test(arguments: DoorstepAttributes.Phase.allCases)
    func `the built-in contract is what its types read and write`(phase: DoorstepAttributes.Phase) throws {
        for card in [card, bare()] {
            var card = card
            card.state.phase = phase
            let state = Data(Contract.doorstep.stateText(card).utf8)
            #expect(try JSONDecoder().decode(DoorstepAttributes.ContentState.self, from: state) == card.state)
            let attributes = Data(Contract.doorstep.attributesText(card).utf8)
            #expect(try JSONDecoder().decode(DoorstepAttributes.self, from: attributes) == card.attributes)
        }
        #expect(Contract.doorstep.attributesType == DoorstepAttributes.typeName)
    }
}
