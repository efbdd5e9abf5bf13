/// What one `PGresult` means in a pipeline.
enum PipelineResult: Hashable, Sendable {
    /// Rows, or a command done.
    case success
    /// The server refused a call.
    case failure
    /// Not run because an earlier call of the same transaction failed.
    case skipped
    /// The end of a transaction: whatever succeeded before it is committed.
    case synced
}

/// What one connection has sent and not yet read the answer of, in order.
///
/// One operation is: a preparation with an end of its own for each statement that is new on this connection, then its
/// calls, then one end. The end of each operation is its own, so that the failure of one never undoes a stranger's work;
/// preparations have theirs, so that a call that fails before them cannot make the server skip them.
struct Pipeline {
    private enum Expected: Hashable {
        /// A statement is being prepared. Left on any answer; a refusal forgets the name.
        case preparation(String)
        /// The end of a preparation. Left when synced.
        case preparationEnd
        /// A call runs. Left on any answer.
        case call
        /// The end of an operation. Left when synced; a refusal here is a failed commit.
        case operationEnd
    }

    private var expected = FIFO<Expected>()
    /// libpq ends the answer to each call with a null that must be taken too.
    private var answerIsOpen = false
    private var prepared: Set<String> = []

    var isIdle: Bool { expected.isEmpty }

    /// Whether `name` must be prepared first; from now on it counts as prepared.
    mutating func needsPreparation(_ name: String) -> Bool {
        guard prepared.insert(name).inserted else { return false }
        expected.append(.preparation(name))
        expected.append(.preparationEnd)
        return true
    }

    mutating func sentCall() { expected.append(.call) }
    mutating func sentEnd() { expected.append(.operationEnd) }

    /// What to do with an answer, always for the oldest operation.
    enum ReceiveAction: Hashable {
        case nothing
        /// The answer is the rows of its next call.
        case keep
        /// The answer is its failure; the first one counts.
        case fail
        /// All is committed, or all is undone if it failed before: tell the caller.
        case complete
        /// Not an answer to anything sent: give the connection up.
        case abandon
    }

    mutating func received(_ result: PipelineResult) -> ReceiveAction {
        guard let oldest = expected.first else { return .abandon }
        switch (oldest, result) {
        case (.preparation, .success):
            return answered(.nothing)
        case (.preparation(let name), .failure):
            prepared.remove(name)
            return answered(.fail)
        case (.preparation(let name), .skipped):
            prepared.remove(name)
            return answered(.nothing)
        case (.call, .success):
            return answered(.keep)
        case (.call, .failure):
            return answered(.fail)
        case (.call, .skipped):
            return answered(.nothing)
        case (.preparationEnd, .synced):
            _ = expected.popFirst()
            return .nothing
        case (.operationEnd, .synced):
            _ = expected.popFirst()
            return .complete
        case (.preparationEnd, .failure), (.operationEnd, .failure):
            answerIsOpen = true
            return .fail
        case (.preparation, .synced), (.call, .synced), (.preparationEnd, .success), (.preparationEnd, .skipped),
            (.operationEnd, .success), (.operationEnd, .skipped):
            return .abandon
        }
    }

    private mutating func answered(_ action: ReceiveAction) -> ReceiveAction {
        _ = expected.popFirst()
        answerIsOpen = true
        return action
    }

    /// libpq returned null: true when it ended an answer and another may follow, false when there is no more for now.
    mutating func receivedNull() -> Bool {
        defer { answerIsOpen = false }
        return answerIsOpen
    }
}
