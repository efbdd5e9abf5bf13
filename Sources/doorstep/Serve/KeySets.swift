internal import API
private import HTTPClient
internal import Runtime
private import WebTokens

/// Fetches the public keys of apps' issuers and keeps them fresh. A fetch that fails leaves the keys that are known.
actor KeySets: Service {
    /// Where the answer does not say how long it is good.
    private static let usualAge: Int64 = 600
    private static let ages: ClosedRange<Int64> = 60...86_400
    /// Between two fetches because of a key that is not known: tokens are cheap to invent.
    private static let pause = Duration.seconds(60)
    private static let timeout = Duration.seconds(5)
    private static let longest = 256 << 10

    private struct Entry {
        let address: WebAddress
        let client: HTTPClient
        var due = MonotonicTime.now
        /// When keys were last asked for because a token named an unknown one.
        var askedAt: MonotonicTime?
        var isFetching = false
    }

    nonisolated let loop: EventLoop
    private let tokens: CustomerTokens
    private let fetches: Counter
    private let log: Log
    private var entries: [String: Entry] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, tokens: CustomerTokens, metrics: Metrics, log: Log) {
        self.loop = loop
        self.tokens = tokens
        self.log = log
        fetches = metrics.counter(
            "doorstep_key_set_fetches_total",
            "Fetches of the keys that customers' tokens are signed with.",
            labels: [MetricLabel("result", ["fetched", "failed"])]
        )
    }

    func replace(_ addresses: [String: WebAddress]) {
        entries = addresses.reduce(into: [:]) { entries, pair in
            let (app, address) = pair
            if let known = self.entries[app], known.address == address {
                entries[app] = known
            } else {
                let client = HTTPClient(
                    loop: loop,
                    baseURL: address.base,
                    maxConnections: 1,
                    timeout: Self.timeout,
                    responseLimit: Self.longest
                )
                entries[app] = Entry(address: address, client: client)
            }
        }
    }

    func run() async throws {
        while !Task.isCancelled {
            for (app, entry) in entries where entry.due <= .now && !entry.isFetching { await fetch(app) }
            try await loop.sleep(for: .seconds(1))
        }
    }

    /// Fetches because a token names a key that is not known, at most once a minute, and waits for a fetch under way.
    func refresh(_ app: String) async {
        while entries[app]?.isFetching == true { try? await loop.sleep(for: .milliseconds(20)) }
        guard let entry = entries[app] else { return }
        // A fetch that is due anyway is nobody's doing.
        if entry.due > .now {
            if let asked = entry.askedAt, asked + Self.pause > .now { return }
            entries[app]?.askedAt = .now
        }
        await fetch(app)
    }

    private func fetch(_ app: String) async {
        guard let entry = entries[app] else { return }
        entries[app]?.isFetching = true
        let (age, problem) = await take(app, entry)
        if let problem {
            log.warning("key set", ["app": LogValue(app), "problem": LogValue(problem)])
        }
        fetches.add(1, problem == nil ? "fetched" : "failed")
        entries[app]?.due = .now + .seconds(age)
        entries[app]?.isFetching = false
    }

    /// How long it may be until the next fetch, and what was wrong with this one.
    private func take(_ app: String, _ entry: Entry) async -> (age: Int64, problem: String?) {
        do throws(HTTPClientError) {
            let answer = try await entry.client.send(
                "GET",
                entry.address.path,
                headers: [("Accept", "application/json")]
            )
            guard answer.status == 200 else { return (Self.ages.lowerBound, "status \(answer.status)") }
            guard let keys = TokenKeys(document: answer.body) else { return (Self.ages.lowerBound, "no usable keys") }
            // What was configured meanwhile has an answer of its own.
            if entries[app]?.address == entry.address { tokens.take(keys, of: app) }
            return (Self.age(answer.header("cache-control")), nil)
        } catch {
            return (Self.ages.lowerBound, "\(error)")
        }
    }

    /// `max-age` in seconds (RFC 9111, section 5.2.2.1).
    static func age(_ cacheControl: String?) -> Int64 {
        let directives = (cacheControl ?? "").lowercased().split { $0 == "," || $0 == " " }
        guard let text = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst("max-age=".count),
            let seconds = Int64(text)
        else { return usualAge }
        return min(max(seconds, ages.lowerBound), ages.upperBound)
    }
}
