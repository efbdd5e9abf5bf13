import PostgresStore
import Testing
import Tracking

@Suite struct TimerFactCodecTests {
    @Test(arguments: TimerKind.allCases, [nil, DeviceID("d")])
    func `a timer is read as it was written, with the time at which it was received`(
        _ kind: TimerKind,
        _ device: DeviceID?
    ) throws {
        let timer = TimerRang(
            device: device,
            incarnation: device == nil ? 0 : 2,
            kind: kind,
            generation: 7,
            at: Instant(seconds: 0)
        )
        #expect(try orderFact(FactType.timerRang, TimerFactCodec.body(timer)) == .timerRang(timer))
    }

    @Test func `each setting of a timer has a fact of its own`() {
        let first = TimerRang(
            device: DeviceID("d"),
            incarnation: 1,
            kind: .stale,
            generation: 1,
            at: Instant(seconds: 0)
        )
        var second = first
        second.generation = 2
        #expect(TimerFactCodec.id(first) != TimerFactCodec.id(second))
    }
}
