package import JSONText

/// A reader's place in the log: how far it has read in each lane. Callers keep it as an opaque text.
package struct FeedCursor: Hashable, Sendable {
    /// Which life of the log it belongs to: another begins where a tail was lost.
    package var epoch: Int32
    /// The last position read, by lane.
    package var positions: [Int64]

    package init(epoch: Int32, positions: [Int64]) {
        self.epoch = epoch
        self.positions = positions
    }

    /// The epoch and the positions as unsigned varints of seven bits a byte, lowest first (LEB128).
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for number in [Int64(epoch)] + positions {
            var rest = UInt64(bitPattern: number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return bytes
    }

    /// nil: these are no such bytes. Every cursor has one form, so that none is longer than it must be.
    package init?(_ bytes: [UInt8]) {
        var numbers: [Int64] = []
        var (number, shift): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            guard byte > 0 || shift == 7 else { return nil }
            numbers.append(Int64(number))
            (number, shift) = (0, 0)
        }
        guard shift == 0, numbers.count > 1, let epoch = Int32(exactly: numbers[0]) else { return nil }
        self.init(epoch: epoch, positions: Array(numbers.dropFirst()))
    }
}

/// What a partner told of an order, as it goes out.
package struct FeedItem: Hashable, Sendable {
    /// Where it lies in the log; unique.
    package var lane: Int
    package var pos: Int64
    package var id: String
    package var source: String
    package var type: String
    package var subject: String
    /// As sent; nil: it came without.
    package var occurredAt: Int64?
    package var recordedAt: Int64
    package var traceParent: String?
    /// The kept members: `data`, `sourcetype`, `causationid`, without the courier's name.
    package var kept: JSONObject

    package init(
        lane: Int,
        pos: Int64,
        id: String,
        source: String,
        type: String,
        subject: String,
        occurredAt: Int64?,
        recordedAt: Int64,
        traceParent: String?,
        kept: JSONObject
    ) {
        self.lane = lane
        self.pos = pos
        self.id = id
        self.source = source
        self.type = type
        self.subject = subject
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.traceParent = traceParent
        self.kept = kept
    }
}

/// A part of the feed, and the place behind it.
package struct FeedPage: Hashable, Sendable {
    package var items: [FeedItem]
    package var next: FeedCursor

    package init(items: [FeedItem], next: FeedCursor) {
        self.items = items
        self.next = next
    }
}

package protocol FeedPort: Sendable {
    /// What partners told of the orders of the caller's app behind a place, or from the beginning; the facts of an order in
    /// the order of the log. Where there is nothing it waits until something comes, or that long, or the task is cancelled.
    /// nil: what follows that place is not there any more, or what it had read never was.
    func feed(
        after cursor: FeedCursor?,
        limit: Int,
        wait: Duration,
        caller: Caller
    ) async throws(Unavailable) -> FeedPage?
}
