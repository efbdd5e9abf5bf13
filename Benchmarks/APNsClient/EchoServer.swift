private import Glibc
private import HTTP2
private import Runtime

/// Accepts everything and gives each answer its request's `apns-id`, by which some clients tell answers apart; nghttpd
/// cannot.
enum EchoServer {
    /// Reads its certificate and key from standard input, prints its port, and runs until the process is killed.
    static func serve(streams: Int) async throws {
        var pem = ""
        while let line = readLine(strippingNewline: false) { pem += line }
        var settings = HTTP2ServerSettings(maxConcurrentStreams: streams)
        // aioapns says nothing of HTTP/2 by ALPN.
        settings.servesWithoutALPN = true
        let server = try HTTP2Server(
            loop: try EventLoop.start(name: "server"),
            settings: settings,
            certificatePEM: pem,
            privateKeyPEM: pem
        ) { request in
            .reply(HTTP2Reply(status: 200, fields: [HTTP2Field("apns-id", request.headers["apns-id"] ?? "")]))
        }
        print(try await server.start())
        fflush(nil)
        try await server.run()
    }
}
