import JSONText
import Testing

@Suite struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-30T02:17:46Z", 1_796_005_066_000_000),
        ("2026-11-30T02:17:46.5Z", 1_796_005_066_500_000), ("2026-11-30T02:17:46.123456789Z", 1_796_005_066_123_456),
        ("2026-11-30T03:17:46+01:00", 1_796_005_066_000_000), ("2026-11-29T18:17:46-08:00", 1_796_005_066_000_000),
        ("2026-11-30t02:17:46z", 1_796_005_066_000_000), ("2026-11-30T02:17:46-00:00", 1_796_005_066_000_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000_000), ("2000-02-29T23:59:59Z", 951_868_799_000_000),
        ("1969-12-31T23:59:59.999999Z", -1), ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000_000), ("2016-12-31T23:59:60Z", 1_483_228_799_999_999),
        ("1990-12-31T15:59:60.25-08:00", 662_687_999_999_999),
    ])
    func `times are read to the microsecond`(text: String, expected: Int64) throws {
        let time = try #require(RFC3339.parse(text))
        #expect(time.microseconds == expected)
        #expect(time.hasOffset)
    }

    @Test func `a time without an offset is read as a wall clock`() throws {
        let time = try #require(RFC3339.parse("2026-11-30T02:17:46.000001"))
        #expect(time.microseconds == 1_796_005_066_000_001)
        #expect(!time.hasOffset)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T02:17Z", "2026-11-30 02:17:46Z", "2026-11-30T02:17:46.Z",
        "2026-11-30T02:17:46,5Z",
        "2026-11-30T24:00:00Z", "2026-11-30T02:60:46Z", "2026-11-30T02:17:61Z", "2026-13-30T02:17:46Z",
        "2026-00-30T02:17:46Z", "2026-11-31T02:17:46Z", "2026-11-00T02:17:46Z", "2026-02-29T02:17:46Z",
        "1900-02-29T02:17:46Z", "26-11-30T02:17:46Z", "12026-11-30T02:17:46Z", "2026-1-30T02:17:46Z",
        "2026-11-30T02:17:46+24:00", "2026-11-30T02:17:46+01:60", "2026-11-30T02:17:46+0100", "2026-11-30T02:17:46+01",
        "2026-11-30T02:17:46Z ", " 2026-11-30T02:17:46Z", "2026-11-30T02:17:46ZZ", "2026-11-30T02:17:46UTC",
        "+026-11-30T02:17:46Z", "2026-11-30T02:17:-1Z", "\u{0662}026-11-30T02:17:46Z", "20261130T021746Z",
    ])
    func `anything else is no time`(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_796_005_066_500_000, "2026-11-30T02:17:46.500Z"),
        (1_796_005_066_000_001, "2026-11-30T02:17:46.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (Int64.min, "0000-01-01T00:00:00Z"), (Int64.max, "9999-12-31T23:59:59.999999Z"),
    ])
    func `times are written in UTC with the digits they need`(microseconds: Int64, expected: String) {
        #expect(RFC3339.format(microseconds) == expected)
    }

    @Test func `what is written reads back the same, over all years`() throws {
        var time: Int64 = -62_167_219_200_000_000
        while time < 253_402_300_799_000_000 {
            #expect(RFC3339.parse(RFC3339.format(time))?.microseconds == time)
            time += 86_400_000_000 * 97 + 3_723_004_567
        }
    }

    @Test func `days and dates count in step`() {
        for day in Int64(-200_000)..<200_000 where day % 3 == 0 {
            let (year, month, dayOfMonth) = CivilDate.fromDays(day)
            #expect(CivilDate.toDays(year: year, month: month, day: dayOfMonth) == day)
            #expect((1...CivilDate.daysIn(month: month, year: year)).contains(dayOfMonth))
        }
    }
}
