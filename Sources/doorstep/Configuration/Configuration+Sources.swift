private import JSONText

extension Configuration {
    /// The options of every command that needs a configuration.
    static let options: [CommandSpec.Option] = [
        .init("--config", "FILE", "configuration; default: doorstep.json if it exists"),
        .init("--database", "URL", "PostgreSQL, as libpq reads it; default: DATABASE_URL"),
    ]

    static let serveOptions: [CommandSpec.Option] =
        options + [
            .init("--listen", "HOST:PORT", "default: 127.0.0.1:8080"),
            .init("--services", "api,worker", "what this process does; default: both"),
        ]

    /// From flags, `DOORSTEP_*` variables, the file and defaults, in this order. What is wrong is added to the arguments'
    /// problems.
    init(_ arguments: inout Arguments) {
        self.init()
        readFile(&arguments)
        database = arguments.text("--database", or: "DATABASE_URL") ?? database
        if let text = arguments.text("--listen", or: "DOORSTEP_LISTEN") {
            if let address = Address(text) {
                listen = address
            } else {
                arguments.complain("--listen must be HOST:PORT")
            }
        }
        if let text = arguments.text("--services", or: "DOORSTEP_SERVICES") { readServices(text, &arguments) }
        pushService.sandbox = Self.pushAddress("DOORSTEP_APNS_URL", &arguments) ?? pushService.sandbox
        pushService.production = Self.pushAddress("DOORSTEP_APNS_PRODUCTION_URL", &arguments) ?? pushService.production
        pushService.sandboxManagement =
            Self.pushAddress("DOORSTEP_APNS_MANAGEMENT_URL", &arguments) ?? pushService.sandboxManagement
        pushService.productionManagement =
            Self.pushAddress("DOORSTEP_APNS_PRODUCTION_MANAGEMENT_URL", &arguments) ?? pushService.productionManagement
        if let text = arguments.variable("DOORSTEP_APNS_PROXY") {
            pushService.proxy = Address(text)
            if pushService.proxy == nil { arguments.complain("DOORSTEP_APNS_PROXY must be HOST:PORT") }
        }
        pushService.certificateAuthority = arguments.variable("DOORSTEP_APNS_CA") ?? pushService.certificateAuthority
        masterKeyFile = arguments.variable("DOORSTEP_MASTER_KEY_FILE") ?? masterKeyFile
    }

    private static func pushAddress(_ variable: String, _ arguments: inout Arguments) -> Address? {
        guard let url = arguments.variable(variable) else { return nil }
        let address = Address(url: url)
        if address == nil { arguments.complain("\(variable) must be https://HOST:PORT") }
        return address
    }

    private mutating func readServices(_ text: String, _ arguments: inout Arguments) {
        services = []
        for word in text.split(separator: ",") {
            if let role = Role(rawValue: String(word)) {
                services.insert(role)
            } else {
                arguments.complain("--services knows api and worker, not \"\(word)\"")
            }
        }
        if services.isEmpty { arguments.complain("--services must name api, worker or both") }
    }

    private mutating func readFile(_ arguments: inout Arguments) {
        let given = arguments.text("--config", or: "DOORSTEP_CONFIG")
        let path = Files.absolute(given ?? "doorstep.json")
        guard given != nil || Files.exists(path) else { return }
        let parsed = Self.parse(path)
        self = parsed.configuration
        for problem in parsed.problems { arguments.complain(problem) }
    }

    /// Complains where an app is needed and none is configured, unless the file's mistakes are told already.
    func needApps(_ arguments: inout Arguments) {
        if apps.isEmpty, isWhole { arguments.complain("no apps: name a configuration with --config") }
    }

    /// What a file says, and defaults; throws everything that is wrong with it.
    static func read(_ path: String) throws(Failure) -> Configuration {
        let (configuration, problems) = parse(path)
        guard problems.isEmpty else { throw Failure(.usage, problems) }
        return configuration
    }

    /// What can be read of a file, and everything that is wrong with it.
    private static func parse(_ path: String) -> (configuration: Configuration, problems: [String]) {
        var configuration = Configuration()
        var problems: [String] = []
        do {
            let file = ConfigurationFile(try JSON.parse(try Files.read(path)), folder: Files.parent(of: path) ?? "/")
            configuration = file.configuration
            problems = file.problems.map { "\(path): \($0)" }
        } catch let error as FileError {
            problems = ["\(error)"]
        } catch {
            problems = ["\(path): not JSON: \(error)"]
        }
        configuration.file = path
        configuration.isWhole = problems.isEmpty
        return (configuration, problems)
    }
}
