internal import HTTP2
private import JSONText
private import Runtime

extension HTTP2Server {
    /// Does something to a connection; streams up to `stream` count as processed. Answers with the last stream that still
    /// counts, where the connection takes no others.
    func perform(
        _ action: ConnectionAction,
        on id: HTTP2ConnectionID,
        atLeastTo stream: Int32 = 0
    ) -> Int32? {
        switch action {
        case .limitStreams(let count): setMaxConcurrentStreams(count, on: id)
        case .announce(let announcement): announce(HTTP2SettingsChange(announcement), on: id)
        case .goAway(let reason, let keep):
            let open = openStreams(on: id)
            let kept = open.prefix(Int((Double(open.count) * keep).rounded(.down))).last ?? 0
            let debugData = JSON.object(["reason": .string(reason)]).serialized()
            return goAway(id, debugData: debugData, lastStream: keep < 1 ? max(kept, stream) : nil)
        case .stopReading(let milliseconds):
            setReading(false, on: id)
            loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
                self?.assumeIsolated { $0.setReading(true, on: id) }
            }
        case .freeze: freeze(id)
        case .drop: drop(id)
        }
        return nil
    }
}

extension HTTP2SettingsChange {
    fileprivate init(_ announcement: ConnectionAction.Announcement) {
        self.init(
            maxConcurrentStreams: announcement.maxConcurrentStreams,
            headerTableSize: announcement.headerTableSize,
            maxFrameSize: announcement.maxFrameSize,
            maxHeaderListSize: announcement.maxHeaderListSize,
            initialWindow: announcement.initialWindow
        )
    }
}
