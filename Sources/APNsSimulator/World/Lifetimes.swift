/// Cards by start, oldest first: all live equally long, so a queue is a timer wheel.
struct Lifetimes: Sendable, Codable {
    struct Entry: Sendable, Codable {
        let startedAt: Int64
        let phone: Int
        let card: Int
    }

    private var entries: [Entry] = []
    private var head = 0

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Takes the cards whose eight hours are over at `now` (µs of the phones' clock).
    mutating func expired(at now: Int64) -> ArraySlice<Entry> {
        let start = head
        while head < entries.count, entries[head].startedAt + Card.activeLife <= now { head += 1 }
        let taken = entries[start..<head]
        if head > 4096, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return taken
    }
}

/// The last few phones that something happened to, newest first.
struct RecentPhones: Sendable, Codable {
    static let limit = 24

    private(set) var indices: [Int] = []
    /// Grows with every change.
    private(set) var version = 0

    mutating func touch(_ phone: Int) {
        version += 1
        if indices.first == phone { return }
        indices.removeAll { $0 == phone }
        indices.insert(phone, at: 0)
        if indices.count > Self.limit { indices.removeLast() }
    }
}
