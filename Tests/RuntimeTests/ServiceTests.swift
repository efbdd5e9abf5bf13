import Runtime
import Testing

private struct Failure: Error, Equatable { let name: String }

private final class Journal: Sendable {
    private let lines = Locked<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// Runs until cancelled and notes its end, then throws what it was told to.
private struct Lasting: Service {
    let name: String
    let journal: Journal

    func run() async throws {
        try? await Task.sleep(for: .seconds(60))
        journal.add("\(name) ended")
        try Task.checkCancellation()
    }
}

private struct Short: Service {
    let failure: Failure?
    func run() async throws { if let failure { throw failure } }
}

@Suite struct ServiceTests {
    @Test func `when the last service returns the others end in reverse order`() async throws {
        let journal = Journal()
        let services: [any Service] = [
            Lasting(name: "pool", journal: journal), Lasting(name: "projector", journal: journal),
            Lasting(name: "server", journal: journal), Short(failure: nil),
        ]
        try await runAll(services)
        #expect(journal.all == ["server ended", "projector ended", "pool ended"])
    }

    @Test func `a failing service ends all and its error comes out`() async {
        let journal = Journal()
        await #expect(throws: Failure(name: "lost")) {
            try await runAll([
                Short(failure: Failure(name: "lost")), Lasting(name: "a", journal: journal),
                Lasting(name: "b", journal: journal),
            ])
        }
        #expect(Set(journal.all) == ["a ended", "b ended"])
    }

    @Test func `being cancelled is a clean end`() async throws {
        let journal = Journal()
        let running = Task {
            try await runAll([Lasting(name: "a", journal: journal), Lasting(name: "b", journal: journal)])
        }
        running.cancel()
        try await running.value
        #expect(Set(journal.all) == ["a ended", "b ended"])
    }

    @Test func `no services is no work`() async throws {
        try await runAll([])
    }
}
