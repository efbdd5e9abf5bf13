private import CLibPQ
private import Runtime

/// libpq looks names up with a call that blocks; a loop must give it addresses.
enum HostLookup {
    /// The `hostaddr` parameter for the hosts named in a connection string, comma-separated; nil when it names none
    /// that need a look-up.
    static func addresses(in url: String) async throws(PostgresError) -> String? {
        let options = connectionOptions(url)
        guard let hosts = options["host"], options["hostaddr"] == nil else { return nil }
        let names = hosts.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // A path is a socket's folder, "@" an abstract socket.
        if names.contains(where: { $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("@") }) { return nil }
        var addresses: [String] = []
        for name in names { addresses.append(try await address(of: name)) }
        return addresses.joined(separator: ",")
    }

    private static func address(of name: String) async throws(PostgresError) -> String {
        do {
            guard let first = try await SocketAddress.resolve(host: name, port: 0).first else {
                throw RuntimeError(.unknownHost, "getaddrinfo")
            }
            return first.host
        } catch {
            throw PostgresError(.unreachable, "connect", message: "the host's name cannot be looked up")
        }
    }
}

/// The parameters a connection string sets; empty when it cannot be parsed, which connecting will report.
private func connectionOptions(_ url: String) -> [String: String] {
    guard let list = unsafe PQconninfoParse(url, nil) else { return [:] }
    defer { unsafe PQconninfoFree(list) }
    var options: [String: String] = [:]
    var next = unsafe list
    while let keyword = unsafe next.pointee.keyword {
        if let value = unsafe next.pointee.val {
            unsafe options[String(cString: keyword)] = String(cString: value)
        }
        unsafe next += 1
    }
    return options
}
