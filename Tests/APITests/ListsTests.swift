import API
import JSONText
import Runtime
import Service
import Testing
import Tracking

@Suite struct ListsTests {
    private let bench = Bench()

    private func summary(_ order: String, restaurant: String? = nil) -> OrderSummary {
        OrderSummary(
            order: OrderID(order),
            phase: .placed,
            since: 0,
            restaurant: restaurant,
            placedAt: 0,
            lastAt: 1_000_000,
            closedAt: nil,
            eta: nil,
            flags: [.contradiction],
            match: nil
        )
    }

    @Test func `orders are found by number or by filter`() async throws {
        bench.service.state.withLock { $0.summaries = [summary("o-1")] }
        let answer = try await bench.send("GET", "/v1/orders?reference=%23028", as: .support)
        #expect(answer.status == 200)
        #expect(answer.json["items"]?.arrayValue?.first?["order"] == "o-1")
        #expect(answer.json["next"] == .null)
        let target =
            "/v1/orders?phase=placed&restaurant=r&flag=late&open=true&from=2026-11-30T10:00:00Z"
            + "&to=2026-11-30T11:00:00%2B01:00&quiet=60"
        #expect(try await bench.send("GET", target, as: .supervisor).status == 200)
        var filter = OrderFilter()
        filter.phase = .placed
        filter.restaurant = "r"
        filter.flags = .late
        filter.isOpen = true
        filter.from = Bench.now - 7_200_000_000
        filter.to = Bench.now - 7_200_000_000
        filter.quietSince = Bench.now - 60_000_000
        #expect(bench.service.state.withLock { $0.searched } == [.reference("#028"), .filter(filter)])
    }

    @Test(arguments: [
        ("reference=", "query:reference length"), ("reference=%00", "query:reference length"),
        ("reference=a&open=true", "query:open unsupported"), ("phase=lost", "query:phase choice"),
        ("flag=odd", "query:flag choice"), ("open=1", "query:open choice"), ("from=yesterday", "query:from format"),
        ("quiet=0", "query:quiet range"), ("limit=1001", "query:limit range"), ("after=x", "query:after format"),
    ])
    func `what cannot be meant is named`(query: String, fault: String) async throws {
        let answer = try await bench.send("GET", "/v1/orders?\(query)", as: .support)
        #expect(answer.status == 422)
        #expect(answer.faults == [fault])
    }

    @Test func `a cursor of one list is refused by another`() async throws {
        bench.service.state.withLock { $0.summaries = [summary("a"), summary("b")] }
        let first = try await bench.send("GET", "/v1/orders?limit=1", as: .support)
        let next = try #require(first.json["next"]?.stringValue)
        let rest = try await bench.send("GET", "/v1/orders?limit=1&after=\(next)", as: .support)
        #expect(rest.json["items"]?.arrayValue?.first?["order"] == "b")
        for other in ["/v1/orders?reference=a&after=\(next)", "/v1/parked?after=\(next)"] {
            #expect(try await bench.send("GET", other, as: .support).faults == ["query:after format"])
        }
    }

    @Test func `a whole list goes out as lines`() async throws {
        bench.service.state.withLock {
            $0.summaries = (0..<2_500).map { summary("o-\($0)", restaurant: "=HYPERLINK(1)") }
        }
        let table = try await bench.text("/v1/orders", accept: "text/csv, */*")
        #expect(table.hasPrefix("order,phase,since,restaurant,placedAt,lastAt,closedAt,eta,flags,match\r\n"))
        let lines = table.split(separator: "\r\n")
        #expect(lines.count == 2_501)
        #expect(
            lines[1]
                == #"o-0,placed,1970-01-01T00:00:00Z,"'=HYPERLINK(1)",1970-01-01T00:00:00Z,1970-01-01T00:00:01Z,,,"#
                + #""[""contradiction""]","#
        )
        let objects = try await bench.text("/v1/orders", accept: "application/jsonl").split(separator: "\n")
        #expect(objects.count == 2_500)
        #expect(try JSON.parse(Array(objects[2_499].utf8))["order"] == "o-2499")
        #expect(
            try await bench.send("GET", "/v1/orders", as: .support, headers: [("Accept", "image/png")]).json["items"]
                != nil
        )
    }

    @Test func `what waits for staff is listed`() async throws {
        bench.service.state.withLock { state in
            state.parked = [
                ParkedEntry(kind: "order", stream: "o", since: 0, fromVersion: 3, reason: "badValue", detail: nil)
            ]
            state.quarantined = [
                QuarantinedEntry(order: "o", source: "s", type: "t", id: "i", times: 2, firstAt: 0, lastAt: 1)
            ]
        }
        let parked = try await bench.send("GET", "/v1/parked", as: .operator)
        #expect(parked.json["items"]?.arrayValue?.first?["reason"] == "badValue")
        let quarantined = try await bench.send("GET", "/v1/quarantine", as: .support)
        #expect(quarantined.json["items"]?.arrayValue?.first?["times"] == 2)
    }

    @Test(arguments: ["/v1/orders", "/v1/parked", "/v1/quarantine"])
    func `tables have the columns that the objects have members`(path: String) async throws {
        bench.service.state.withLock { state in
            state.summaries = [summary("a")]
            state.parked = [
                ParkedEntry(kind: "order", stream: "o", since: 0, fromVersion: 3, reason: "badValue", detail: nil)
            ]
            state.quarantined = [
                QuarantinedEntry(order: "o", source: "s", type: "t", id: "i", times: 2, firstAt: 0, lastAt: 1)
            ]
        }
        let header = try await bench.text(path, accept: "text/csv").prefix { $0 != "\r\n" }
        let object = try await bench.send("GET", path, as: .support).json["items"]?.arrayValue?.first?.objectValue
        #expect(header.split(separator: ",").map(String.init) == object?.members.map(\.name))
    }
}

@Suite struct DisplayNumberTests {
    @Test(arguments: [
        ("#028", "028", "28"), ("28", "28", "28"), ("#", "#", "#"), ("000", "000", "000"), ("A-7", "A-7", "A-7"),
    ])
    func `the sign and zeros in front do not matter`(written: String, text: String, bare: String) {
        #expect(DisplayNumber(written).text == text)
        #expect(DisplayNumber(written).withoutZeros == bare)
    }
}
