/// Sends everything as fast as answers come: full batches, a few in flight.
struct FastestRun {
    private static let inFlight = 4

    let poster: EventPoster
    let progress: @Sendable (ReplayProgress) -> Void

    func run() async throws(ReplayError) -> PostTally {
        let recording = poster.recording
        var tally = PostTally(recording)
        let failure: ReplayError? = await withTaskGroup(of: Result<[EventPoster.Outcome], ReplayError>.self) { group in
            var rest = recording.sequence[...]
            var running = 0
            while !rest.isEmpty || running > 0 {
                if running < Self.inFlight, !rest.isEmpty {
                    let rows = rest.prefix(Batch.size(of: rest, in: recording))
                    rest = rest.dropFirst(rows.count)
                    running += 1
                    group.addTask { await poster.posting(Array(rows)) }
                    continue
                }
                switch await group.next() {
                case .success(let outcomes): tally.add(outcomes, in: recording)
                case .failure(let error):
                    group.cancelAll()
                    return error
                case nil: return nil
                }
                running -= 1
                progress(ReplayProgress(stage: .events, done: tally.answered, total: recording.sequence.count))
            }
            return nil
        }
        if let failure { throw failure }
        return tally
    }
}
