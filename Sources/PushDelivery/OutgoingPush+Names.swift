import Tracking

/// Names for APNs and for the phone's list of notifications. Digests: ids of orders are up to 255 bytes long and nobody
/// else's business.
extension OutgoingPush {
    enum Named {
        case order
        case card
    }

    var isAlert: Bool { intention.verb == .alert }

    /// The channel that it goes to; a start names one, and goes to a phone.
    var broadcast: ChannelID? { incarnation == Channel.incarnation ? intention.channel : nil }

    /// What all alerts of an order have in common.
    var thread: String { "order-" + name(of: .order) }

    func name(of named: Named) -> String {
        var digest = Digest()
        digest.add(order.value)
        if named == .card {
            digest.add(device.value)
            digest.add(UInt64(incarnation))
        }
        let hex = String(digest.value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}
