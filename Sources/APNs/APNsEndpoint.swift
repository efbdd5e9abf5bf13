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

    /// Where the channels of `production` are made and deleted.
    package static let productionManagement = APNsEndpoint(host: "api-manage-broadcast.push.apple.com", port: 2196)
    /// Where the channels of `sandbox` are made and deleted.
    package static let sandboxManagement = APNsEndpoint(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)

    /// Apple's samples publish to channels here, its text says `production` and developers publish there: use that, and
    /// a client of this host only if APNs ever insists.
    package static let productionBroadcast = APNsEndpoint(host: "api-broadcast.push.apple.com")
    /// The same for `sandbox`.
    package static let sandboxBroadcast = APNsEndpoint(host: "api-broadcast.sandbox.push.apple.com")
}
