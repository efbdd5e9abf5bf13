internal import API
private import ActivityContract
private import Adapters
internal import JSONText
internal import Runtime
internal import Tracking

/// Reads `doorstep.json`.
struct ConfigurationFile {
    /// Files are named relative to it.
    private let folder: String
    private(set) var configuration = Configuration()
    private(set) var problems: [String] = []

    init(_ json: JSON, folder: String) {
        self.folder = folder
        var fields = ConfigurationFields(json, at: "")
        if let listen = fields.text("listen") {
            if let address = Configuration.Address(listen) {
                configuration.listen = address
            } else {
                fields.complain("listen", "must be HOST:PORT")
            }
        }
        configuration.database = fields.text("database")
        configuration.requests.proxies = TrustedProxies(proxies(&fields))
        if let log = fields.word("accessLog", RequestLimits.AccessLog.self) { configuration.requests.accessLog = log }
        configuration.masterKeyFile = fields.text("masterKey").map { path($0) }
        configuration.apps = fields.objects("apps").map { app($0.json, $0.pointer) }
        configuration.sources = fields.objects("sources").map { source($0.json, $0.pointer) }
        if let apns = fields.value("apns") { pushService(apns, fields.pointer(to: "apns")) }
        if let limits = fields.value("limits") { readLimits(limits, fields.pointer(to: "limits")) }
        problems = fields.allProblems + problems + contradictions()
    }

    /// A name that is missing stays missing.
    private func path(_ name: String) -> String {
        name.isEmpty || name.hasPrefix("/") ? name : "\(folder)/\(name)"
    }

    private mutating func app(_ json: JSON, _ pointer: String) -> Configuration.App {
        var fields = ConfigurationFields(json, at: pointer)
        let app = Configuration.App(
            id: fields.needed("id"),
            bundleID: fields.needed("bundleId"),
            teamID: fields.needed("teamId"),
            environment: fields.word("environment", Configuration.App.Environment.self) ?? .production,
            attributesType: fields.text("attributesType"),
            keys: fields.objects("keys").map { key($0.json, $0.pointer) },
            policy: policy(fields.value("policy"), fields.pointer(to: "policy")),
            contracts: contracts(&fields),
            locales: fields.texts("locales") ?? ["en"],
            customerTokens: customerTokens(fields.value("customerTokens"), fields.pointer(to: "customerTokens"))
        )
        if app.keys.isEmpty { fields.complain("keys", "must name at least one key") }
        if app.locales.isEmpty { fields.complain("locales", "must name at least one locale") }
        problems += fields.allProblems
        return app
    }

    private mutating func customerTokens(_ json: JSON?, _ pointer: String) -> CustomerTokenSettings? {
        guard let json else { return nil }
        var fields = ConfigurationFields(json, at: pointer)
        let settings = CustomerTokenSettings(&fields) { path($0) }
        problems += fields.allProblems
        return settings
    }

    /// One name, or a list of them by build.
    private mutating func contracts(_ fields: inout ConfigurationFields) -> [Configuration.ContractChoice] {
        guard let json = fields.value("contract") else { return [.init(name: Contract.doorstep.id)] }
        guard json.arrayValue != nil else {
            return [.init(name: fields.text("contract").map { contractPath($0) } ?? Contract.doorstep.id)]
        }
        let choices = fields.objects("contract").map { contractChoice($0.json, $0.pointer) }
        if choices.isEmpty { fields.complain("contract", "must name at least one contract") }
        let builds = choices.dropFirst().map(\.firstBuild)
        if builds.contains(nil) || zip(choices, choices.dropFirst()).contains(where: { !$0.isBefore($1) }) {
            fields.complain("contract", "must go up in fromBuild; only the first may have none")
        }
        return choices
    }

    private mutating func contractChoice(_ json: JSON, _ pointer: String) -> Configuration.ContractChoice {
        var fields = ConfigurationFields(json, at: pointer)
        let file = fields.needed("file")
        let build = fields.text("fromBuild")
        let number = build.flatMap { BuildNumber($0) }
        if build != nil, number == nil { fields.complain("fromBuild", "must be a build number such as 412 or 1.2.3") }
        problems += fields.allProblems
        return Configuration.ContractChoice(name: contractPath(file), firstBuild: number)
    }

    /// The built-in contract has a name, every other one a file.
    private func contractPath(_ name: String) -> String { name == Contract.doorstep.id ? name : path(name) }

    private mutating func key(_ json: JSON, _ pointer: String) -> Configuration.SigningKey {
        var fields = ConfigurationFields(json, at: pointer)
        let key = Configuration.SigningKey(id: fields.needed("id"), file: path(fields.needed("file")))
        problems += fields.allProblems
        return key
    }

    private mutating func policy(_ json: JSON?, _ pointer: String) -> Policy {
        guard let json else { return Policy() }
        var fields = ConfigurationFields(json, at: pointer)
        let policy = Policy(&fields)
        problems += fields.allProblems
        return policy
    }

    private mutating func source(_ json: JSON, _ pointer: String) -> Configuration.Source {
        var fields = ConfigurationFields(json, at: pointer)
        let source = Configuration.Source(
            name: fields.needed("name"),
            app: fields.needed("app"),
            timeZone: fields.text("timeZone"),
            keepRaw: fields.bool("keepRaw") ?? false,
            secrets: fields.texts("secrets") ?? [],
            adapter: adapter(&fields),
            address: fields.text("address")
        )
        if source.adapter == nil, source.secrets.contains(where: { WebhookSecret($0) == nil }) {
            fields.complain("secrets", "must be texts of \(WebhookSecret.form)")
        }
        if let zone = source.timeZone, !TimeZoneDatabase.has(zone) {
            fields.complain("timeZone", "is no zone of this machine's database (package tzdata): \(zone)")
        }
        problems += fields.allProblems
        return source
    }

    /// One that is built in, or a file.
    private func adapter(_ fields: inout ConfigurationFields) -> Adapter? {
        guard let name = fields.text("adapter") else { return nil }
        if let known = Adapter.builtIn.first(where: { $0.name == name }) { return known }
        do {
            return try Adapter(Files.read(path(name)))
        } catch let error as AdapterError {
            for problem in error.problems { fields.complain("adapter", "\(name): \(problem)") }
        } catch {
            let known = Adapter.builtIn.map(\.name).joined(separator: ", ")
            fields.complain("adapter", "must be a file or one of \(known): \(error)")
        }
        return nil
    }

    private mutating func pushService(_ json: JSON, _ pointer: String) {
        var fields = ConfigurationFields(json, at: pointer)
        configuration.pushService.sandbox = address("sandbox", &fields)
        configuration.pushService.production = address("production", &fields)
        configuration.pushService.sandboxManagement = address("sandboxManagement", &fields)
        configuration.pushService.productionManagement = address("productionManagement", &fields)
        if let text = fields.text("proxy") {
            configuration.pushService.proxy = Configuration.Address(text)
            if configuration.pushService.proxy == nil { fields.complain("proxy", "must be HOST:PORT") }
        }
        configuration.pushService.certificateAuthority = fields.text("certificateAuthority").map { path($0) }
        problems += fields.allProblems
    }

    private func address(_ name: String, _ fields: inout ConfigurationFields) -> Configuration.Address? {
        guard let text = fields.text(name) else { return nil }
        let address = Configuration.Address(url: text)
        if address == nil { fields.complain(name, "must be https://HOST:PORT") }
        return address
    }

    private mutating func readLimits(_ json: JSON, _ pointer: String) {
        var fields = ConfigurationFields(json, at: pointer)
        func take(_ name: String, _ range: ClosedRange<Int64>, _ target: WritableKeyPath<Configuration, Int>) {
            if let value = fields.integer(name, in: range) { configuration[keyPath: target] = value }
        }
        take("connections", 1...1_000_000, \.connectionLimit)
        take("requestsUnderWay", 1...1_000_000, \.requests.underWay)
        take("bodyBytes", (4 << 20)...(1 << 40), \.allBodiesBytes)
        take("requestsPerKey", 1...1_000_000, \.requests.perKey.perSecond)
        take("devicesPerCustomer", 1...10_000, \.requests.devicesPerCustomer)
        take("requestsPerAddress", 1...1_000_000, \.requests.perAddress.perSecond)
        problems += fields.allProblems
    }

    private mutating func proxies(_ fields: inout ConfigurationFields) -> [IPRange] {
        let texts = fields.texts("trustedProxies") ?? []
        for text in texts where IPRange(text) == nil {
            fields.complain("trustedProxies", "must be addresses or ranges such as 10.0.0.0/8: \(text)")
        }
        return texts.compactMap { IPRange($0) }
    }

    private func contradictions() -> [String] {
        let ids = configuration.apps.map(\.id)
        var problems = Set(ids).count < ids.count ? ["/apps: two apps have the same id"] : []
        for (index, source) in configuration.sources.enumerated() where !ids.contains(source.app) {
            problems.append("/sources/\(index)/app names no app: \(source.app)")
        }
        let names = configuration.sources.map { "\($0.app) \($0.name)" }
        if Set(names).count < names.count { problems.append("/sources: a source is listed twice for one app") }
        return problems
    }
}

extension Configuration.ContractChoice {
    fileprivate func isBefore(_ next: Self) -> Bool {
        guard let mine = firstBuild, let theirs = next.firstBuild else { return true }
        return mine < theirs
    }
}

extension Configuration.Address {
    /// `HOST:PORT`; an IPv6 host stands in brackets.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `https://HOST:PORT`, with nothing after it.
    init?(url: String) {
        guard url.hasPrefix("https://") else { return nil }
        self.init(String(url.dropFirst("https://".count)))
    }

    var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
