import Runtime
import Testing

@Suite struct BackoffTests {
    @Test func `each delay lies between half and all of the doubled base`() {
        var generator = SplitMix64(seed: 7)
        let backoff = Backoff(base: .milliseconds(100), limit: .seconds(10))
        for attempt in 0..<64 {
            let whole = min(Duration.seconds(10), .milliseconds(100) * (1 << min(attempt, 20)))
            for _ in 0..<50 {
                let delay = backoff.delay(afterFailure: attempt, using: &generator)
                #expect(delay >= whole / 2 && delay <= whole)
            }
        }
    }

    @Test func `clients that failed together come back apart`() {
        var generator = SplitMix64(seed: 1)
        let delays = Set((0..<100).map { _ in Backoff().delay(afterFailure: 3, using: &generator) })
        #expect(delays.count > 90)
    }

    @Test func `enormous settings do not overflow`() {
        var generator = SplitMix64(seed: 1)
        let backoff = Backoff(base: .seconds(86_400 * 365), limit: .seconds(86_400 * 365 * 100))
        #expect(backoff.delay(afterFailure: .max, using: &generator) <= .seconds(86_400 * 365 * 100))
    }
}

@Suite struct SplitMix64Tests {
    @Test func `the sequence is the published one`() {
        var generator = SplitMix64(seed: 1_234_567)
        let first = (0..<3).map { _ in generator.next() }
        #expect(first == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }
}
