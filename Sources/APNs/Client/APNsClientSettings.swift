/// How much a client puts up with.
package struct APNsClientSettings: Sendable {
    /// Connections in use at once. More than one only when the streams of the others are all taken.
    package var maxConnections = 3
    /// Name look-up, TCP and TLS together.
    package var connectLimit = Duration.seconds(5)
    /// How often a push is offered to connections before it is given back as unsent.
    package var maxAttempts = 5
    /// How long pushes under way may take once the client is told to stop.
    package var drainLimit = Duration.seconds(5)

    package init() {}

    /// For the management of channels, which is rare.
    package static var management: APNsClientSettings {
        var settings = APNsClientSettings()
        settings.maxConnections = 1
        return settings
    }
}
