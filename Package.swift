// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: language mode 6, no warnings, tomorrow's rules today.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// Targets that touch C: every unsafe expression must also say `unsafe`.
let wrapsC = strict + [.strictMemorySafety()]

/// A library and its tests: sources may import only what stands in `imports`.
func library(
    _ name: String,
    imports: [Target.Dependency] = [],
    wraps: Bool = false,
    resources: [Resource] = []
)
    -> Target
{
    .target(name: name, dependencies: imports, resources: resources, swiftSettings: wraps ? wrapsC : strict)
}

func tests(_ name: String, imports: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: imports + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
    name: "doorstep",
    targets: [
        // C libraries: a module map and, where macros or variadics need it, static inline shims.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // The pure core: decisions as functions of facts. `Tracking` imports nothing at all.
        library("Tracking"),
        library("ActivityContract", imports: ["JSONText"]),
        library("PartnerEvents", imports: ["Tracking", "JSONText"]),

        // Machinery: knows nothing of deliveries.
        library("Runtime", imports: ["CLinux"], wraps: true),
        library("Crypto", imports: ["COpenSSL"], wraps: true),
        library("JSONText"),
        library("Gzip", imports: ["CZlib"], wraps: true),
        library("Postgres", imports: ["CLibPQ", "Crypto", "Runtime"], wraps: true),
        library("HTTPServer", imports: ["CMicroHTTPD", "Runtime"], wraps: true),
        library("HTTPClient", imports: ["CCurl", "Runtime"], wraps: true),
        library("HTTP2", imports: ["CNGHTTP2", "COpenSSL", "Runtime"], wraps: true),
        library("APNs", imports: ["HTTP2", "Crypto", "JSONText", "Runtime"]),
        library(
            "APNsSimulator",
            imports: ["HTTP2", "HTTPServer", "HTTPClient", "Crypto", "JSONText", "Runtime"],
            resources: [
                .embedInCode("Resources/phones.html"), .embedInCode("Resources/phones.css"),
                .embedInCode("Resources/phones.js"),
            ]
        ),

        // JSON Web Tokens of others, read and judged.
        library("WebTokens", imports: ["JSONText", "Crypto"]),

        // Webhooks of delivery platforms in, CloudEvents out.
        library(
            "Adapters",
            imports: ["WebTokens", "JSONText", "Crypto"],
            resources: [
                .embedInCode("Resources/deliveroo.json"), .embedInCode("Resources/doordash-drive.json"),
                .embedInCode("Resources/onfleet.json"), .embedInCode("Resources/shipday.json"),
                .embedInCode("Resources/square.json"), .embedInCode("Resources/uber-direct.json"),
                .embedInCode("Resources/wolt-drive.json"),
            ]
        ),

        // Where both worlds meet.
        library(
            "PostgresStore",
            imports: ["Postgres", "PartnerEvents", "Tracking", "JSONText", "Crypto", "Runtime"],
            resources: [
                .embedInCode("Resources/001-schema.sql"), .embedInCode("Resources/002-access-key.sql"),
                .embedInCode("Resources/003-claim.sql"), .embedInCode("Resources/004-token-claim.sql"),
                .embedInCode("Resources/005-fallback.sql"), .embedInCode("Resources/006-channel.sql"),
                .embedInCode("Resources/007-order-lists.sql"),
            ]
        ),
        library("PushDelivery", imports: ["APNs", "ActivityContract", "Tracking", "JSONText"]),
        library(
            "Service",
            imports: ["PostgresStore", "Postgres", "PushDelivery", "APNs", "Tracking", "JSONText", "Crypto", "Runtime"]
        ),
        library(
            "API",
            imports: [
                "Service", "PostgresStore", "Adapters", "WebTokens", "HTTPServer", "Tracking", "JSONText", "Gzip",
                "Crypto",
                "Runtime",
            ],
            resources: [.embedInCode("Resources/openapi.yaml")]
        ),
        library("Replay", imports: ["HTTPClient", "Gzip", "JSONText", "Runtime"]),
        library("Simulation", imports: ["Replay", "PartnerEvents", "Tracking", "JSONText", "Runtime"]),
        .executableTarget(
            name: "doorstep",
            dependencies: [
                "API", "Service", "PostgresStore", "Postgres", "PushDelivery", "APNs", "APNsSimulator", "Replay",
                "Simulation", "Adapters", "WebTokens", "HTTPServer", "HTTPClient", "HTTP2", "ActivityContract",
                "Tracking",
                "JSONText", "Crypto", "Runtime",
            ],
            swiftSettings: strict
        ),

        // What `make bench` measures the APNs client with.
        .executableTarget(
            name: "doorstep-bench",
            dependencies: ["APNs", "HTTP2", "Crypto", "Runtime"],
            path: "Benchmarks/APNsClient",
            swiftSettings: strict
        ),
        // And the fold with its decisions.
        .executableTarget(
            name: "doorstep-fold-bench",
            dependencies: ["Tracking"],
            path: "Benchmarks/Fold",
            exclude: ["allocations.c"],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Runtime", "Postgres", "PostgresStore"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("TrackingTests", imports: ["Tracking"]),
        tests("ActivityContractTests", imports: ["ActivityContract", "JSONText"]),
        tests("AdaptersTests", imports: ["Adapters", "PartnerEvents", "Tracking", "JSONText", "Crypto", "Runtime"]),
        tests("WebTokensTests", imports: ["WebTokens", "JSONText", "Crypto", "Runtime"]),
        tests("RuntimeTests", imports: ["Runtime"]),
        tests("CryptoTests", imports: ["Crypto"]),
        tests("GzipTests", imports: ["Gzip"]),
        tests("JSONTextTests", imports: ["JSONText", "Runtime"]),
        tests("PostgresTests", imports: ["Postgres", "Crypto", "Runtime"]),
        tests("HTTPServerTests", imports: ["HTTPServer", "HTTPClient", "Runtime"]),
        tests("HTTP2Tests", imports: ["HTTP2", "Crypto", "Runtime"]),
        tests("APNsTests", imports: ["APNs", "HTTP2", "Crypto", "JSONText", "Runtime"]),
        tests(
            "APNsSimulatorTests",
            imports: [
                "APNsSimulator", "APNs", "HTTP2", "HTTPServer", "HTTPClient", "Crypto", "JSONText", "Runtime",
            ]
        ),
        tests(
            "PostgresStoreTests",
            imports: ["PostgresStore", "Postgres", "Tracking", "JSONText", "Crypto", "Runtime"]
        ),
        tests(
            "PushDeliveryTests",
            imports: ["PushDelivery", "ActivityContract", "APNs", "Tracking", "JSONText", "Runtime"]
        ),
        tests(
            "ServiceTests",
            imports: [
                "Service", "PostgresStore", "Postgres", "PushDelivery", "APNs", "Tracking", "JSONText", "Crypto",
                "Runtime",
            ]
        ),
        tests(
            "APITests",
            imports: [
                "API", "Service", "PostgresStore", "Postgres", "Adapters", "WebTokens", "HTTPServer", "HTTPClient",
                "Crypto",
                "JSONText", "Tracking", "Runtime",
            ]
        ),
        tests("ReplayTests", imports: ["Replay", "JSONText", "Runtime"]),
        tests("SimulationTests", imports: ["Simulation", "Replay", "Tracking", "JSONText", "Runtime"]),
        tests(
            "DoorstepTests",
            imports: [
                "doorstep", "API", "Service", "PostgresStore", "Postgres", "ActivityContract", "PushDelivery",
                "Tracking",
                "JSONText", "Runtime",
            ]
        ),
        tests(
            "EndToEndTests",
            imports: ["HTTPClient", "Replay", "APNsSimulator", "ActivityContract", "JSONText", "Runtime"]
        ),
    ]
)
