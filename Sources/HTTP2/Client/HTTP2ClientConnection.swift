package import Runtime

/// A client's connection: many requests at once, each with one outcome. Part of the actor that owns it, on the loop.
package final class HTTP2ClientConnection {
    /// What happens to the connection as a whole.
    package enum Event: Sendable {
        /// The server allows so many streams from now on.
        case settings(maxConcurrentStreams: Int)
        /// The server takes no new streams; those it will not process have ended as `unsent`.
        case goAway(HTTP2GoAway)
        /// The connection is gone and all its requests have ended. The last event.
        case ended(HTTP2Error)
    }

    private let link: SecureLink
    private let origin: HTTP2Origin
    private let authority: String
    private let onEvent: (Event) -> Void
    private var liveness: Liveness
    private var handshake: CheckedContinuation<Result<Void, HTTP2Error>, Never>?
    private var hasRememberedSession = false
    private var isDraining = false
    /// Whether a request was ever sent: the first one teaches HPACK the names.
    package private(set) var hasSentRequests = false

    init(
        socket: consuming Descriptor,
        tls: TLSEngine,
        origin: HTTP2Origin,
        loop: EventLoop,
        onEvent: @escaping (Event) -> Void
    ) throws(HTTP2Error) {
        self.origin = origin
        self.onEvent = onEvent
        authority = origin.authority
        liveness = Liveness(now: .now)
        link = SecureLink(
            socket: socket,
            tls: tls,
            session: try Session(role: .client, settings: SessionSettings()),
            loop: loop
        )
    }

    /// When a request was last answered; nil before the first.
    package private(set) var lastAnswer: MonotonicTime?
    /// Requests that have no outcome yet.
    package var openStreams: Int { link.hasEnded ? 0 : link.session.streams.count }
    package var hasEnded: Bool { link.hasEnded }
    /// Whether the handshake resumed an earlier session.
    package var hasResumed: Bool { link.hasResumed }

    /// Sends a request. `complete` is called exactly once, on the loop, at the latest when `tick(at:)` sees the
    /// deadline passed: the stream is reset then, so its slot is free again.
    package func send(
        _ request: HTTP2ClientRequest,
        deadline: MonotonicTime,
        complete: @escaping (HTTP2Outcome) -> Void
    ) {
        guard !link.hasEnded else { return complete(.unsent(HTTP2Error(.closed, "the connection is closed"))) }
        do throws(HTTP2Error) {
            if openStreams == 0 { liveness.beganWaiting(at: .now) }
            let stream = try link.session.submit(request, authority: authority)
            stream.call = ClientCall(deadline: deadline, complete: complete)
            hasSentRequests = true
            link.scheduleFlush()
        } catch {
            complete(.unsent(error))
        }
    }

    /// Ends what is over its deadline and notices a dead peer. To be called every so often; nothing is late by more
    /// than the caller's interval.
    package func tick(at now: MonotonicTime) {
        for stream in link.session.streams.values {
            guard let call = stream.call, call.deadline <= now else { continue }
            finish(stream, lost(stream, HTTP2Error(.timedOut, "no answer before the deadline")))
            link.session.reset(stream.id, .cancel)
            link.scheduleFlush()
        }
        if let refusedSince = link.refusedSince, now - refusedSince > liveness.refusalLimit {
            return link.end(HTTP2Error(.timedOut, "the peer takes no bytes"), sayingGoodbye: false)
        }
        switch liveness.tick(at: now, lastReceived: link.lastReceived, isWaiting: openStreams > 0) {
        case .nothing: break
        case .ping:
            link.session.ping()
            link.scheduleFlush()
        case .giveUp: link.end(HTTP2Error(.timedOut, "no answer to PING"), sayingGoodbye: false)
        }
    }

    /// Closes, with GOAWAY, once the open streams have ended. Not before: GOAWAY would overtake requests that are yet to
    /// leave, and some servers take nothing after it.
    package func drain() {
        isDraining = true
        leaveIfDrained()
    }

    private func leaveIfDrained() {
        guard isDraining, openStreams == 0 else { return }
        link.session.goAway(.noError)
        link.scheduleFlush()
    }

    /// Closes at once. Requests without an answer end as `unsent` or `unknown`.
    package func close() { link.end(HTTP2Error(.closed, "closed by this side")) }

    // MARK: - Events

    func shakeHands(until deadline: MonotonicTime) async throws(HTTP2Error) {
        let result = await withCheckedContinuation { continuation in
            handshake = continuation
            link.onReady = { [unowned self] in endHandshake(.success(())) }
            link.onEvent = { [unowned self] in handle($0) }
            link.onEnd = { [self] in ended($0) }
            let link = link
            link.loop.schedule(after: deadline - .now) { [weak link] in
                guard let link, link.isShakingHands else { return }
                link.end(HTTP2Error(.timedOut, "no TLS handshake in time"), sayingGoodbye: false)
            }
            do throws(RuntimeError) {
                try link.start()
            } catch {
                link.end(HTTP2Error(.unreachable, "\(error)"), sayingGoodbye: false)
            }
        }
        try result.get()
    }

    private func endHandshake(_ result: Result<Void, HTTP2Error>) {
        handshake?.resume(returning: result)
        handshake = nil
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .closed(let stream, let code):
            closed(stream, code)
            leaveIfDrained()
        case .settings(let count): onEvent(.settings(maxConcurrentStreams: count))
        case .goAway(let goAway): onEvent(.goAway(goAway))
        case .pong: liveness.ponged()
        case .request, .oversized, .ping, .priority, .excessStream: break
        }
    }

    private func closed(_ stream: SessionStream, _ code: HTTP2ErrorCode) {
        if stream.hasReceivedAll, stream.headers.status >= 200 {
            if !hasRememberedSession, let session = link.resumableSession {
                hasRememberedSession = true
                origin.remember(session)
            }
            lastAnswer = link.lastReceived
            finish(stream, .answered(HTTP2ClientResponse(headers: stream.headers, body: stream.body)))
        } else if code == .refusedStream {
            finish(stream, .unsent(HTTP2Error(.closed, "the server refused the stream")))
        } else {
            finish(stream, lost(stream, HTTP2Error(.closed, "stream ended with code \(code.rawValue)")))
        }
    }

    private func ended(_ reason: HTTP2Error) {
        for stream in link.session.streams.values { finish(stream, lost(stream, reason)) }
        if let handshake {
            self.handshake = nil
            handshake.resume(returning: .failure(reason))
        } else {
            onEvent(.ended(reason))
        }
    }

    private func lost(_ stream: SessionStream, _ reason: HTTP2Error) -> HTTP2Outcome {
        stream.hasSentAll ? .unknown(reason) : .unsent(reason)
    }

    private func finish(_ stream: SessionStream, _ outcome: HTTP2Outcome) {
        let call = stream.call
        stream.call = nil
        call?.complete(outcome)
    }
}
