internal import API
internal import ActivityContract
internal import Adapters
internal import Tracking

/// Everything a serving process is told before it starts (docs/configuration.md).
struct Configuration: Sendable {
    struct App: Sendable {
        /// How events and keys name it.
        var id: String
        var bundleID: String
        var teamID: String
        /// For devices that name none.
        var environment: Environment
        /// The Swift name of its `ActivityAttributes` type; nil: as its contracts have it.
        var attributesType: String?
        var keys: [SigningKey]
        var policy: Policy
        /// At least one; the first serves builds before all others.
        var contracts: [ContractChoice]
        /// For alerts on devices whose own language has no sentences, in order of preference.
        var locales: [String]
        /// Of its own sign-in, where its users' phones speak for themselves.
        var customerTokens: CustomerTokenSettings?

        enum Environment: String, CaseIterable, Sendable {
            case sandbox
            case production
        }
    }

    /// A contract, and the app build that brought it.
    struct ContractChoice: Hashable, Sendable {
        /// `doorstep.v1`, or the path of a contract file.
        var name: String
        /// Needed by all but the first.
        var firstBuild: BuildNumber?
    }

    /// An APNs authentication key.
    struct SigningKey: Sendable {
        var id: String
        /// The .p8 file.
        var file: String
    }

    struct Source: Sendable {
        var name: String
        var app: String
        /// IANA name; for times without an offset.
        var timeZone: String?
        var keepRaw: Bool
        /// Standard Webhooks secrets (`whsec_…`) or, with an adapter, the platform's; several while they are rotated.
        var secrets: [String]
        /// Of the platform whose webhooks it takes.
        var adapter: Adapter?
        /// The address that the platform calls, where it signs it.
        var address: String?
    }

    struct Address: Hashable, Sendable {
        var host: String
        var port: Int
    }

    /// Where APNs is; Apple's own addresses unless a simulator stands in.
    struct PushService: Sendable {
        var sandbox: Address?
        var production: Address?
        /// Where channels are made and deleted.
        var sandboxManagement: Address?
        var productionManagement: Address?
        /// A proxy that takes CONNECT, where the machine leaves the network by one only.
        var proxy: Address?
        /// PEM file of the authority to trust instead of the system's.
        var certificateAuthority: String?
    }

    /// What one process does.
    enum Role: String, CaseIterable, Sendable {
        case api
        case worker
    }

    /// The file that most of it came from, to be read again on SIGHUP.
    var file: String?
    /// False when that file has mistakes: what is missing here may stand there.
    var isWhole = true
    var listen = Address(host: "127.0.0.1", port: 8080)
    var services: Set<Role> = Set(Role.allCases)
    /// libpq's URL.
    var database: String?
    var apps: [App] = []
    var sources: [Source] = []
    var pushService = PushService()
    /// File with the 32 bytes, in hex, that seal push tokens.
    var masterKeyFile: String?
    var connectionLimit = 4_000
    /// What the bodies of all requests may hold at once.
    var allBodiesBytes = 128 << 20
    /// What callers may ask, and the proxies whose `X-Forwarded-For` is believed.
    var requests = RequestLimits()
}
