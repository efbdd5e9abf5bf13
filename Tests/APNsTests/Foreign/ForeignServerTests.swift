import APNs
import HTTP2
import Runtime
import Testing

/// The client against servers that others wrote: what they take for HTTP/2 is, not just what we do.
@Suite(.serialized) struct ForeignServerTests {
    @Test(.enabled(if: ForeignProgram.python != nil, "needs DOORSTEP_PYTHON"))
    func `Python's h2 answers a thousand pushes and finds no fault with them`() async throws {
        // P01, P10, P41
        let loop = try TestLoop.shared.get()
        let files = try IdentityFiles()
        let arguments = [ForeignProgram.script("h2_server.py"), files.certificate.path, files.key.path]
        let python = try #require(ForeignProgram.python)
        try await ForeignProgram.with(python, arguments, on: loop) { server in
            let port = try await server.port(on: loop)
            try await APNsClient.with(port: port, trust: .file(files.trust.path), on: loop) { client in
                let outcomes = await client.sendAll((0..<1000).map(Self.push))
                for (number, outcome) in outcomes.enumerated() {
                    if Self.token(number).hasPrefix("dead") {
                        #expect(outcome.answer?.reason == .unregistered)
                    } else {
                        #expect(outcome.answer?.status == 200, "\(number): \(outcome)")
                    }
                }
                #expect(await client.underWay == 0)
            }
            let lines = try server.lines
            #expect(lines.filter { $0.hasPrefix("violation") } == [])
            #expect(lines.count { $0.hasPrefix("connection") } >= 2)
            let answered = lines.filter { $0.hasPrefix("push") }.compactMap { $0.split(separator: " ").last }
            // Each once, and those that were refused twice.
            #expect(Set(answered).count == 1000)
            #expect(answered.count == 1000 + Set(answered).count { $0.hasPrefix("c0de") })
        }
    }

    @Test(.enabled(if: ForeignProgram.isInstalled("nghttpd")))
    func `nghttpd with ten streams answers a thousand pushes, and again after it was gone`() async throws {
        // P11, P13
        let loop = try TestLoop.shared.get()
        let files = try IdentityFiles()
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        let port = Socket.localAddress(of: listener).port
        _ = consume listener
        let arguments = [
            "-a", "127.0.0.1", "-m", "10", "--echo-upload", "\(port)", files.key.path, files.certificate.path,
        ]
        try await APNsClient.with(port: port, trust: .file(files.trust.path), on: loop) { client in
            for _ in 0..<2 {
                try await ForeignProgram.with("nghttpd", arguments, on: loop) { _ in
                    while await client.warmUp(within: .seconds(5)) != nil {
                        try await loop.sleep(for: .milliseconds(20))
                    }
                    #expect(await client.sendMany(1000).allSatisfy { $0.answer?.status == 200 })
                }
                while await client.usableConnections > 0 { try await loop.sleep(for: .milliseconds(5)) }
            }
        }
    }

    /// What the server is to do with each push.
    private static func token(_ number: Int) -> String {
        let what =
            switch number {
            case 100, 300, 700: "57e9"
            case 500: "60a7"
            case let number where number % 10 == 3: "dead"
            case let number where number % 10 == 7: "c0de"
            default: "ab12"
            }
        return what + String(10_000_000 + number)
    }

    private static func push(_ number: Int) -> APNsRequest {
        var push = APNsRequest.test(number)
        push.destination = .device(token: token(number))
        push.collapseID = number.isMultiple(of: 3) ? "order-\(number)" : nil
        return push
    }
}

extension APNsClient {
    /// Sends pushes at once and returns how each ended.
    nonisolated func sendAll(_ pushes: [APNsRequest]) async -> [APNsOutcome] {
        await withTaskGroup(of: (Int, APNsOutcome).self) { group in
            for (number, push) in pushes.enumerated() {
                group.addTask(executorPreference: self.loop.tasks) {
                    (number, await self.send(push, deadline: .seconds(60)))
                }
            }
            var outcomes = [APNsOutcome?](repeating: nil, count: pushes.count)
            for await (number, outcome) in group { outcomes[number] = outcome }
            return outcomes.compactMap(\.self)
        }
    }
}
