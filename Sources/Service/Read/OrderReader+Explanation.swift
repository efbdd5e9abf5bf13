internal import PostgresStore
package import Tracking

/// An order with all that was decided about it, up to a moment.
package struct Explanation: Sendable {
    /// One fact and the decisions beside it.
    package struct Step: Sendable {
        package let fact: LoggedFact
        /// As recorded; never computed again.
        package let recorded: EffectRecord?
        /// What today's policy would have decided; nil: it was not asked, or the fact cannot be folded.
        package var today: [Decision]?
    }

    /// As it stood at that moment.
    package let stream: OrderStream
    package let steps: [Step]
    package let at: Instant
    /// In force now.
    package let policy: Policy
}

extension OrderReader {
    /// What was known and decided up to `time` (microseconds; nil: now); nil: nothing was known of the order by then.
    ///
    /// A state of the past is folded anew from the facts, under the policies that were in force then. `redecide` asks
    /// today's policy at each fact what it would do with the order as it really stood: the facts that follow are answers
    /// to what was done, so a history under another policy would be an invention.
    package func explanation(
        app: Int32,
        _ order: OrderID,
        until time: Int64?,
        redecide: Bool
    ) async throws -> Explanation? {
        guard let snapshot = try await self.order(app: app, order) else { return nil }
        let facts = try await facts(app: app, order).filter { $0.recordedAt <= time ?? .max }
        if facts.isEmpty { return nil }
        let records = try await decisions(app: app, order, at: facts.map(\.pos))
        let policy = directory.app(app)?.policy ?? Policy()
        let folded =
            if time != nil || redecide {
                await fold(facts, of: order, today: redecide ? policy : nil)
            } else {
                Refolded(stream: snapshot.stream, decisions: facts.map { _ in nil })
            }
        return Explanation(
            stream: time == nil ? snapshot.stream : folded.stream,
            steps: zip(facts, folded.decisions).map { fact, today in
                Explanation.Step(fact: fact, recorded: records[fact.pos], today: today)
            },
            at: Instant(microseconds: time ?? clock.now),
            policy: policy
        )
    }

    private struct Refolded: Sendable {
        let stream: OrderStream
        let decisions: [[Decision]?]
    }

    /// A large order takes a while, and everything else waits for the loop: it is folded elsewhere.
    private func fold(_ facts: [LoggedFact], of order: OrderID, today: Policy?) async -> Refolded {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            await foldApart(facts, of: order, today: today)
        }
    }

    @concurrent private func foldApart(_ facts: [LoggedFact], of order: OrderID, today: Policy?) async -> Refolded {
        var refold = Refold(order, directory: directory, today: today)
        let decisions = facts.map { refold.fold($0) }
        return Refolded(stream: refold.stream, decisions: decisions)
    }
}

/// Folds the facts of one order once more, beside what is stored.
private struct Refold {
    private(set) var stream: OrderStream
    private let projection: Projection
    private let directory: Directory
    private let today: Policy?
    private var history: [PartnerFact] = []

    init(_ order: OrderID, directory: Directory, today: Policy?) {
        stream = OrderStream(id: order)
        projection = Projection(directory: directory)
        self.directory = directory
        self.today = today
    }

    /// What today's policy decides at this fact, where it is asked.
    mutating func fold(_ logged: LoggedFact) -> [Decision]? {
        let fact: OrderStreamFact
        do {
            fact = try projection.orderFact(logged)
            // A parked order is shown as it was when it could be read last.
            if stream.isParked, case .partner = fact { return nil }
            history += try projection.partnerFacts([logged])
        } catch {
            _ = handle(.parked, logged, policy(at: logged), on: &stream)
            return nil
        }
        var other = stream
        let decisions = today.map { handle(fact, logged, $0, on: &other) }
        _ = handle(fact, logged, policy(at: logged), on: &stream)
        return decisions
    }

    private func handle(
        _ fact: OrderStreamFact,
        _ logged: LoggedFact,
        _ policy: Policy,
        on stream: inout OrderStream
    ) -> [Decision] {
        stream.handle(
            fact,
            version: Int(logged.version),
            now: Instant(microseconds: logged.recordedAt),
            policy: policy,
            partnerFacts: stream.accepts(fact) ? nil : history
        ).decisions
    }

    private func policy(at logged: LoggedFact) -> Policy {
        guard let app = directory.app(logged.app) else { return Policy() }
        return app.editions.inForce(at: logged.recordedAt) ?? app.policy
    }
}
