import JSONText
import Testing

@testable import APNsSimulator

/// Phones through the control API.
@Suite struct PhoneControlTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    @Test(
        arguments: [
            ("wakeForeground", 0.25), ("wakeBackground", nil), ("wakeTerminated", 1), ("wakeForceQuit", 0),
            ("awakeSeconds", 2.5), ("startBudget", 3), ("startBudget", nil), ("startBudgetSeconds", 60),
            ("maximumActivities", 2), ("urgentPerHour", 5), ("urgentPerHourFrequent", nil), ("overBudget", "defer"),
            ("endIgnoresTimestamp", true), ("appliesTies", false), ("timestampAheadSeconds", nil),
            ("timestampAheadSeconds", 60), ("alertSeconds", 0),
        ] as [(String, JSON)]
    )
    mutating func `a knob is turned and read back`(name: String, value: JSON) throws {
        let before = try simulated.ask("GET", "/settings").json
        let set = try simulated.ask("POST", "/settings", .object(JSONObject([.init(name: name, value: value)])))
        #expect(set.status == 200)
        #expect(set.json[name]?.doubleValue == value.doubleValue)
        if value.doubleValue == nil { #expect(set.json[name] == value) }
        let others = { (json: JSON) in json.objectValue?.members.filter { $0.name != name }.map(\.value) }
        #expect(others(set.json) == others(before))
    }

    @Test(
        arguments: [
            ("wakeForeground", 1.5), ("awakeSeconds", nil), ("startBudget", -1), ("startBudget", 2.5),
            ("overBudget", "queue"), ("appliesTies", 1), ("alertSeconds", "5"),
        ] as [(String, JSON)]
    )
    mutating func `a value that a knob does not take changes nothing`(name: String, value: JSON) throws {
        let before = try simulated.ask("GET", "/settings").json
        #expect(
            try simulated.ask("POST", "/settings", .object(JSONObject([.init(name: name, value: value)]))).status == 400
        )
        #expect(try simulated.ask("GET", "/settings").json == before)
    }

    @Test mutating func `a phone is made as it was asked for`() throws {
        let order: JSON = [
            "id": "P1", "customer": "C1", "os": "17.1", "build": "40", "prompt": "ignored",
            "attributesTypes": ["DoorstepAttributes"],
        ]
        #expect(try simulated.ask("POST", "/phones", order).status == 201)
        let phone = try simulated.ask("GET", "/phones/P1").json
        #expect(phone["prompt"] == "ignored")
        #expect(phone["build"] == "40")
        #expect(phone["attributesTypes"] == ["DoorstepAttributes"])
        #expect(phone["tokens"]?["start"] == .null)
        for bad in [["id": "P2", "attributesTypes": ["X"]], ["id": "P2", "attributesTypes": []]] as [JSON] {
            #expect(try simulated.ask("POST", "/phones", bad).status == 400)
        }
    }

    @Test mutating func `an app may have several types, of which contracts are some`() throws {
        let contract: JSON = [
            "attributesType": "RideAttributes", "attributes": ["ride": ["from": "order", "type": "String"]],
            "state": ["status": ["from": "phase", "type": "String"]],
        ]
        let app: JSON = [
            "id": "rides", "bundleId": "app.rides", "schemas": [["contract": contract], ["contract": contract]],
        ]
        let made = try simulated.ask("POST", "/apps", app)
        #expect(made.status == 201)
        #expect(made.json["attributesTypes"] == ["RideAttributes", "RideAttributes"])
        for schemas in [[], [["contract": [:]]]] as [JSON] {
            let body: JSON = ["id": "rides", "bundleId": "app.rides", "schemas": schemas]
            #expect(try simulated.ask("POST", "/apps", body).status == 400)
        }
    }

    @Test mutating func `what is live shows the phone that is asked for, its island and its last pushes`() throws {
        try simulated.ask("POST", "/phones", [["id": "P1"], ["id": "P2"]])
        for number in 0..<4 {
            simulated.start(order: "O\(number)")
            simulated.pass(seconds: 2)
        }
        simulated.start(["timestamp": nil])
        let all = try simulated.ask("GET", "/live").json["phones"]?.arrayValue ?? []
        #expect(all.map { $0["id"] } == ["P1", "P2"])
        let alone = try simulated.ask("GET", "/live", query: "phone=P1").json["phones"]?.arrayValue ?? []
        #expect(alone.count == 1)
        #expect(alone.first?["island"]?["mode"] == "expanded")
        let pushes = alone.first?["recent"]?.arrayValue ?? []
        #expect(pushes.map { $0["why"] } == ["malformed", .null, .null, .null, .null])
        #expect(pushes.first?["meaning"]?.stringValue == Verdict.malformed.meaning)
        #expect(pushes.first?["payload"] == nil)
        #expect(try simulated.ask("GET", "/live", query: "phone=P9").status == 404)
    }

    @Test mutating func `a phone's log tells which push did nothing, and why`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start(["alert": nil])
        let log = try simulated.ask("GET", "/phones/P1").json["log"]?.arrayValue ?? []
        #expect(log.map { $0["text"] } == ["ignored: a start needs an alert"])
        #expect(log.first?["push"]?.int64Value == 1)
    }
}
