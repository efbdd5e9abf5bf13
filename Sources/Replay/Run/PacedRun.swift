private import Runtime

/// Sends each event at its time, whatever became of those before (an open loop).
struct PacedRun {
    let poster: EventPoster
    /// When each place of the sequence is due, from the start.
    let due: @Sendable (Int) -> Duration
    let progress: @Sendable (ReplayProgress) -> Void

    /// So many events a second.
    static func rate(
        _ rate: Double,
        _ poster: EventPoster,
        _ progress: @escaping @Sendable (ReplayProgress) -> Void
    ) -> PacedRun {
        PacedRun(poster: poster, due: { .seconds(Double($0) / rate) }, progress: progress)
    }

    /// So many times real time. A row that a shuffle put after later ones is due at once.
    static func times(
        _ times: Double,
        _ poster: EventPoster,
        _ progress: @escaping @Sendable (ReplayProgress) -> Void
    ) -> PacedRun {
        let recording = poster.recording
        let first = recording.rows.first { $0.time > .min }?.time ?? 0
        let due: @Sendable (Int) -> Duration = { place in
            let time = recording.rows[recording.sequence[place]].time
            return .seconds(Double(max(0, max(time, first) - first)) / 1e6 / times)
        }
        return PacedRun(poster: poster, due: due, progress: progress)
    }

    func run() async throws(ReplayError) -> PostTally {
        let recording = poster.recording
        var tally = PostTally(recording)
        let start = MonotonicTime.now
        let failure: ReplayError? = await withTaskGroup(of: Result<[EventPoster.Outcome], ReplayError>.self) { group in
            var place = 0
            while place < recording.sequence.count {
                try? await poster.loop.sleep(for: start + due(place) - .now)
                let rows = dueRows(from: place, at: MonotonicTime.now - start)
                place += rows.count
                group.addTask { await outcome { () async throws(ReplayError) in try await poster.post(rows) } }
            }
            for await result in group {
                switch result {
                case .success(let outcomes): tally.add(outcomes, in: recording)
                case .failure(let error):
                    group.cancelAll()
                    return error
                }
                progress(ReplayProgress(stage: .events, done: tally.answered, total: recording.sequence.count))
            }
            return nil
        }
        if let failure { throw failure }
        return tally
    }

    private func dueRows(from place: Int, at elapsed: Duration) -> [Int] {
        let sequence = poster.recording.sequence
        let most = Batch.size(of: sequence[place...], in: poster.recording)
        let later = sequence[place..<(place + most)].indices.dropFirst().first { due($0) > elapsed }
        return Array(sequence[place..<(later ?? place + most)])
    }
}
