import Runtime
import Testing

@testable import APNs

struct ProviderTokenStateTests {
    private let first = ProviderToken(authorization: "bearer 1")
    private let second = ProviderToken(authorization: "bearer 2")
    /// On a half hour.
    private static let start: Int64 = 1_789_999_200

    /// Both clocks so many minutes after the start, the wall clock corrected by some more.
    private func at(_ minutes: Int, wallCorrection: Int = 0) -> ClockReading {
        ClockReading(
            wallSeconds: Self.start + Int64(minutes + wallCorrection) * 60,
            monotonic: MonotonicTime(nanoseconds: 0) + .seconds(minutes * 60)
        )
    }

    /// A time of issue so many minutes after the start.
    private func mint(_ minutes: Int) -> ProviderTokenState.Answer {
        .mint(issuedAt: Self.start + Int64(minutes) * 60)
    }

    private func minted(at minutes: Int = 0, as token: ProviderToken? = nil) -> ProviderTokenState {
        var state = ProviderTokenState()
        state.minted(token ?? first, issuedAt: Self.start + Int64(minutes / 30 * 30) * 60, at: at(minutes))
        return state
    }

    @Test func `a token is replaced at the next half hour`() {
        var state = minted()
        #expect(state.token(at: at(0)) == .use(first))
        #expect(state.token(at: at(29)) == .use(first))
        #expect(state.token(at: at(30)) == mint(30))
    }

    @Test func `processes that began at different times issue as of the same time and change together`() {
        // P26
        var states = [0, 7, 23, 29].map { minted(at: $0) }
        for index in states.indices {
            #expect(states[index].token(at: at(29)) == .use(first))
            #expect(states[index].token(at: at(31)) == mint(30))
        }
        var late = ProviderTokenState()
        #expect(late.token(at: at(31)) == mint(30))
    }

    @Test func `a token from before an idle time is replaced once, and the new one kept`() {
        // P27: idle for 45 minutes, one push, another 10 minutes later.
        var state = ProviderTokenState()
        #expect(state.token(at: at(45)) == mint(30))
        state.minted(first, issuedAt: Self.start + 1800, at: at(45))
        #expect(state.token(at: at(55)) == .use(first))
        #expect(state.token(at: at(59)) == .use(first))
        #expect(state.token(at: at(60)) == mint(60))
    }

    @Test func `a corrected wall clock asks for a new token`() {
        // P31
        var state = minted()
        #expect(state.token(at: at(10, wallCorrection: -120)) == mint(-120))
        #expect(state.token(at: at(10, wallCorrection: 120)) == mint(120))
        #expect(state.token(at: at(10, wallCorrection: 4)) == .use(first))
        state.minted(second, issuedAt: Self.start - 7200, at: at(10, wallCorrection: -120))
        #expect(state.token(at: at(11, wallCorrection: -120)) == .use(second))
    }

    @Test func `a wall clock that is put back a little at the half hour changes nothing`() {
        var state = minted()
        #expect(state.token(at: at(31)) == mint(30))
        state.minted(second, issuedAt: Self.start + 1800, at: at(31))
        #expect(state.token(at: at(32, wallCorrection: -4)) == .use(second))
        #expect(state.token(at: at(40)) == .use(second))
    }

    @Test func `a thousand refusals as expired mint one token, as of now`() {
        // P30
        var state = minted()
        for _ in 0..<1000 { #expect(state.expired(first, at: at(5)) == true) }
        #expect(state.token(at: at(5)) == mint(5))
        state.minted(second, issuedAt: Self.start + 300, at: at(5))
        #expect(state.expired(first, at: at(5)) == true)
        #expect(state.token(at: at(5)) == .use(second))
        #expect(state.expired(second, at: at(6)) == false)
        #expect(state.token(at: at(6)) == .use(second))
        #expect(state.expired(second, at: at(26)) == true)
        #expect(state.token(at: at(26)) == mint(26))
    }

    @Test func `after a change the next one waits for 20 minutes, half hour or not`() {
        var state = minted()
        #expect(state.expired(first, at: at(25)) == true)
        state.minted(second, issuedAt: Self.start + 1500, at: at(25))
        #expect(state.token(at: at(30)) == .use(second))
        #expect(state.token(at: at(44)) == .use(second))
        #expect(state.token(at: at(45)) == mint(30))
    }

    @Test func `too many updates keep the token for twenty minutes but never past its hour`() {
        var state = minted()
        state.tooManyUpdates(at: at(25))
        #expect(state.token(at: at(31)) == .use(first))
        #expect(state.token(at: at(44)) == .use(first))
        #expect(state.token(at: at(45)) == mint(30))
        state.tooManyUpdates(at: at(50))
        #expect(state.token(at: at(57)) == .use(first))
        #expect(state.token(at: at(58)) == mint(30))
    }

    @Test(arguments: 0..<20) func `however time goes by, no token is changed too soon or used too long`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var state = ProviderTokenState()
        var minutes = 0
        var issuedAt = Int64(0)
        var token: ProviderToken?
        var changedAt: Int?
        for number in 0..<500 {
            minutes += Int.random(in: 0...15, using: &generator)
            var isForced = false
            if let token, Int.random(in: 0..<20, using: &generator) == 0 {
                isForced = state.expired(token, at: at(minutes))
            }
            switch state.token(at: at(minutes)) {
            case .use(let used):
                #expect(used == token && !isForced)
                #expect(Self.start + Int64(minutes) * 60 - issuedAt < 3600)
            case .mint(let seconds):
                if let changedAt, !isForced { #expect(minutes - changedAt >= 20) }
                if token != nil { changedAt = minutes }
                let new = ProviderToken(authorization: "bearer \(number)")
                (issuedAt, token) = (seconds, new)
                state.minted(new, issuedAt: seconds, at: at(minutes))
            }
        }
    }
}
