private import APNs
private import Crypto
private import Glibc
private import HTTP2
private import Runtime

/// Pushes as fast as the APNs client can, and tells how many were accepted and how long it took once it was connected; or
/// is the server for such a measurement.
///
/// usage: doorstep-bench PORT CA.pem TOKEN REQUESTS CONNECTIONS STREAMS PAYLOAD-BYTES
///        doorstep-bench serve STREAMS < certificate-and-key.pem
///
/// `STREAMS` is how many the server allows on a connection, and how many pushes wait for an answer at once on each.
@main
enum PushBenchmark {
    private static let usage = """
        usage: doorstep-bench PORT CA.pem TOKEN REQUESTS CONNECTIONS STREAMS PAYLOAD-BYTES
               doorstep-bench serve STREAMS < certificate-and-key.pem
        """

    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 3, words[1] == "serve", let streams = Int(words[2]) {
            return try await EchoServer.serve(streams: streams)
        }
        guard words.count == 8, let port = Int(words[1]), let requests = Int(words[4]), let connections = Int(words[5]),
            let streams = Int(words[6]), let bytes = Int(words[7])
        else {
            print(usage)
            exit(2)
        }
        let loop = try EventLoop.start(name: "bench")
        let push = APNsRequest(
            token: words[3],
            topic: "com.example.doorstep.push-type.liveactivity",
            priority: .immediate,
            expiration: 1_800_000_000,
            apnsID: "00000000-0000-4000-8000-000000000000",
            payload: Array(repeating: UInt8(ascii: "x"), count: bytes)
        )
        var settings = APNsClientSettings()
        settings.maxConnections = connections
        let tokens = ProviderTokenSource(
            team: "BENCHTEAM1",
            key: ProviderKey(id: "BENCHKEY01", privateKey: try ES256PrivateKey.generate())
        )
        let endpoint = APNsEndpoint(host: "127.0.0.1", port: port, trust: .file(words[2]))
        let client = try APNsClient(loop: loop, endpoint: endpoint, tokens: tokens, settings: settings)

        let callers = connections * streams
        let accepted = await loop.perform { await pushAll(push, count: requests, callers: callers, client) }
        exit(accepted == requests ? 0 : 1)
    }

    /// `callers` that each send the next push when the last one was answered; how many were accepted.
    private static func pushAll(_ push: APNsRequest, count: Int, callers: Int, _ client: APNsClient) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                try? await client.run()
                return 0
            }
            // The first push opens a connection and proves it: until then APNs allows one stream.
            var accepted = await self.push(push, times: 1, client)
            let start = MonotonicTime.now
            for caller in 0..<callers {
                let share = (count - 1) / callers + (caller < (count - 1) % callers ? 1 : 0)
                group.addTask { await self.push(push, times: share, client) }
            }
            var ended = 0
            for await share in group {
                accepted += share
                ended += 1
                guard ended == callers else { continue }
                let seconds = Double((MonotonicTime.now - start).nanoseconds) / 1e9
                print("\(accepted) accepted in \(seconds) s")
                group.cancelAll()
            }
            return accepted
        }
    }

    private static func push(_ push: APNsRequest, times: Int, _ client: APNsClient) async -> Int {
        var accepted = 0
        for number in 0..<times {
            var next = push
            // Ids differ in life as well; what they cost belongs to the measurement.
            next.apnsID = "00000000-0000-4000-8000-" + String(100_000_000_000 + number)
            guard case .answered(let answer) = await client.send(next, deadline: .seconds(10)) else { continue }
            if answer.status == 200 { accepted += 1 }
        }
        return accepted
    }
}
