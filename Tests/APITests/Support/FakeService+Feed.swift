import API
import Runtime

extension FakeService: FeedPort {
    func feed(
        after cursor: FeedCursor?,
        limit: Int,
        wait: Duration,
        caller: Caller
    ) async throws(Unavailable) -> FeedPage? {
        try check()
        guard cursor?.epoch ?? 1 == 1 else { return nil }
        let (all, isLast) = state.withLock { state in
            state.feedWaits.append(wait)
            return (state.feed, state.feedWaits.count > 3)
        }
        // Readers of a stream are let go after a few pages.
        if isLast, wait > .zero { return nil }
        let items = all.filter { $0.pos > cursor?.positions[0] ?? 0 }.prefix(limit)
        let place = items.last?.pos ?? cursor?.positions[0] ?? 0
        return FeedPage(items: Array(items), next: FeedCursor(epoch: 1, positions: [place]))
    }
}
