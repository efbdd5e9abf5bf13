/// Sends everything as fast as answers come: full batches, a few in flight.
struct FastestRun {
    private static let inFlight = 4

    let poster: EventPoster
    let progress: @Sendable (ReplayProgress) -> Void

    func run() async throws(ReplayError) -> PostTally {
        let recording = poster.recording
        var tally = PostTally(recording)
        try await concurrently(batches, limit: Self.inFlight) { [poster] rows async throws(ReplayError) in
            try await poster.post(rows)
        } result: { outcomes in
            tally.add(outcomes, in: recording)
            progress(ReplayProgress(stage: .events, done: tally.answered, total: recording.sequence.count))
        }
        return tally
    }

    private var batches: [[Int]] {
        var batches: [[Int]] = []
        var rest = poster.recording.sequence[...]
        while !rest.isEmpty {
            batches.append(Array(rest.prefix(Batch.size(of: rest, in: poster.recording))))
            rest = rest.dropFirst(batches[batches.count - 1].count)
        }
        return batches
    }
}
