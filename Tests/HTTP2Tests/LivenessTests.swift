import Runtime
import Testing

@testable import HTTP2

struct LivenessTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func after(_ seconds: Int) -> MonotonicTime { start + .seconds(seconds) }

    @Test func `a silent peer that owes an answer is asked and then given up`() {
        // P14: within 30 s.
        var liveness = Liveness(now: start)
        liveness.beganWaiting(at: after(100))
        #expect(liveness.tick(at: after(105), lastReceived: start, isWaiting: true) == .nothing)
        #expect(liveness.tick(at: after(106), lastReceived: start, isWaiting: true) == .ping)
        #expect(liveness.tick(at: after(111), lastReceived: start, isWaiting: true) == .nothing)
        #expect(liveness.tick(at: after(112), lastReceived: start, isWaiting: true) == .giveUp)
    }

    @Test func `an answered ping starts the wait anew`() {
        var liveness = Liveness(now: start)
        liveness.beganWaiting(at: start)
        #expect(liveness.tick(at: after(6), lastReceived: start, isWaiting: true) == .ping)
        liveness.ponged()
        #expect(liveness.tick(at: after(12), lastReceived: after(7), isWaiting: true) == .nothing)
        #expect(liveness.tick(at: after(13), lastReceived: after(7), isWaiting: true) == .ping)
    }

    @Test func `rule 5: an idle connection is pinged once an hour`() {
        var liveness = Liveness(now: start)
        var pings = 0
        for second in 0..<(4 * 3600) {
            if liveness.tick(at: after(second), lastReceived: start, isWaiting: false) == .ping { pings += 1 }
            liveness.ponged()
        }
        #expect(pings == 3)
    }
}
