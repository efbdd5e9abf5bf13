/// All requests in order of arrival, numbered from 1; beyond a limit the oldest half goes.
struct RequestLog: Sendable {
    private let limit: Int
    private let payloadLimit: Int
    private var records: [RequestRecord] = []
    /// The number of `records[0]`.
    private(set) var firstSequence: Int
    private var payloads: [Int: [UInt8]] = [:]
    private var payloadBytes = 0
    private var oldestPayload: Int

    /// - Parameters:
    ///   - limit: records kept.
    ///   - payloadBytes: bodies kept, in bytes; the newest win.
    ///   - sequence: the number after which it counts.
    init(limit: Int = 2_000_000, payloadBytes: Int = 64 << 20, after sequence: Int = 0) {
        self.limit = max(2, limit)
        payloadLimit = payloadBytes
        firstSequence = sequence + 1
        oldestPayload = firstSequence
    }

    var lastSequence: Int { firstSequence + records.count - 1 }

    /// The number the next record gets.
    var nextSequence: Int { lastSequence + 1 }

    mutating func append(_ record: RequestRecord, body: [UInt8]) {
        if records.count >= limit {
            let gone = limit / 2
            records.removeFirst(gone)
            firstSequence += gone
        }
        records.append(record)
        payloads[lastSequence] = body
        payloadBytes += body.count
        while payloadBytes > payloadLimit, oldestPayload < lastSequence {
            payloadBytes -= payloads.removeValue(forKey: oldestPayload)?.count ?? 0
            oldestPayload += 1
        }
    }

    /// The record of a number; nil when it is too old to be kept.
    subscript(sequence: Int) -> RequestRecord? {
        get {
            let index = sequence - firstSequence
            return records.indices.contains(index) ? records[index] : nil
        }
        set {
            let index = sequence - firstSequence
            if let newValue, records.indices.contains(index) { records[index] = newValue }
        }
    }

    func payload(_ sequence: Int) -> [UInt8]? { payloads[sequence] }

    /// The numbers of up to `limit` records after `sequence`, oldest first.
    func sequences(after sequence: Int, limit: Int) -> Range<Int> {
        let first = max(sequence + 1, firstSequence)
        guard first <= lastSequence else { return 0..<0 }
        return first..<min(lastSequence + 1, first + limit)
    }

    /// Forgets everything; numbers go on.
    mutating func clear() {
        firstSequence = nextSequence
        oldestPayload = firstSequence
        records = []
        payloads = [:]
        payloadBytes = 0
    }
}
