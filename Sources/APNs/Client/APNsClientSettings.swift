package import HTTP2

/// How a client connects and how much it puts up with.
package struct APNsClientSettings: Sendable {
    /// Connections in use at once, besides the one for doubtful tokens. More than one only when the streams of the others
    /// are all taken.
    package var maxConnections = 3
    /// Name look-up, TCP and TLS together.
    package var connectLimit = Duration.seconds(5)
    /// How often a push is offered to connections before it is given back as unsent.
    package var maxAttempts = 5
    /// A connection on which nothing is answered for so long, although something is due, gets no more pushes, however
    /// promptly it answers PING.
    package var muteLimit = Duration.seconds(5)
    /// How long pushes under way may take once the client is told to stop.
    package var drainLimit = Duration.seconds(5)

    /// Where the machine may leave the network only through a proxy.
    package var proxy: HTTP2Proxy?

    package init() {}

    /// Which setting would let no push through, and why (P18).
    var problem: String? {
        if maxConnections < 1 { return "maxConnections is \(maxConnections), and must be 1 at least" }
        if maxAttempts < 1 { return "maxAttempts is \(maxAttempts), and must be 1 at least" }
        return nil
    }

    /// For the management of channels, which is rare.
    package static var management: APNsClientSettings {
        var settings = APNsClientSettings()
        settings.maxConnections = 1
        return settings
    }
}
