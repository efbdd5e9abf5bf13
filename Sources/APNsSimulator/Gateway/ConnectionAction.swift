/// What a listener does to a whole connection.
enum ConnectionAction: Sendable, Hashable {
    case limitStreams(Int)
    /// A SETTINGS frame.
    case announce(Announcement)
    /// GOAWAY with a reason. `keep` is the share of the open streams that may still finish, the oldest; the others were
    /// never processed and are closed.
    case goAway(reason: String, keep: Double = 1)
    /// Reads nothing for so long.
    case stopReading(milliseconds: Int)
    /// Neither reads nor writes any more, and stays open.
    case freeze
    /// Closes the socket without a word.
    case drop

    /// New values of a connection's SETTINGS; nil leaves one as it is.
    struct Announcement: Sendable, Hashable {
        var maxConcurrentStreams: Int?
        var headerTableSize: Int?
        var maxFrameSize: Int?
        var maxHeaderListSize: Int?
        var initialWindow: Int?
    }

    init(_ action: ConnectionStanding.Action) {
        switch action {
        case .limitStreams(let count): self = .limitStreams(count)
        case .goAway(let reason): self = .goAway(reason: reason.rawValue)
        }
    }
}
