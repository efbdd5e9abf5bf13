import PostgresStore
import Testing

@testable import API

@Suite struct FeedWalkTests {
    private func extents(_ ends: [Int64], floor: Int64 = 0, epoch: Int32 = 2, kept: Int64? = nil) -> [LaneExtent] {
        ends.enumerated().map { LaneExtent(lane: Int32($0), floor: floor, end: $1, epoch: epoch, kept: kept) }
    }

    @Test func `every position is passed once, in the order of its lane, whatever is found`() {
        for room in [1, 2, 3, 10, 1_000] {
            var walk = FeedWalk(from: nil, extents([5, 0, 40, 7], floor: 0))
            var passed: [Int32: Int64] = [:]
            for round in 0..<200 where walk?.isAtEnd == false {
                let stretches = walk?.stretches(room: room) ?? []
                if round % 3 == 2 {
                    walk?.shorten()
                    continue
                }
                #expect(!stretches.isEmpty)
                for stretch in stretches {
                    #expect(stretch.after == passed[stretch.lane] ?? 0)
                    #expect(stretch.through > stretch.after)
                    passed[stretch.lane] = stretch.through
                }
                walk?.pass(stretches, found: round % 2)
            }
            #expect(passed == [0: 5, 2: 40, 3: 7])
            #expect(walk?.cursor == FeedCursor(epoch: 2, positions: [5, 0, 40, 7]))
        }
    }

    @Test func `after too many were found the next stretches hold no more than there is room for`() {
        var walk = FeedWalk(from: nil, extents([1_000, 1_000, 1_000]))
        for _ in 0..<3 { walk?.pass([], found: 0) }
        walk?.shorten()
        let sizes = (walk?.stretches(room: 10) ?? []).map { $0.through - $0.after }
        #expect(sizes.reduce(0, +) <= 10)
    }

    @Test func `the beginning is what is still there`() {
        #expect(FeedWalk(from: nil, extents([9, 9], floor: 4))?.cursor.positions == [4, 4])
    }

    @Test func `a place is lost below what is kept, beyond what is there, and in a tail that was lost`() {
        func goesOn(_ cursor: FeedCursor, _ extents: [LaneExtent]) -> Bool {
            FeedWalk(from: cursor, extents) != nil
        }
        let cursor = FeedCursor(epoch: 1, positions: [5, 6])
        #expect(goesOn(cursor, extents([6, 6], kept: 6)))
        #expect(!goesOn(cursor, extents([9, 9], kept: 5)))
        #expect(!goesOn(cursor, extents([9, 9], floor: 6)))
        #expect(goesOn(cursor, extents([9, 9], floor: 5)))
        #expect(!goesOn(cursor, extents([5, 5])))
        #expect(!goesOn(cursor, extents([9, 9, 9])))
        #expect(!goesOn(cursor, extents([9, 9], epoch: 0)))
        #expect(!goesOn(cursor, []))
    }
}
