private import API
private import Crypto
private import JSONText
private import Runtime

struct ConfigCheckCommand: Command {
    static let spec = CommandSpec(
        name: "config check",
        summary: "Tells everything that is wrong with the configuration.",
        options: Configuration.serveOptions + [.init("--json", nil, "one JSON object: {ok}")]
    )

    private let json: Bool

    init(_ arguments: inout Arguments) {
        json = arguments.has("--json")
        let configuration = Configuration(&arguments)
        for problem in configuration.unusableFiles { arguments.complain(problem) }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        console.print("the configuration is fine")
        console.print(["ok": true] as JSON)
        return .done
    }
}

struct ConfigShowCommand: Command {
    static let spec = CommandSpec(
        name: "config show",
        summary: "Shows the configuration in effect, without secrets, as JSON.",
        options: Configuration.serveOptions + [.init("--json", nil, "the same")]
    )

    private let configuration: Configuration

    init(_ arguments: inout Arguments) { configuration = Configuration(&arguments) }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        Console(json: true).print(configuration.json)
        return .done
    }
}

extension Configuration {
    /// Files that are named but cannot be read or do not hold what they should.
    var unusableFiles: [String] {
        var problems = unusableKeys + unusableContracts + unusableTokenKeys
        if let masterKeyFile {
            do throws(Failure) { _ = try MasterKey.read(masterKeyFile) } catch { problems += error.problems }
        }
        if let file = pushService.certificateAuthority, !Files.exists(file) {
            problems.append("\(file) does not exist")
        }
        return problems
    }

    var unusableContracts: [String] { apps.flatMap { $0.readContracts().problems } }

    var unusableTokenKeys: [String] { apps.flatMap { $0.customerTokens?.readKeys().problems ?? [] } }

    var unusableKeys: [String] {
        var problems: [String] = []
        for key in apps.flatMap(\.keys) where !key.file.isEmpty {
            do throws(FileError) {
                let text = try Files.readText(key.file)
                if (try? ES256PrivateKey(pem: text)) == nil {
                    problems.append("\(key.file) holds no P-256 private key")
                }
            } catch {
                problems.append("\(error)")
            }
        }
        return problems
    }

    /// Throws what is wrong with the files that decisions and, for one who `pushes`, APNs need: to be asked before
    /// anything of the configuration is written where other processes see it.
    func checkFiles(pushes: Bool) throws(Failure) {
        let problems = (pushes ? unusableKeys : []) + unusableContracts + unusableTokenKeys
        guard problems.isEmpty else { throw Failure(.usage, problems) }
    }

    fileprivate var json: JSON {
        [
            "listen": .string(listen.text), "services": .array(services.map(\.rawValue).sorted().map(JSON.string)),
            // A URL may hold a password.
            "database": database == nil ? nil : "set", "apps": .array(apps.map(\.json)),
            "sources": .array(sources.map(\.json)), "accessLog": .string(requests.accessLog.rawValue),
            "trustedProxies": .array(requests.proxies.ranges.map { .string($0.text) }),
            "apns": [
                "sandbox": .optional(pushService.sandbox.map { "https://\($0.text)" }),
                "production": .optional(pushService.production.map { "https://\($0.text)" }),
                "sandboxManagement": .optional(pushService.sandboxManagement.map { "https://\($0.text)" }),
                "productionManagement": .optional(pushService.productionManagement.map { "https://\($0.text)" }),
                "proxy": .optional(pushService.proxy?.text),
                "certificateAuthority": .optional(pushService.certificateAuthority),
            ],
            "masterKey": .optional(masterKeyFile),
            "limits": [
                "connections": .integer(connectionLimit), "requestsUnderWay": .integer(requests.underWay),
                "bodyBytes": .integer(allBodiesBytes), "requestsPerKey": .integer(requests.perKey.perSecond),
                "requestsPerAddress": .integer(requests.perAddress.perSecond),
                "devicesPerCustomer": .integer(requests.devicesPerCustomer),
            ],
        ]
    }
}
