internal import Crypto
internal import PostgresStore
internal import Service
internal import Tracking

/// Events from the API into the log.
package struct LiveIngest: IngestPort {
    let service: LiveService
    let sightings = Sightings()

    package init(_ service: LiveService) { self.service = service }

    package func append(_ events: [IngestEvent], caller: Caller) async -> [IngestOutcome] {
        do throws(Unavailable) {
            let app = try service.app(caller)
            var facts: [NewFact] = []
            var refused: [Int: IngestOutcome] = [:]
            for (index, event) in events.enumerated() {
                do throws(Refusal) {
                    facts.append(
                        event.isPosition
                            ? try await sighting(event, app: app.number, caller: caller)
                            : try await fact(event, app: app.number, caller: caller)
                    )
                } catch {
                    refused[index] = error.outcome
                }
            }
            var appended = await service.appender.append(facts).makeIterator()
            var outcomes: [IngestOutcome] = []
            for index in events.indices {
                if let outcome = refused[index] {
                    outcomes.append(outcome)
                } else if let outcome = appended.next() {
                    outcomes.append(try await ingestOutcome(outcome, events[index], app: app.number))
                }
            }
            return outcomes
        } catch {
            return events.map { _ in .unavailable(error) }
        }
    }

    /// An event that does not reach the log, and its answer.
    struct Refusal: Error {
        let outcome: IngestOutcome
    }

    private func fact(_ event: IngestEvent, app: Int32, caller: Caller) async throws(Refusal) -> NewFact {
        let source: Directory.Source
        do {
            source = try await service.sources.source(named: event.source, app: app)
        } catch {
            throw Refusal(outcome: .unavailable(Unavailable(.databaseUnavailable)))
        }
        return NewFact(
            StreamAddress(app: app, kind: .order, stream: event.subject),
            source: source.number,
            id: event.id,
            type: event.type.word,
            body: event.body,
            print: UUID128(bytes: Array(event.fingerprint.prefix(16))),
            occurredAt: event.occurredAt,
            flags: event.flags,
            raw: try sealed(event.raw),
            trace: event.traceParent.map { Array($0.utf8) },
            actor: caller.actor,
            expectedVersion: try await expectedVersion(event, app: app)
        )
    }

    private func sealed(_ raw: [UInt8]?) throws(Refusal) -> [UInt8]? {
        guard let raw else { return nil }
        do {
            return try service.vault.seal(raw, purpose: "raw")
        } catch {
            throw Refusal(outcome: .unavailable(Unavailable(.databaseUnavailable)))
        }
    }

    /// The stream version at which the order has the revision the caller expects; our own facts in between never cause a
    /// conflict, since the version is looked up anew for each attempt.
    func expectedVersion(_ event: IngestEvent, app: Int32) async throws(Refusal) -> Int32? {
        guard let expected = event.expectedRevision else { return nil }
        let snapshot: OrderSnapshot?
        do {
            snapshot = try await service.orders.order(app: app, OrderID(event.subject))
        } catch {
            throw Refusal(outcome: .unavailable(Unavailable(.databaseUnavailable)))
        }
        let revision = snapshot?.stream.order.revision ?? 0
        guard revision == expected, snapshot.map({ $0.version == $0.stream.version }) ?? true else {
            throw Refusal(outcome: .revisionConflict(revision: revision))
        }
        return Int32(snapshot?.version ?? 0)
    }

    private func ingestOutcome(
        _ outcome: AppendOutcome,
        _ event: IngestEvent,
        app: Int32
    ) async throws(Unavailable) -> IngestOutcome {
        switch outcome {
        case .appended(let position) where event.isPosition, .duplicate(let position) where event.isPosition:
            sightings.saw(event, app: app, position)
            return .accepted(Receipt(position))
        case .appended(let position): return .accepted(Receipt(position))
        case .duplicate(let position): return .duplicate(Receipt(position))
        case .reused: return .idReused
        case .failed(let failure): return .unavailable(Unavailable(failure))
        case .conflict:
            let snapshot = try await service.reading {
                try await service.orders.order(app: app, OrderID(event.subject))
            }
            return .revisionConflict(revision: snapshot?.stream.order.revision ?? 0)
        }
    }
}

extension Receipt {
    init(_ position: LogPosition) {
        self.init(lane: Int(position.lane), pos: position.pos, version: Int(position.version))
    }
}
