import Runtime
import Testing

@testable import Replay

struct SettledScheduleTests {
    private typealias Action = SettledSchedule.Action

    @Test func `an order posts and waits event by event`() {
        var schedule = SettledSchedule(counts: [2], limit: 1)
        #expect(schedule.start() == [Action(order: 0, step: .post(0))])
        #expect(schedule.answered(order: 0, version: 3) == [Action(order: 0, step: .awaitSettled(version: 3))])
        #expect(schedule.settled(order: 0, version: 3) == [Action(order: 0, step: .post(1))])
        #expect(schedule.answered(order: 0, version: 5) == [Action(order: 0, step: .awaitSettled(version: 5))])
        #expect(!schedule.isFinished)
        #expect(schedule.settled(order: 0, version: 5) == [])
        #expect(schedule.isFinished)
    }

    @Test func `a rejected event and a repeated one wait for nothing`() {
        var schedule = SettledSchedule(counts: [3], limit: 1)
        _ = schedule.start()
        #expect(schedule.answered(order: 0, version: nil) == [Action(order: 0, step: .post(1))])
        _ = schedule.answered(order: 0, version: 4)
        _ = schedule.settled(order: 0, version: 4)
        #expect(schedule.answered(order: 0, version: 4) == [])
        #expect(schedule.isFinished)
    }

    @Test func `a finished order lets the next one in`() {
        var schedule = SettledSchedule(counts: [1, 1, 1], limit: 2)
        #expect(schedule.start().map(\.order) == [0, 1])
        #expect(schedule.answered(order: 1, version: nil) == [Action(order: 2, step: .post(0))])
        #expect(schedule.open == 2)
    }

    @Test func `whatever the order of answers, every event is posted once, in turn, within the limit`() {
        for seed in 0..<50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let counts = (0..<20).map { _ in 1 + generator.below(5) }
            let limit = 1 + generator.below(6)
            var schedule = SettledSchedule(counts: counts, limit: limit)
            var posted = counts.map { _ in 0 }
            var pending = schedule.start()
            while !pending.isEmpty {
                #expect(schedule.open <= limit)
                let action = pending.remove(at: generator.below(pending.count))
                switch action.step {
                case .post(let place):
                    #expect(place == posted[action.order])
                    posted[action.order] += 1
                    let version = generator.below(4) == 0 ? nil : Int64(posted[action.order])
                    pending += schedule.answered(order: action.order, version: version)
                case .awaitSettled(let version): pending += schedule.settled(order: action.order, version: version)
                }
            }
            #expect(schedule.isFinished)
            #expect(posted == counts)
        }
    }
}
