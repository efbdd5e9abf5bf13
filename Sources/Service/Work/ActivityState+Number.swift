internal import Tracking

extension ActivityState {
    /// The number in the database's column, for counting.
    var number: Int {
        switch self {
        case .none: 0
        case .starting: 1
        case .maybeStarted: 2
        case .live: 3
        case .localOnly: 4
        case .ending: 5
        case .unreachable: 6
        case .dismissed: 7
        case .ended: 8
        case .liveOnChannel: 9
        }
    }
}
