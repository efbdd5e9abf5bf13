internal import Runtime

/// One client of a server, with the handlers at work for it. Part of the server's actor.
final class ServerConnection {
    let id: HTTP2ConnectionID
    let link: SecureLink
    private let peer: String
    private let onEvent: @Sendable (HTTP2ConnectionEvent) -> Void
    /// Starts the handler of a request.
    private let work: (HTTP2Request) -> Task<Void, Never>?

    init(
        id: HTTP2ConnectionID,
        peer: String,
        link: SecureLink,
        onEvent: @escaping @Sendable (HTTP2ConnectionEvent) -> Void,
        work: @escaping (HTTP2Request) -> Task<Void, Never>?
    ) {
        self.id = id
        self.peer = peer
        self.link = link
        self.onEvent = onEvent
        self.work = work
    }

    /// Begins to move bytes; `onEnd` is called once, when the connection is gone.
    func start(handshakeWithin limit: Duration, onEnd: @escaping () -> Void) {
        link.onReady = { [id, peer, onEvent, unowned link] in
            onEvent(.opened(id, peer: peer))
            if link.peerHasCertificate { onEvent(.certificate(id)) }
        }
        link.onEvent = { [unowned self] event in handle(event) }
        link.onEnd = { [self] reason in
            ended(reason)
            onEnd()
        }
        link.loop.schedule(after: limit) { [weak link] in
            guard let link, link.isShakingHands else { return }
            link.end(HTTP2Error(.timedOut, "no TLS handshake in time"), sayingGoodbye: false)
        }
        do throws(RuntimeError) {
            try link.start()
        } catch {
            link.end(HTTP2Error(.unreachable, "\(error)"), sayingGoodbye: false)
        }
    }

    /// Sends what a handler answered, unless the stream ended meanwhile.
    func finish(_ id: Int32, with answer: HTTP2Answer) {
        guard let stream = link.session.stream(id) else { return }
        switch answer {
        case .reply(let reply):
            stream.work = nil
            do throws(HTTP2Error) {
                try link.session.submit(reply, to: id)
            } catch {
                link.session.reset(id, .internalError)
            }
        case .reset(let code):
            stream.work = nil
            link.session.reset(id, code)
        case .silence:
            return
        }
        link.scheduleFlush()
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .request(let stream):
            stream.work = work(
                HTTP2Request(connection: id, stream: stream.id, headers: stream.headers, body: stream.body)
            )
        case .oversized(let stream):
            // RFC 9113, section 10.5.1; the connection goes on.
            finish(stream.id, with: .reply(HTTP2Reply(status: 431)))
            onEvent(.oversized(id))
        case .closed(let stream, _): abandon(stream)
        case .ping: onEvent(.ping(id, openStreams: link.session.streams.count))
        case .priority: onEvent(.priority(id))
        case .excessStream: onEvent(.excessStream(id))
        case .settings, .goAway, .pong: break
        }
    }

    private func abandon(_ stream: SessionStream) {
        guard let work = stream.work else { return }
        stream.work = nil
        work.cancel()
        onEvent(.abandoned(id, stream: stream.id))
    }

    private func ended(_ reason: HTTP2Error) {
        for stream in link.session.streams.values { abandon(stream) }
        onEvent(link.isShakingHands ? .rejected(peer: peer, reason) : .closed(id, reason))
    }
}
