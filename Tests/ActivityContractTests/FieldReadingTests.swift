import ActivityContract
import JSONText
import Testing

/// The rules of single fields.
@Suite struct FieldReadingTests {
    @Test(
        arguments: [
            // ISO dates and milliseconds: no default decoder reads them.
            (["from": "eta", "type": "Date?", "as": "iso8601"], "as unknownForm"),
            (["from": "eta", "type": "Int?", "as": "milliseconds"], "as unknownForm"),
            (["from": "eta", "type": "String?", "as": "swiftDate"], "type unfitForm"),
            (["from": "eta", "type": "Date?", "as": "unixSeconds"], "type unfitForm"),
            (["from": "eta", "type": "Date?", "as": "text"], "as unfitForm"),
            (["from": "eta", "type": "Date?", "as": 5], "as malformed"),
            (["from": "eta", "type": "Date?"], "as missingMember"),
            (["from": "asOf", "type": "Int", "as": "minutes"], "as unfitForm"),
            (["from": "elapsed", "type": "Double", "as": "fraction"], "from unknownField"),
            (["from": "phase", "type": "Status"], "type malformed"),
            (["from": "phase", "type": "Int"], "type unfitForm"),
            (["from": "courier", "type": "Int?"], "type unfitForm"),
            (["from": "late", "type": "Int"], "type unfitForm"),
            (["from": "revision", "type": "Bool"], "type unfitForm"),
            (["from": "progress", "type": "Int?"], "type unfitForm"),
            (["from": "restaurant", "type": "String?", "cases": ["Luca"]], "cases unfitForm"),
            (["from": "phase", "type": "String", "cases": []], "cases malformed"),
            (["from": "phase", "type": "String", "cases": [1]], "cases malformed"),
            (["type": "Int", "value": "3"], "value unfitValue"), (["type": "Int", "value": nil], "value unfitValue"),
            (["type": "Bool", "value": 1], "value unfitValue"),
            (["type": "Double", "value": true], "value unfitValue"),
            (["type": "Int", "value": 3, "from": "order"], "value unknownMember"),
            (["from": "revision", "type": "Int", "ifUnknown": 1], "ifUnknown unknownMember"),
        ] as [(JSON, String)]
    )
    func `a field that no decoder would read is refused`(field: JSON, problem: String) {
        #expect(problems(contract(field: field)).contains("/state/f/\(problem)"), "\(problems(contract(field: field)))")
    }

    @Test(
        arguments: [
            ["from": "eta", "type": "Date?", "as": "swiftDate"],
            ["from": "eta", "type": "TimeInterval?", "as": "swiftDate"],
            ["from": "eta", "type": "Int64?", "as": "unixSeconds"], ["from": "eta", "type": "Int?", "as": "minutes"],
            ["from": "asOf", "type": "Int", "as": "unixSeconds"], ["from": "late", "type": "Bool"],
            ["from": "late", "type": "Bool", "as": "flag"], ["from": "revision", "type": "Int", "as": "number"],
            ["from": "late", "type": "String", "cases": ["late", "fine"], "map": ["true": "late", "false": "fine"]],
            ["from": "progress", "type": "Double?"], ["from": "courier", "type": "String?", "ifUnknown": "Someone"],
            ["from": "courier", "type": "String?", "ifUnknown": nil], ["type": "String?", "value": nil],
            ["type": "Date", "value": 0.5],
        ] as [JSON]
    )
    func `a field that decodes is taken`(field: JSON) {
        #expect(problems(contract(field: field)) == [])
    }

    // MARK: - While nothing is known

    @Test(
        arguments: [
            (["from": "courier", "type": "String"], "ifUnknown unknownUncovered"),
            (["from": "courier", "type": "String", "ifUnknown": nil], "ifUnknown unknownUncovered"),
            (["from": "courier", "type": "String", "ifUnknown": 3], "ifUnknown unfitValue"),
            (["from": "courier", "type": "String", "ifUnknown": "hold"], "ifUnknown unfitHold"),
            (["from": "progress", "type": "Double"], "ifUnknown unknownUncovered"),
            (["from": "eta", "type": "Int", "as": "minutes"], "ifUnknown unknownUncovered"),
            (["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": 0], "ifUnknown zeroForUnknown"),
            (["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": 0.0], "ifUnknown zeroForUnknown"),
            (["from": "promisedAt", "type": "Int?", "as": "unixSeconds", "ifUnknown": 0], "ifUnknown zeroForUnknown"),
            (["from": "eta", "type": "Date", "as": "swiftDate", "ifUnknown": "never"], "ifUnknown unfitValue"),
            (["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": "hold"], "ifLost unknownUncovered"),
            (
                ["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": "hold", "ifLost": 0],
                "ifLost zeroForUnknown"
            ),
            (
                ["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": "hold", "ifLost": "asOf"],
                "ifLost unfitValue"
            ),
            (["from": "eta", "type": "Date?", "as": "swiftDate", "ifLost": "asOf"], "ifLost unknownMember"),
        ] as [(JSON, String)]
    )
    func `a property that cannot say unknown needs a sentinel other than 0, or a hold`(field: JSON, problem: String) {
        #expect(problems(contract(field: field)) == ["/state/f/\(problem)"])
    }

    @Test(arguments: ["iso8601", "iso", "rfc3339", "date"])
    func `ISO dates in attributes are refused as in the state`(form: String) {
        let field: JSON = ["from": "promisedAt", "type": "Date?", "as": .string(form)]
        #expect(problems(contract(attribute: field)) == ["/attributes/a/as unknownForm"])
    }

    @Test func `minutes in an attribute would stand still`() {
        let field: JSON = ["from": "eta", "type": "Int?", "as": "minutes"]
        #expect(problems(contract(attribute: field)) == ["/attributes/a/as minutesInAttributes"])
    }

    @Test func `a hold is a trait, and so are minutes and progress`() throws {
        let minutes: JSON = ["from": "eta", "type": "Int", "as": "minutes", "ifUnknown": "hold", "ifLost": -1]
        let traits = try Contract(contract(field: minutes)).traits
        #expect(traits.holdsUntilETA)
        #expect(traits.showsMinutes)
        #expect(traits.startsByPush)
        #expect(traits.removes == [])
        let plain = try Contract(contract()).traits
        #expect(!plain.holdsUntilETA)
        #expect(!plain.showsMinutes)
        #expect(!plain.showsProgress)
        #expect(try Examples.contract("driver-progress").traits.showsProgress)
        #expect(try Examples.contract("status-and-date").traits.removes == [.cancelled, .failed, .returned])
        #expect(Contract.doorstep.traits == plain)
    }
}
