import Runtime
import Service
import Testing

struct DatabaseClockTests {
    @Test func `it follows a database that is ahead`() {
        let clock = DatabaseClock(now: 1_000_000)
        clock.measured(60_000_000, at: .now)
        #expect(clock.now >= 60_000_000)
    }

    @Test func `a process whose clock is ahead gives in at the first reading`() {
        let clock = DatabaseClock(now: 900_000_000)
        clock.measured(60_000_000, at: .now)
        #expect(clock.now < 900_000_000)
    }

    @Test func `it never steps back`() {
        let clock = DatabaseClock(now: 0)
        clock.measured(60_000_000, at: .now)
        let before = clock.now
        clock.measured(1_000_000, at: .now)
        #expect(clock.now >= before)
    }

    @Test func `receipt days begin at midnight UTC`() {
        #expect(DatabaseClock.day(of: 0) == 0)
        #expect(DatabaseClock.day(of: 86_399_999_999) == 0)
        #expect(DatabaseClock.day(of: 86_400_000_000) == 1)
    }
}
