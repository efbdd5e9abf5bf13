internal import HTTPServer
internal import JSONText

extension Endpoints {
    /// `POST /v1/events`: CloudEvents 1.0 in structured, batch or binary mode, told apart by `Content-Type` alone.
    func postEvents(_ call: Call) async throws(Problem) -> HTTPResponse {
        let type = MediaType(call.request.headers.first("content-type"))
        switch type?.essence {
        case MediaType.eventBatch:
            return try await postBatch(call, body: try call.request.inflatedBody(limit: IngestLimits.bodyBytes))
        case MediaType.event:
            let body = try call.request.inflatedBody(limit: IngestLimits.eventBytes)
            let json = try JSON.event(in: body)
            return try await postOne(json, raw: body, call)
        case let other? where other.hasPrefix("application/cloudevents"):
            throw Problem(.unsupportedMediaType, "CloudEvents are taken as JSON only.")
        case _ where BinaryEvent.isBinary(call.request.headers):
            let body = try call.request.inflatedBody(limit: IngestLimits.eventBytes)
            let members = try BinaryEvent.members(headers: call.request.headers, body: body)
            return try await postOne(.object(members), raw: body, call)
        case _:
            throw Problem(
                .unsupportedMediaType,
                "Send \(MediaType.event), \(MediaType.eventBatch), or ce- headers with application/json."
            )
        }
    }

    private func postOne(_ json: JSON, raw: [UInt8], _ call: Call) async throws(Problem) -> HTTPResponse {
        var intake = try await intake(call, source: json["source"]?.stringValue)
        let event = try await intake.read(json, raw: raw)
        let outcome = await ports.ingest.append([event], caller: intake.caller).first ?? .unknown
        let (status, receipt) = try intake.judge(outcome, of: event)
        return .json(.object(receipt), status: status)
    }

    /// Good items are kept whatever the others are; only a body that is no array of JSON is refused as a whole.
    private func postBatch(_ call: Call, body: [UInt8]) async throws(Problem) -> HTTPResponse {
        let items = try Self.items(of: body)
        guard items.count <= IngestLimits.batchEvents else {
            throw Problem(
                .tooLarge,
                "At most \(IngestLimits.batchEvents) events in a batch.",
                extra: .limit(IngestLimits.batchEvents)
            )
        }
        var intake = try await intake(call, source: items.first?.value["source"]?.stringValue)
        return await append(items.map { ($0.value, Array(body[$0.range])) }, by: &intake).response
    }

    /// Each item by itself, whatever the others are.
    func append(_ items: [(value: JSON, raw: [UInt8])], by intake: inout Intake) async -> BatchAnswer {
        var batch = BatchAnswer(count: items.count)
        var accepted: [(index: Int, event: IngestEvent)] = []
        for (index, item) in items.enumerated() {
            batch.identify(index, id: item.value["id"]?.stringValue)
            do throws(Problem) {
                accepted.append((index, try await intake.read(item.value, raw: item.raw)))
            } catch {
                batch.refuse(index, error)
            }
        }
        if !accepted.isEmpty {
            let outcomes = await ports.ingest.append(accepted.map(\.event), caller: intake.caller)
            for (position, (index, event)) in accepted.enumerated() {
                let outcome = outcomes.indices.contains(position) ? outcomes[position] : .unknown
                do throws(Problem) {
                    let (status, receipt) = try intake.judge(outcome, of: event)
                    batch.keep(index, status: status, receipt)
                } catch {
                    batch.refuse(index, error)
                }
            }
        }
        return batch
    }

    private func intake(_ call: Call, source: String?) async throws(Problem) -> Intake {
        intake(call, by: try await sender(call, of: source))
    }

    func intake(_ call: Call, by caller: Caller) -> Intake {
        var intake = Intake(ports: ports, events: events, caller: caller, receivedAt: call.receivedAt)
        intake.traceParent = TraceParent(call.request.headers.first("traceparent"))?.text
        return intake
    }

    private static func items(of body: [UInt8]) throws(Problem) -> [(value: JSON, range: Range<Int>)] {
        do throws(JSONError) {
            let items = try JSON.parseElements(body, maxDepth: IngestLimits.depth + 1, nul: .allowed)
            guard let items else { throw JSONError(code: .unexpectedByte, offset: 0) }
            return items
        } catch {
            throw Problem(error)
        }
    }
}

extension IngestOutcome {
    /// For an event whose outcome never came.
    fileprivate static let unknown = IngestOutcome.unavailable(Unavailable(.databaseUnavailable))
}

extension JSON {
    /// Strict but for U+0000, which the event's own rules refuse with its pointer.
    fileprivate static func event(in bytes: [UInt8]) throws(Problem) -> JSON {
        do throws(JSONError) {
            return try parse(bytes, maxDepth: IngestLimits.depth, nul: .allowed)
        } catch {
            throw Problem(error)
        }
    }
}
