import Runtime
import Testing

@testable import APNs

struct ProviderTokenStateTests {
    private let first = ProviderToken(authorization: "bearer 1")
    private let second = ProviderToken(authorization: "bearer 2")

    /// Both clocks so many minutes after the start, the wall clock corrected by some more.
    private func at(_ minutes: Int, wallCorrection: Int = 0) -> ClockReading {
        ClockReading(
            wallSeconds: 1_790_000_000 + Int64(minutes + wallCorrection) * 60,
            monotonic: MonotonicTime(nanoseconds: 0) + .seconds(minutes * 60)
        )
    }

    private func mintedAtStart() -> ProviderTokenState {
        var state = ProviderTokenState()
        state.minted(first, at: at(0))
        return state
    }

    @Test func `a token is used for forty minutes and then replaced`() {
        var state = mintedAtStart()
        #expect(state.token(at: at(0)) == .use(first))
        #expect(state.token(at: at(39)) == .use(first))
        #expect(state.token(at: at(40)) == .mint)
    }

    @Test func `the age counts from minting`() {
        // P27: idle for 45 minutes, one push, another 10 minutes later.
        var state = ProviderTokenState()
        #expect(state.token(at: at(45)) == .mint)
        state.minted(first, at: at(45))
        #expect(state.token(at: at(55)) == .use(first))
        #expect(state.token(at: at(84)) == .use(first))
        #expect(state.token(at: at(85)) == .mint)
    }

    @Test func `a corrected wall clock asks for a new token`() {
        // P31
        var state = mintedAtStart()
        #expect(state.token(at: at(10, wallCorrection: -120)) == .mint)
        #expect(state.token(at: at(10, wallCorrection: 120)) == .mint)
        #expect(state.token(at: at(10, wallCorrection: 4)) == .use(first))
        state.minted(second, at: at(10, wallCorrection: -120))
        #expect(state.token(at: at(11, wallCorrection: -120)) == .use(second))
    }

    @Test func `a thousand refusals as expired mint one token`() {
        // P30
        var state = mintedAtStart()
        for _ in 0..<1000 { #expect(state.expired(first, at: at(5)) == true) }
        #expect(state.token(at: at(5)) == .mint)
        state.minted(second, at: at(5))
        #expect(state.expired(first, at: at(5)) == true)
        #expect(state.token(at: at(5)) == .use(second))
        #expect(state.expired(second, at: at(6)) == false)
        #expect(state.token(at: at(6)) == .use(second))
        #expect(state.expired(second, at: at(26)) == true)
        #expect(state.token(at: at(26)) == .mint)
    }

    @Test func `too many updates keep the token for twenty minutes but never past its hour`() {
        var state = mintedAtStart()
        state.tooManyUpdates(at: at(35))
        #expect(state.token(at: at(41)) == .use(first))
        #expect(state.token(at: at(54)) == .use(first))
        #expect(state.token(at: at(55)) == .mint)
        state.tooManyUpdates(at: at(50))
        #expect(state.token(at: at(57)) == .use(first))
        #expect(state.token(at: at(58)) == .mint)
    }

    @Test(arguments: 0..<20) func `however time goes by, no token is changed too soon or used too long`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var state = ProviderTokenState()
        var minutes = 0
        var mintedAt: Int?
        for number in 0..<500 {
            minutes += Int.random(in: 0...15, using: &generator)
            switch state.token(at: at(minutes)) {
            case .use: #expect(minutes - (mintedAt ?? 0) < 60)
            case .mint:
                if let mintedAt { #expect(minutes - mintedAt >= 20) }
                mintedAt = minutes
                state.minted(ProviderToken(authorization: "bearer \(number)"), at: at(minutes))
            }
        }
    }
}
