private import Runtime

/// The addresses of one `up`, all on 127.0.0.1: six ports in a row, or any six free ones.
struct LocalPorts: Sendable {
    var api: Int
    var sandbox: Int
    var production: Int
    var control: Int
    var sandboxManagement: Int
    var productionManagement: Int

    static let host = "127.0.0.1"
    static let count = 6

    private init(_ ports: [Int]) {
        (api, sandbox, production) = (ports[0], ports[1], ports[2])
        (control, sandboxManagement, productionManagement) = (ports[3], ports[4], ports[5])
    }

    var all: [Int] { [api, sandbox, production, control, sandboxManagement, productionManagement] }

    /// The ports from `first` on, or free ones for 0. Throws naming those that are taken.
    static func find(first: Int) throws(Failure) -> LocalPorts {
        guard first > 0 else { return try free() }
        let ports = LocalPorts(Array(first..<(first + count)))
        let taken = ports.all.filter { (try? Socket.listen(host: host, port: $0)) == nil }
        guard taken.isEmpty else {
            let list = taken.map(String.init).joined(separator: ", ")
            throw Failure(.unreachable, "port \(list) on \(host) is in use; choose another with --port, or --port 0")
        }
        return ports
    }

    /// All six are held at once while they are chosen, so that they differ.
    private static func free() throws(Failure) -> LocalPorts {
        do throws(RuntimeError) {
            return LocalPorts(try freePorts(count))
        } catch {
            throw Failure(.unreachable, "no free ports on \(host): \(error)")
        }
    }

    private static func freePorts(_ count: Int) throws(RuntimeError) -> [Int] {
        guard count > 0 else { return [] }
        let socket = try Socket.listen(host: host, port: 0)
        return [Socket.localAddress(of: socket).port] + (try freePorts(count - 1))
    }
}
