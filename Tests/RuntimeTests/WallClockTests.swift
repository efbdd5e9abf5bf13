import Testing

@testable import Runtime

@Suite struct WallClockTests {
    @Test func `dates are written as HTTP writes them`() {
        #expect(WallClock.httpDate(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(WallClock.httpDate(seconds: 951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    }

    @Test(arguments: [0, 784_111_777, 951_782_400, 1_790_000_000] as [Int64])
    func `dates that HTTP wrote are read back`(seconds: Int64) {
        #expect(WallClock.seconds(httpDate: WallClock.httpDate(seconds: seconds)) == seconds)
    }

    @Test(arguments: [
        "", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT",
        "Wed, 31 Feb 2024 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49 GMT",
    ])
    func `what is no such date is nil`(text: String) {
        #expect(WallClock.seconds(httpDate: text) == nil)
    }
}
