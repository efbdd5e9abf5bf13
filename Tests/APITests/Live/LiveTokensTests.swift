import PostgresStore
import TestSupport
import Testing
import Tracking

@testable import API

// P37
@Suite(.enabled(if: TestDatabase.isAvailable))
struct LiveTokensTests {
    private let died: Int64 = 1_700_000_000_000_000
    private let token = "aa01"

    private func update(observedAt: Int64) -> DeviceUpdate {
        var update = DeviceUpdate(observedAt: observedAt, receivedAt: died + 60_000_000)
        update.customer = .known(CustomerID("ann"))
        update.pushToStartToken = .known(token)
        return update
    }

    private func registration(observedAt: Int64) -> ActivityRegistration {
        ActivityRegistration(
            device: DeviceID("phone"),
            updateToken: token,
            startedBy: .app,
            observedAt: observedAt,
            receivedAt: died + 60_000_000
        )
    }

    @Test(arguments: [(0 as Int64, RegistrationOutcome.dead), (1, .accepted)])
    func `a dead start token is told so unless the app observed it later`(
        after: Int64,
        outcome: RegistrationOutcome
    ) async throws {
        try await LiveBench.with { bench in
            try await bench.bury(token, .start, at: died)
            let devices = LiveDevices(bench.service)
            let told = try await devices.register(
                DeviceID("phone"),
                update(observedAt: died + after),
                caller: bench.caller
            )
            #expect(told == outcome)
            let log = try await bench.log(.device, "phone")
            #expect(log.count == (outcome == .dead ? 0 : 1))
        }
    }

    @Test(arguments: [(0 as Int64, RegistrationOutcome.dead), (1, .accepted)])
    func `a dead ordinary token is told so unless the app observed it later`(
        after: Int64,
        outcome: RegistrationOutcome
    ) async throws {
        try await LiveBench.with { bench in
            try await bench.bury(token, .device, at: died)
            // The same value as a start token is another token.
            var update = update(observedAt: died + after)
            update.deviceToken = .known(token)
            let told = try await LiveDevices(bench.service)
                .register(DeviceID("phone"), update, caller: bench.caller)
            #expect(told == outcome)
            let log = try await bench.log(.device, "phone")
            #expect(log.count == (outcome == .dead ? 0 : 1))
            let body = log.first.map { String(decoding: $0.body ?? [], as: UTF8.self) } ?? ""
            #expect(!body.contains(token))
            #expect(body.contains("deviceTokenId") == (outcome != .dead))
        }
    }

    @Test(arguments: [(0 as Int64, CardOutcome.dead), (1, .accepted(incarnation: nil))])
    func `a dead update token is told so unless the app observed it later`(
        after: Int64,
        outcome: CardOutcome
    ) async throws {
        try await LiveBench.with { bench in
            try await bench.bury(token, .update, at: died)
            let told = try await LiveActivities(bench.service)
                .register(
                    ActivityID("a1"),
                    of: OrderID("o1"),
                    registration(observedAt: died + after),
                    caller: bench.caller
                )
            #expect(told == outcome)
            let log = try await bench.log(.order, "o1")
            #expect(log.count == (outcome == .dead ? 0 : 1))
        }
    }

    @Test func `a question is answered, and only an announced card is a fact of its own`() async throws {
        try await LiveBench.with { bench in
            let activities = LiveActivities(bench.service)
            for (kind, type) in [
                (StartQuestion.Kind.standard, FactType.activityAsked), (.scheduled, FactType.activityScheduled),
            ] {
                let order = "order-\(kind.rawValue)"
                let question = StartQuestion(device: DeviceID("phone"), kind: kind, receivedAt: died)
                let verdict = try await activities.ask(OrderID(order), question, caller: bench.caller)
                #expect(verdict.verdict == .start)
                #expect(verdict.incarnation == 1)
                let log = try await bench.log(.order, order)
                #expect(log.map(\.type) == [type])
            }
        }
    }
}
