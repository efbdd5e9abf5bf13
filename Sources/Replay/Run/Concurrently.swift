/// Runs `body` for every element, at most `limit` at once, and hands over each result as it comes.
///
/// The first error cancels what is under way and is thrown.
func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: [Element],
    limit: Int,
    _ body: @escaping @Sendable (Element) async throws(ReplayError) -> Value,
    result: (Value) -> Void = { _ in }
) async throws(ReplayError) {
    let failure: ReplayError? = await withTaskGroup(of: Result<Value, ReplayError>.self) { group in
        var rest = elements[...]
        var running = 0
        while !rest.isEmpty || running > 0 {
            if running < limit, let element = rest.popFirst() {
                running += 1
                group.addTask { await outcome { () async throws(ReplayError) in try await body(element) } }
                continue
            }
            switch await group.next() {
            case .success(let value): result(value)
            case .failure(let error):
                group.cancelAll()
                return error
            case nil: return nil
            }
            running -= 1
        }
        return nil
    }
    if let failure { throw failure }
}

/// An error as a value: what a task group wants.
func outcome<Value>(_ body: () async throws(ReplayError) -> Value) async -> Result<Value, ReplayError> {
    do throws(ReplayError) { return .success(try await body()) } catch { return .failure(error) }
}
