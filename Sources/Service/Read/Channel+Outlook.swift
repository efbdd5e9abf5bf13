package import Tracking

extension Channel {
    /// How it stands, where that is not told by the card that stands for its listeners.
    package var meaning: String? {
        switch state {
        case .opening: "APNs has not made the channel yet."
        case .open: nil
        case .closed: "The channel is deleted, or APNs knows it no more."
        case .failed: "APNs gives no channel: the order's cards start with tokens."
        }
    }

    /// What happens next to it, as above.
    package var next: String? {
        switch state {
        case .opening, .open: nil
        case .closed: "If the order is reopened, its new cards ask for another channel."
        case .failed: "Nothing: the order goes on without a channel."
        }
    }
}
