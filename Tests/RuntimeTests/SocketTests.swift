import Runtime
import Testing

@Suite struct SocketTests {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `bytes go both ways over a connection`(host: String) async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(host: host, port: 0)
            let port = Socket.localAddress(of: listener).port
            let client = try await Socket.connect(host: host, port: port, within: .seconds(5), on: loop)
            guard let accepted = try Socket.accept(listener) else {
                Issue.record("nobody is waiting")
                return
            }
            #expect(accepted.peer == Socket.localAddress(of: client))
            let server = accepted.take()
            #expect(Socket.write(client, Array("ping".utf8)[...]) == .bytes(4))
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(Socket.read(server, into: &buffer) == .bytes(4))
            #expect(Socket.read(server, into: &buffer) == .wouldBlock)
            Socket.shutDown(client)
            #expect(Socket.read(server, into: &buffer) == .closed)
        }
    }

    @Test func `nobody waiting is no connection`() throws {
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        if try Socket.accept(listener) != nil { Issue.record("somebody is waiting") }
    }

    @Test func `a refused connect names its errno`() async throws {
        try await withLoop { loop in
            let port = Socket.localAddress(of: try Socket.listen(host: "127.0.0.1", port: 0)).port
            await #expect(throws: RuntimeError(.systemCall, "connect", errno: 111)) {
                _ = try await Socket.connect(host: "127.0.0.1", port: port, within: .seconds(5), on: loop)
            }
        }
    }

    @Test func `an address that does not answer leaves time for the next`() async throws {
        try await withLoop { loop in
            let silent = try Socket.listen(host: "127.0.0.1", port: 0, backlog: 0)
            let silentAddress = Socket.localAddress(of: silent)
            // A full queue of connections answers nobody.
            let waiting = try await Socket.connect(to: silentAddress, within: .seconds(60), on: loop)
            let listener = try Socket.listen(host: "127.0.0.1", port: 0)
            let addresses = [silentAddress, Socket.localAddress(of: listener)]
            let socket = try await Socket.connect(toOneOf: addresses, until: .now + .seconds(2), on: loop)
            #expect(Socket.peerAddress(of: socket.number) == addresses[1])
            _ = waiting
        }
    }

    @Test func `no address at all is an unknown host`() async throws {
        try await withLoop { loop in
            await #expect(throws: RuntimeError(.unknownHost, "getaddrinfo")) {
                _ = try await Socket.connect(toOneOf: [], until: .now + .seconds(1), on: loop)
            }
        }
    }

    @Test func `two listeners may share a port only when both say so`() throws {
        let first = try Socket.listen(host: "127.0.0.1", port: 0, reusePort: true)
        let port = Socket.localAddress(of: first).port
        _ = try Socket.listen(host: "127.0.0.1", port: port, reusePort: true)
        #expect(throws: RuntimeError.self) { _ = try Socket.listen(host: "127.0.0.1", port: port) }
    }

    @Test func `localhost is found without the loop`() async throws {
        let addresses = try await SocketAddress.resolve(host: "localhost", port: 80)
        #expect(addresses.contains { $0.host == "127.0.0.1" || $0.host == "::1" })
        #expect(addresses.allSatisfy { $0.port == 80 })
    }

    @Test func `an address prints as host and port`() throws {
        #expect(try SocketAddress.all(host: "127.0.0.1", port: 80).map(\.description) == ["127.0.0.1:80"])
        #expect(try SocketAddress.all(host: "::1", port: 443).map(\.description) == ["[::1]:443"])
    }
}
