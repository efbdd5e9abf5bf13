internal import HTTPServer
internal import JSONText
internal import Runtime

/// The feed: what partners told of an app's orders, page by page or as an event stream.
extension Endpoints {
    /// Nobody between us and the reader may think that the stream has died.
    private static let heartbeat = Duration.seconds(15)
    /// A stream ends after so long, and its reader comes again: by then its key may have been revoked.
    private static let longestStream = Duration.seconds(600)

    /// `after`, `limit`, `wait`; a stream goes on from `Last-Event-ID` where there is one.
    func getFeed(_ call: Call) async throws(Problem) -> HTTPResponse {
        let caller = try call.caller
        let feed = ports.feed
        let limit = try call.query.integer("limit", in: Page.limits) ?? Page().limit
        let wait = try call.query.integer("wait", in: 1...30) ?? 0
        let isStream = call.request.acceptsEventStream
        let last = isStream ? call.request.headers.first("last-event-id") : nil
        let cursor = try Self.feedCursor(last ?? call.query["after"] ?? "")
        let first = try await asking { () async throws(Unavailable) in
            try await feed.feed(
                after: cursor,
                limit: limit,
                wait: isStream ? .zero : .seconds(wait),
                caller: caller
            )
        }
        guard let first else {
            throw Problem(.cursorLost, "Begin again without `after`: facts that are known already come again.")
        }
        guard isStream else {
            return .json(["items": .array(first.items.map(\.json)), "next": .string(first.next.text)])
        }
        return HTTPResponse(
            status: 200,
            headers: [HTTPField("Content-Type", "text/event-stream"), HTTPField("X-Accel-Buffering", "no")],
            body: .stream { writer in
                let end = MonotonicTime.now + Self.longestStream
                try await writer.write("retry: 2000\n" + first.messages)
                var page = first
                // Cancelled when the server drains: between two pages, so that the stream ends whole.
                while !Task.isCancelled, end > .now {
                    let next: FeedPage?
                    do throws(Unavailable) {
                        next = try await feed.feed(
                            after: page.next,
                            limit: limit,
                            wait: Self.heartbeat,
                            caller: caller
                        )
                    } catch {
                        if Task.isCancelled { return }
                        throw error
                    }
                    // The reader comes again, and is told that its place is lost.
                    guard let next else { return }
                    try await writer.write(next.messages)
                    page = next
                }
            }
        )
    }

    private static func feedCursor(_ text: String) throws(Problem) -> FeedCursor? {
        if text.isEmpty { return nil }
        guard let cursor = Cursor.decode(text, for: .feed).flatMap({ FeedCursor($0) }) else {
            throw Problem(
                .invalidRequest,
                faults: [Fault("query:after", .format, "Is no cursor of the feed.")]
            )
        }
        return cursor
    }
}

extension FeedCursor {
    fileprivate var text: String { Cursor.encode(bytes, for: .feed) }
}

extension FeedPage {
    /// The place comes with the last message alone: until then the reader's place is the one before. Without messages it
    /// stands beside a comment, which readers see nothing of.
    fileprivate var messages: String {
        (items.isEmpty ? ":\n" : items.map(\.message).joined(separator: "\n")) + "id: \(next.text)\n\n"
    }
}

extension HTTPRequest {
    fileprivate var acceptsEventStream: Bool {
        (headers.first("accept") ?? "").split(separator: ",").contains {
            MediaType(String($0))?.essence == "text/event-stream"
        }
    }
}
