import Testing

@testable import Runtime

@Suite struct WallClockTests {
    @Test func `dates are written as HTTP writes them`() {
        #expect(WallClock.httpDate(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(WallClock.httpDate(seconds: 951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    }
}
