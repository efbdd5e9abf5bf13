private import APNs
private import Crypto
private import Glibc
private import HTTP2
private import Runtime

/// Pushes as fast as the APNs client can, on one connection, and tells how many were accepted and how long it took.
///
/// usage: doorstep-bench PORT CA.pem TOKEN REQUESTS STREAMS PAYLOAD-BYTES
@main
enum PushBenchmark {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 7, let port = Int(words[1]), let requests = Int(words[4]), let streams = Int(words[5]),
            let bytes = Int(words[6])
        else {
            print("usage: doorstep-bench PORT CA.pem TOKEN REQUESTS STREAMS PAYLOAD-BYTES")
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
        settings.maxConnections = 1
        let tokens = ProviderTokenSource(
            team: "BENCHTEAM1",
            key: ProviderKey(id: "BENCHKEY01", privateKey: try ES256PrivateKey.generate())
        )
        let endpoint = APNsEndpoint(host: "127.0.0.1", port: port, trust: .file(words[2]))
        let client = try APNsClient(loop: loop, endpoint: endpoint, tokens: tokens, settings: settings)

        let start = MonotonicTime.now
        let accepted = await loop.perform { await pushAll(push, count: requests, streams: streams, client) }
        let seconds = Double((MonotonicTime.now - start).nanoseconds) / 1e9
        print("\(accepted) accepted in \(seconds) s")
        exit(accepted == requests ? 0 : 1)
    }

    /// `streams` callers that each send the next push when the last one was answered.
    private static func pushAll(_ push: APNsRequest, count: Int, streams: Int, _ client: APNsClient) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                try? await client.run()
                return 0
            }
            for caller in 0..<streams {
                let share = count / streams + (caller < count % streams ? 1 : 0)
                group.addTask { await self.push(push, times: share, client) }
            }
            var (accepted, ended) = (0, 0)
            for await share in group {
                accepted += share
                ended += 1
                if ended == streams { group.cancelAll() }
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
