import Adapters
import JSONText
import Testing
import Tracking

/// What events carry, and what becomes of webhooks that are not as expected.
struct EventTests {
    private func event(_ platform: String, _ hook: Int, _ changes: (path: String, value: JSON)...) throws -> JSONObject
    {
        let changed = try changes.reduce(Hooks.delivery(platform)[hook]) { $0.with($1.value, at: $1.path) }
        return try #require(try Hooks.events(platform, changed).first)
    }

    @Test func `an event of Uber Direct`() throws {
        let expected: JSON = [
            "specversion": "1.0", "id": "evt_06", "source": "uber-direct", "type": "order.on_the_way",
            "subject": "ORD-2041", "time": "2026-11-20T18:31:06.020Z", "sourcetype": "dropoff",
            "data": [
                "courier": ["name": "Ines"], "restaurant": ["name": "Kale & Co"], "eta": "2026-11-20T18:50:00.000Z",
                "pickupEta": "2026-11-20T18:27:00.000Z", "references": ["uber": "del_q7Rk2"],
            ],
        ]
        #expect(JSON.object(try event("uber-direct", 5)) == expected)
    }

    @Test func `an event of Shipday, with times in milliseconds`() throws {
        let expected: JSON = [
            "specversion": "1.0", "id": "100071/ORDER_PIKEDUP", "source": "shipday", "type": "order.picked_up",
            "subject": "0012", "time": "2026-11-21T22:06:40Z", "sourcetype": "ORDER_PIKEDUP",
            "data": [
                "courier": ["id": "2501", "name": "Maruf"],
                "restaurant": ["id": "1199", "name": "Nordic Bowls Pearl"],
                "eta": "2026-11-21T22:40:00Z", "displayNumber": "0012", "references": ["shipday": "100071"],
            ],
        ]
        #expect(JSON.object(try event("shipday", 3)) == expected)
    }

    @Test(arguments: Hooks.platforms)
    func `an unknown word is kept with no effect`(platform: String) throws {
        // D31
        let paths = [
            "deliveroo": "body.order.status_log.0.status", "doordash-drive": "event_type", "onfleet": "triggerName",
            "shipday": "event", "square": "type", "uber-direct": "status", "wolt-drive": "type",
        ]
        let path = try #require(paths[platform])
        for word in ["order.teleported", "🛸"] where platform != "square" || word.hasPrefix("order.") {
            let event = try event(platform, 0, (path, .string(word)))
            #expect(event.text("type") == word)
            #expect(event.text("sourcetype") == word)
            #expect(EventType(word) == .unknown(word))
        }
        // A word that only happens to be one of Doorstep's is none of the platform's.
        let event = try event(platform, 0, (path, "order.disposed"))
        #expect(event.text("type") == "\(platform):order.disposed")
        #expect(event.text("sourcetype") == "order.disposed")
    }

    @Test(arguments: ["007", "1152921506151679042", "1e3", "-0", "1.50", "99999999999999999999999999"])
    func `a number as id keeps its digits`(digits: String) throws {
        // D27
        let number: JSON = digits == "007" ? "007" : .number(digits)
        let doordash = try event("doordash-drive", 0, ("dasher_id", number), ("external_delivery_id", number))
        #expect(doordash.data?["courier"]?["id"]?.stringValue == digits)
        #expect(doordash.text("subject") == digits)
        #expect(doordash.text("id")?.hasPrefix("\(digits)/DASHER_CONFIRMED/") == true)
        #expect(
            try event("shipday", 0, ("order.id", number)).text("id")?.hasPrefix("\(digits)/ORDER_INSERTED/") == true
        )
    }

    @Test(
        arguments: ["", 0, "0", .null, "soon", "2026-02-30T00:00:00Z", .number("1e300"), "1970-01-01T00:00:00Z"]
            as [JSON]
    )
    func `an arrival time that is none is unknown`(eta: JSON) throws {
        // D21
        #expect(try event("shipday", 3, ("order.eta", eta)).data?["eta"] == .null)
        #expect(try event("doordash-drive", 3, ("dropoff_time_estimated", eta)).data?["eta"] == .null)
    }

    @Test func `an arrival time that is not mentioned is left out`() throws {
        let hook = try Hooks.delivery("doordash-drive")[0].with(nil, at: "dropoff_time_estimated")
        let event = try #require(try Hooks.events("doordash-drive", hook).first)
        #expect(event.data?["eta"] == nil)
        #expect(event.data?["pickupEta"] != nil)
    }

    @Test func `a name that is too long is left out, an id is refused`() throws {
        let long = JSON.string(String(repeating: "é", count: 128))
        #expect(try event("doordash-drive", 0, ("dasher_name", long)).data?["courier"]?["name"] == nil)
        let error = try #require(throws: AdapterError.self) {
            try event("doordash-drive", 0, ("external_delivery_id", long))
        }
        #expect(error.code == .noEvent)
        #expect(error.problems.map(\.pointer) == ["/external_delivery_id", "/external_delivery_id"])
    }

    @Test func `values cannot run into each other`() throws {
        let one = try event("shipday", 0, ("order.id", "1/ORDER_INSERTED"), ("event", "2"))
        let other = try event("shipday", 0, ("order.id", "1"), ("event", "ORDER_INSERTED/2"))
        let third = try event("shipday", 0, ("order.id", "1"), ("event", "ORDER_INSERTED%2F2"))
        #expect(Set([one, other, third].map { $0.text("id") }).count == 3)
    }

    @Test(
        arguments: [
            ("uber-direct", 1, ["id"]), ("doordash-drive", 0, ["external_delivery_id", "event_type", "updated_at"]),
            ("wolt-drive", 0, ["details.wolt_order_reference_id", "type", "dispatched_at"]),
            ("onfleet", 0, ["taskId", "triggerName", "time"]), ("shipday", 0, ["order.id", "event", "timestamp"]),
            (
                "deliveroo", 2,
                [
                    "body.order_id", "body.riders.0.status_log.0.status", "body.riders.0.status_log.0.at",
                    "body.riders.0.full_name",
                ]
            ),
            ("square", 1, ["event_id", "data.object.order_fulfillment_updated.fulfillment_update.0.fulfillment_uid"]),
        ] as [(String, Int, [String])]
    )
    func `whatever makes two webhooks two stands in the id`(platform: String, hook: Int, paths: [String]) throws {
        let before = try event(platform, hook).text("id")
        for path in paths {
            let isTime = ["time", "timestamp"].contains(path) || path.hasSuffix("_at") || path.hasSuffix(".at")
            let other: JSON =
                isTime ? (platform == "onfleet" || platform == "shipday" ? 7_000 : "2026-01-01T00:00:00Z") : "x"
            #expect(try event(platform, hook, (path, other)).text("id") != before)
        }
    }

    @Test(arguments: ["ORDER_PIKEDUP", "ORDER_ONTHEWAY"])
    func `a retraction names the event it retracts`(word: String) throws {
        let told = try event("shipday", 3, ("event", .string(word)))
        let retraction = try event(
            "shipday",
            4,
            ("event", .string(word + "_REMOVED")),
            ("timestamp", 1_795_298_999_000)
        )
        #expect(retraction.text("type") == "event.voided")
        let id = try #require(told.text("id"))
        #expect(retraction.data?["voids"] == ["source": "shipday", "id": .string(id)])
        #expect(try DeliveryTests.fold([told]).phase == .onTheWay)
        #expect(try DeliveryTests.fold([told, retraction]).phase == .placed)
    }

    @Test func `an outcome that staff changed at Onfleet takes the place of the first`() throws {
        let delivery = try Hooks.delivery("onfleet")
        let edited = delivery[11].with("ADMIN", at: "actionContext.type")
        let completed = try Hooks.events("onfleet", delivery[10])
        let failed = try Hooks.events("onfleet", delivery[10].with("taskFailed", at: "triggerName"))
        let toFailed = try Hooks.events("onfleet", edited.with(false, at: "data.task.completionDetails.success"))
        let toCompleted = try Hooks.events("onfleet", edited)
        #expect(try DeliveryTests.fold(completed).phase == .delivered)
        let undone = try DeliveryTests.fold(completed + toFailed)
        #expect(undone.phase == .placed)
        #expect(undone.flags.contains(.attemptFailed))
        #expect(try DeliveryTests.fold(failed + toCompleted).phase == .delivered)
        // Additions to a completed task change nothing.
        #expect(try Hooks.events("onfleet", delivery[11]).map { $0.text("type") } == ["eta.changed"])
    }

    @Test func `Deliveroo's log decides, whatever order its webhooks come in`() throws {
        let delivery = try Hooks.delivery("deliveroo")
        let all = try Set(delivery.flatMap { try Hooks.events("deliveroo", $0) })
        let last = try Hooks.events("deliveroo", delivery[6]) + Hooks.events("deliveroo", delivery[1])
        let statuses = { (events: [JSONObject]) in
            Set(
                events.compactMap { $0.text("sourcetype") }.filter {
                    $0 != "position" && $0 != "estimated_arrival_time"
                }
            )
        }
        #expect(statuses(last) == statuses(Array(all)))
        #expect(Set(last).isSubset(of: all))
    }

    @Test func `two riders are two`() throws {
        let hook = try Hooks.delivery("deliveroo")[2]
        let rider = try #require(hook["body"]?["riders"]?[0])
        let both = hook.with([rider, rider.with("Bo Lind", at: "full_name")], at: "body.riders")
        let events = try Hooks.events("deliveroo", both).filter { $0.text("type") == "courier.assigned" }
        #expect(Set(events.map { $0.text("id") }).count == 2)
        #expect(events.allSatisfy { $0.text("id")?.contains("Joy") == false })
    }

    @Test func `what is missing is told at once, with its place`() throws {
        let error = try #require(throws: AdapterError.self) {
            try Hooks.adapter("shipday").events(
                from: Hooks.request("shipday", ["event": "ORDER_DELETE", "timestamp": "yesterday"]),
                source: "s"
            )
        }
        #expect(error.code == .noEvent)
        #expect(error.problems.map(\.pointer) == ["/order/id", "/order/order_number", "/timestamp"])
        #expect("\(error)".contains("yesterday") == false)
        let none = try #require(throws: AdapterError.self) { try Hooks.events("shipday", [:]) }
        #expect(none.problems.map(\.pointer) == ["/event"])
    }

    @Test func `a body that is no JSON, and a list beyond all measure, are refused`() throws {
        for body in ["", "{", "event=1", #"{"a":1,"a":2}"#, #"{"a":"\#u{0}"}"#, "{}\n{}"] {
            let request = Hooks.request("shipday", body: Array(body.utf8))
            let error = try #require(throws: AdapterError.self) {
                try Hooks.adapter("shipday").events(from: request, source: "s")
            }
            #expect(error.code == .badBody)
        }
        let entries = [JSON](repeating: ["at": "2026-11-23T19:04:02Z", "status": "placed"], count: 1_001)
        let hook = try Hooks.delivery("deliveroo")[0].with(.array(entries), at: "body.order.status_log")
        let error = try #require(throws: AdapterError.self) { try Hooks.events("deliveroo", hook) }
        #expect(error.code == .tooManyEvents)
    }

    @Test func `the vocabulary is Doorstep's`() throws {
        for type in EventType.Known.allCases {
            let text =
                #"{"adapter":"doorstep.adapter.v1","name":"a","signature":{"scheme":"none"},"id":"{id}","#
                + #""subject":"{o}","type":"{t}","types":{"w":"\#(type.rawValue)"}"#
                + (type == .eventVoided ? #","voids":{"w":"{v}"}}"# : "}")
            #expect(throws: Never.self) { try Adapter(Array(text.utf8)) }
        }
    }
}
