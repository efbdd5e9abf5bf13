import API
import JSONText
import Testing

@Suite struct TimeZoneTests {
    private static func utc(_ local: String, in zone: String) throws -> String {
        let rules = try #require(TimeZoneRules(named: zone))
        return RFC3339.format(rules.utc(fromLocal: try #require(RFC3339.parse(local)).microseconds))
    }

    // D15
    @Test(arguments: [
        ("America/Los_Angeles", "2026-01-15T12:00:00", "2026-01-15T20:00:00Z"),
        ("America/Los_Angeles", "2026-07-15T12:00:00.5", "2026-07-15T19:00:00.500Z"),
        ("America/Los_Angeles", "2060-07-15T12:00:00", "2060-07-15T19:00:00Z"),
        ("America/Los_Angeles", "2060-01-15T12:00:00", "2060-01-15T20:00:00Z"),
        ("Europe/Zurich", "2026-03-29T01:59:59", "2026-03-29T00:59:59Z"),
        ("Europe/Zurich", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z"),
        ("Europe/Zurich", "2060-03-28T03:00:00", "2060-03-28T01:00:00Z"),
        ("Asia/Kolkata", "2026-07-15T12:00:00", "2026-07-15T06:30:00Z"),
        ("Australia/Lord_Howe", "2026-01-15T12:00:00", "2026-01-15T01:00:00Z"),
        ("Australia/Lord_Howe", "2060-01-15T12:00:00", "2060-01-15T01:00:00Z"),
        ("Australia/Sydney", "2060-12-31T23:59:59", "2060-12-31T12:59:59Z"),
        ("America/Sao_Paulo", "2026-07-15T12:00:00", "2026-07-15T15:00:00Z"),
        ("Europe/London", "1800-01-01T00:00:00", "1800-01-01T00:01:15Z"),
        ("UTC", "2026-07-15T12:00:00", "2026-07-15T12:00:00Z"),
        ("Etc/GMT+5", "2026-07-15T12:00:00", "2026-07-15T17:00:00Z"),
        ("America/St_Johns", "1969-12-31T20:29:59.999999", "1969-12-31T23:59:59.999999Z"),
    ])
    func `wall clocks are read in their zone`(zone: String, local: String, utc: String) throws {
        #expect(try Self.utc(local, in: zone) == utc)
    }

    // D19
    @Test func `a time that occurs twice means the first`() throws {
        #expect(try Self.utc("2026-10-25T02:30:00", in: "Europe/Zurich") == "2026-10-25T00:30:00Z")
        #expect(try Self.utc("2060-10-31T02:30:00", in: "Europe/Zurich") == "2060-10-31T00:30:00Z")
    }

    // D19
    @Test func `a time the clock skipped is read with the offset before the gap`() throws {
        #expect(try Self.utc("2026-03-29T02:30:00", in: "Europe/Zurich") == "2026-03-29T01:30:00Z")
    }

    @Test func `local and back is the same outside of gaps`() throws {
        for zone in ["America/New_York", "Europe/Zurich", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca"]
        {
            let rules = try #require(TimeZoneRules(named: zone))
            for day in stride(from: Int64(-20_000), to: 40_000, by: 7) {
                let moment = day * 86_400 + 43_200
                let local = (moment + rules.offset(atUTC: moment)) * 1_000_000
                #expect(rules.utc(fromLocal: local) == moment * 1_000_000)
            }
        }
    }

    @Test(arguments: [
        "", "Nowhere/City", "../../etc/passwd", "/etc/localtime", "Europe", "Europe/", "zone.tab", "a\u{0}b",
    ])
    func `other names are no zones`(name: String) {
        #expect(TimeZoneRules(named: name) == nil)
    }
}
