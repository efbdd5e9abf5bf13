internal import HTTP2
internal import Runtime

/// Connections that come and go.
extension Lane {
    /// How often APNs' clock is compared with ours.
    private static let comparisonInterval = Duration.seconds(10)

    func connect(_ id: Int) async {
        do throws(HTTP2Error) {
            let connection = try await origin.connect(on: loop, within: settings.connectLimit) { [weak self] event in
                self?.handle(event, of: id)
            }
            if connection.hasEnded {
                lastFailure = APNsFailure(.unreachable, "the connection ended at once")
                endWarming(lastFailure)
            } else {
                connections[id] = connection
                pool.opened(id)
                onConnection(.opened)
                endWarming(nil)
                if isStopping { connection.close() }
            }
        } catch {
            lastFailure = APNsFailure(connecting: error)
            pool.failed(id, at: .now, using: &generator)
            onConnection(.failed(lastFailure))
            endWarming(lastFailure)
        }
        assign()
    }

    private func endWarming(_ failure: APNsFailure?) {
        for waiter in warming { waiter.end(failure) }
        warming = []
    }

    private func handle(_ event: HTTP2ClientConnection.Event, of id: Int) {
        switch event {
        case .settings(let count): pool.limited(id, to: count)
        case .goAway(let goAway):
            pool.retired(id, at: .now, using: &generator)
            onConnection(.goAway(APNsAnswer.reason(of: goAway.debugData)))
        case .ended(let error):
            connections[id] = nil
            onConnection(.closed(APNsFailure(error)))
            pool.gone(id, at: .now, using: &generator)
        }
        assign()
    }

    /// Gives the connection nothing more; it closes once its streams have ended.
    func retire(_ id: Int) {
        pool.retired(id, at: .now, using: &generator)
        connections[id]?.drain()
    }

    /// A request was not answered in time. Where nothing else was either, the next ones are better off elsewhere, however
    /// promptly the peer answers PING.
    func retireIfMute(_ id: Int, since began: MonotonicTime) {
        guard let connection = connections[id], .now - began >= settings.muteLimit else { return }
        if connection.lastAnswer.map({ $0 < began }) ?? true { retire(id) }
    }

    /// Learns from an answer's `Date` how far APNs' clock is from ours.
    func compareClocks(_ response: HTTP2ClientResponse, on id: Int, atOnce: Bool) {
        let now = connections[id]?.lastAnswer ?? .now
        if !atOnce, let lastComparison, now - lastComparison < Self.comparisonInterval { return }
        lastComparison = now
        if let date = response.headers["date"], let seconds = WallClock.seconds(httpDate: date) {
            tokens.compare(withAPNs: seconds)
        }
    }

    func tick(at now: MonotonicTime) {
        for connection in connections.values { connection.tick(at: now) }
        resolveWaiting(APNsFailure(.deadline, "no stream was free before the deadline")) { $0.deadline <= now }
        assign()
    }

    /// Takes nothing more; what is under way may finish.
    func stop() {
        isStopping = true
        endWarming(.stopping)
    }

    /// Ends what is still under way.
    func giveUp() {
        resolveWaiting(.stopping) { _ in true }
        close()
    }

    func close() {
        for connection in connections.values { connection.close() }
    }
}
