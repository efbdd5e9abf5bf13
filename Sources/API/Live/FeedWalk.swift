internal import PostgresStore

/// A reader's way through the lanes: stretch by stretch, each read whole, so that its place is a position in each lane and
/// no fact of the app can lie behind it unread.
struct FeedWalk {
    private(set) var cursor: FeedCursor
    private let extents: [LaneExtent]
    /// How many facts a stretch may have for each that there is room for: grows where none are the app's.
    private var reach: Int64 = 1
    private static let longestReach: Int64 = 256

    /// nil: the cursor is of another log, of a tail that was lost, or what follows it was dropped.
    init?(from cursor: FeedCursor?, _ extents: [LaneExtent]) {
        guard let epoch = extents.first?.epoch else { return nil }
        if let cursor {
            guard cursor.epoch <= epoch, cursor.positions.count == extents.count,
                zip(cursor.positions, extents).allSatisfy({ $1.contains($0) })
            else { return nil }
        }
        self.cursor = FeedCursor(epoch: epoch, positions: cursor?.positions ?? extents.map(\.floor))
        self.extents = extents
    }

    var isAtEnd: Bool { zip(cursor.positions, extents).allSatisfy { $0 >= $1.end } }

    /// What to read next where there is room for so many facts, of the lanes with the most to read first.
    func stretches(room: Int) -> [LaneStretch] {
        let behind = zip(cursor.positions, extents).filter { $0 < $1.end }
            .sorted { $0.1.end - $0.0 > $1.1.end - $1.0 }.prefix(room)
        let share = max(1, Int64(room) / Int64(max(1, behind.count))) * reach
        return behind.map { LaneStretch(lane: $1.lane, after: $0, through: min($1.end, $0 + share)) }
    }

    /// These were read whole.
    mutating func pass(_ stretches: [LaneStretch], found: Int) {
        let lanes = Dictionary(stretches.map { ($0.lane, $0.through) }) { first, _ in first }
        for (index, extent) in extents.enumerated() {
            if let through = lanes[extent.lane] { cursor.positions[index] = through }
        }
        if found == 0 { reach = min(reach * 4, Self.longestReach) }
    }

    /// They held more than there is room for: the next are so short that this cannot be.
    mutating func shorten() { reach = 1 }
}

extension LaneExtent {
    /// Whether a reader may go on from here.
    fileprivate func contains(_ pos: Int64) -> Bool { pos >= floor && pos <= min(end, kept ?? end) }
}
