package import HTTP2

/// A host of the provider API. An endpoint is one environment: its tokens are of no use at the other.
package struct APNsEndpoint: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var trust: TLSTrust

    package init(host: String, port: Int = 443, trust: TLSTrust = .system) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// For TestFlight and the App Store.
    package static let production = APNsEndpoint(host: "api.push.apple.com")
    /// For development builds.
    package static let sandbox = APNsEndpoint(host: "api.sandbox.push.apple.com")
}
