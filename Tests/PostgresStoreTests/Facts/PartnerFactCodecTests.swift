import PostgresStore
import Testing
import Tracking

struct PartnerFactCodecTests {
    private let occurred = Instant(seconds: 1_700_000_000)
    private let recorded = Instant(seconds: 1_700_000_500)

    private func fact(
        _ type: String = "order.on_the_way",
        occurredAt: Instant?,
        flags: FactFlags = [],
        _ body: String
    ) throws -> PartnerFact {
        try PartnerFactCodec.fact(
            type: type,
            source: "pos",
            id: "e1",
            occurredAt: occurredAt,
            recordedAt: recorded,
            flags: flags,
            body: Array(body.utf8)
        )
    }

    @Test func `every kept member is read`() throws {
        let body = #"""
            {"data":{"batch":"b","by":"staff","courier":{"id":"c","name":"Kim"},"customer":"ann","displayNumber":"A7",
            "eta":"2023-11-14T22:43:20Z","phase":"accepted","pickupEta":null,"progress":0.5,"reason":"r",
            "references":{"basket":"77"},"restaurant":{"id":"r1","name":"Da Ugo","timeZone":"Europe/Rome"},
            "scheduledFor":"2023-11-14T23:13:20Z","voids":{"id":"e0","source":"pos"}},"sourcetype":"XYZ"}
            """#
        let data = try fact(occurredAt: occurred, body).data
        #expect(data.customer == CustomerID("ann"))
        #expect(data.restaurant == PartnerData.Restaurant(id: "r1", name: "Da Ugo", timeZone: "Europe/Rome"))
        #expect(data.courier == PartnerData.Courier(id: "c", name: "Kim"))
        #expect(data.eta == .known(occurred + .seconds(1800)))
        #expect(data.pickupETA == .unknown)
        #expect(data.references == ["basket": "77"])
        #expect(data.displayNumber == "A7")
        #expect(data.scheduledFor == occurred + .seconds(3600))
        #expect(data.progress == 0.5)
        #expect(data.batch == "b")
        #expect(data.reason == "r")
        #expect(data.by == "staff")
        #expect(data.phase == .accepted)
        #expect(data.voids == EventReference(source: "pos", id: "e0"))
    }

    @Test(arguments: [#"{"causationid":"wish","data":{"by":"staff"}}"#, #"{"causationid":"wish"}"#])
    func `an event names the request that it answers`(body: String) throws {
        #expect(try fact(occurredAt: occurred, body).data.answers == "wish")
    }

    @Test(arguments: ["", "{}", #"{"data":null}"#, #"{"data":{}}"#])
    func `an event may say nothing but its type`(_ body: String) throws {
        #expect(try fact(occurredAt: occurred, body).data == PartnerData())
    }

    @Test func `an event without a time happened when it came`() throws {
        #expect(try fact(occurredAt: nil, "").key.time == recorded)
        #expect(try fact(occurredAt: occurred, "").key.time == occurred)
    }

    // D18
    @Test func `a source whose clock runs ahead is not believed`() throws {
        let ahead = recorded + .seconds(900)
        #expect(try fact(occurredAt: ahead, flags: .clockAhead, "").key.time == recorded)
        #expect(try fact(occurredAt: ahead, "").key.time == ahead)
    }

    @Test func `an unknown word is kept`() throws {
        #expect(try fact("pizza.spun", occurredAt: occurred, "").type == .unknown("pizza.spun"))
    }

    @Test func `equal contents have equal digests whatever their ids`() throws {
        let one = try fact(occurredAt: occurred, #"{"data":{"customer":"ann"}}"#)
        let other = try fact(occurredAt: recorded, #"{"data":{"customer":"ann"}}"#)
        #expect(one.contentDigest == other.contentDigest)
        #expect(one.contentDigest != (try fact(occurredAt: occurred, "")).contentDigest)
    }

    @Test(arguments: [
        (#"{"data":{"eta":"soon"}}"#, FactError(.badValue, "eta")),
        (#"{"data":{"scheduledFor":7}}"#, FactError(.badValue, "scheduledFor")),
        (#"{"data":{"voids":{"id":"e"}}}"#, FactError(.missingMember, "source")),
        (#"{"data":{"references":[]}}"#, FactError(.badValue, "references")), ("[", FactError(.malformedJSON)),
    ])
    func `what ingest would never have let in names its member`(_ body: String, _ error: FactError) {
        #expect(throws: error) { try fact(occurredAt: occurred, body) }
    }
}
