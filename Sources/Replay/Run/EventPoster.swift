internal import Runtime

/// Posts rows until each has its answer, repeating what may have been lost or was put off.
struct EventPoster: Sendable {
    let client: DoorstepClient
    let recording: Recording
    let loop: EventLoop

    /// What became of one row sent once.
    struct Outcome: Sendable {
        let row: Int
        let answer: Answer
        /// How often it was sent again.
        let retries: Int

        enum Answer: Sendable {
            /// 202.
            case accepted(version: Int64)
            /// 200: it was there before, unless a repeat of ours brought it.
            case duplicate(version: Int64)
            /// Any other answer that is final, by its problem's slug.
            case rejected(String)

            /// Where the event stands in its order's stream, if it is kept.
            var version: Int64? {
                switch self {
                case .accepted(let version), .duplicate(let version): version
                case .rejected: nil
                }
            }
        }
    }

    /// Posts `rows` as one batch, and again what came to nothing.
    func post(_ rows: [Int]) async throws(ReplayError) -> [Outcome] {
        let deadline = MonotonicTime.now + Patience.limit
        var pending = rows
        var outcomes: [Outcome] = []
        var attempt = 0
        while true {
            let answer = try await client.post(pending.map { recording.rows[$0].body })
            let round = sort(answer, of: pending, attempt: attempt)
            outcomes += round.outcomes
            if round.again.isEmpty { return outcomes }
            let pause = round.pause ?? Patience.pause(afterAttempt: attempt)
            guard MonotonicTime.now + pause < deadline else {
                return try outcomes + giveUp(round.again, answer, attempt: attempt)
            }
            pending = round.again
            attempt += 1
            try? await loop.sleep(for: pause)
        }
    }

    private struct Round {
        var outcomes: [Outcome] = []
        var again: [Int] = []
        var pause: Duration?
    }

    private func sort(_ answer: DoorstepClient.PostAnswer, of rows: [Int], attempt: Int) -> Round {
        switch answer {
        case .again(let after): return Round(again: rows, pause: after)
        case .items(let items):
            var round = Round()
            for (row, item) in zip(rows, items) {
                if let final = final(item) {
                    round.outcomes.append(Outcome(row: row, answer: final, retries: attempt))
                } else {
                    round.again.append(row)
                }
            }
            return round
        }
    }

    /// Nil when the item is to be sent again.
    private func final(_ item: DoorstepClient.ItemAnswer) -> Outcome.Answer? {
        switch (item.status, item.version) {
        case (202, let version?): .accepted(version: version)
        case (200, let version?): .duplicate(version: version)
        case (429, _), (503, _): nil
        default: .rejected(item.problem)
        }
    }

    private func giveUp(
        _ rows: [Int],
        _ answer: DoorstepClient.PostAnswer,
        attempt: Int
    ) throws(ReplayError) -> [Outcome] {
        switch answer {
        case .again:
            throw ReplayError(.unreachable, "Doorstep took no events for \(Patience.limit.inSeconds) s")
        case .items:
            return rows.map { Outcome(row: $0, answer: .rejected("overloaded"), retries: attempt) }
        }
    }
}
