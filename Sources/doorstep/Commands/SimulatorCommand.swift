private import APNsSimulator
private import ActivityContract
private import Crypto
private import JSONText
private import Runtime

struct SimulatorCommand: Command {
    static let spec = CommandSpec(
        name: "apns-sim",
        summary: "Runs a simulated APNs and virtual iPhones.",
        options: [
            .init("--sandbox", "PORT", "APNs for development builds; default 8081; 0: any free one"),
            .init("--production", "PORT", "APNs for released apps; default 8082"),
            .init("--control", "PORT", "control API and live page; default 8083"),
            .init("--sandbox-management", "PORT", "channels of development builds; default 8084"),
            .init("--production-management", "PORT", "channels of released apps; default 8085"),
            .init("--certificate", "FILE", "PEM chain of the server; default: made anew"),
            .init("--key", "FILE", "its private key, PEM"),
            .init("--ca", "FILE", "where to write the authority of a certificate made anew; default ./apns-sim-ca.pem"),
            .init("--state", "FILE", "phones, tokens and settings are kept here over restarts; default: nowhere"),
            .init("--config", "FILE", "apps and their keys; default: doorstep.json if it exists"),
            .init(
                "--doorstep",
                "URL",
                "where the virtual apps register; default: DOORSTEP_URL, with DOORSTEP_DEVICE_KEY"
            ),
        ]
    )

    private let ports: SimulatorSettings.Ports
    private let configuration: Configuration
    private let certificate: (chain: String, key: String)?
    private let authorityFile: String
    private let doorstep: SimulatorSettings.Doorstep?
    private let stateFile: String?

    init(_ arguments: inout Arguments) {
        ports = SimulatorSettings.Ports(
            sandbox: arguments.integer("--sandbox", in: 0...65_535) ?? 8081,
            production: arguments.integer("--production", in: 0...65_535) ?? 8082,
            control: arguments.integer("--control", in: 0...65_535) ?? 8083,
            sandboxManagement: arguments.integer("--sandbox-management", in: 0...65_535) ?? 8084,
            productionManagement: arguments.integer("--production-management", in: 0...65_535) ?? 8085
        )
        configuration = Configuration(&arguments)
        authorityFile = arguments.text("--ca") ?? "apns-sim-ca.pem"
        stateFile = arguments.text("--state")
        switch (arguments.text("--certificate"), arguments.text("--key")) {
        case (let chain?, let key?): certificate = (chain, key)
        case (nil, nil): certificate = nil
        case (_?, nil), (nil, _?):
            certificate = nil
            arguments.complain("--certificate and --key belong together")
        }
        let url = arguments.text("--doorstep", or: "DOORSTEP_URL")
        let key = arguments.variable("DOORSTEP_DEVICE_KEY")
        if let url, let key {
            doorstep = SimulatorSettings.Doorstep(url: url, deviceKey: key)
        } else {
            doorstep = nil
        }
        configuration.needApps(&arguments)
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let identity = try identity()
        var settings = SimulatorSettings(
            certificatePEM: identity.certificatePEM,
            privateKeyPEM: identity.privateKeyPEM,
            apps: try apps(),
            keys: try keys()
        )
        settings.ports = ports
        settings.doorstep = doorstep
        settings.stateFile = stateFile
        let simulator = Simulator(loop: context.loop, settings: settings)
        do {
            let bound = try await simulator.start()
            Console().note(
                "APNs sandbox on \(bound.sandbox), production on \(bound.production), control on \(bound.control), "
                    + "channel management on \(bound.sandboxManagement) and \(bound.productionManagement)"
            )
            try await runAll([simulator, try Interruption(on: context.loop)])
        } catch let error as SimulatorError {
            throw Failure(.unreachable, "\(error)")
        } catch {
            throw Failure(.internalError, "\(error)")
        }
        return .done
    }

    private func identity() throws(Failure) -> TLSIdentity {
        do {
            if let certificate {
                return TLSIdentity(
                    certificatePEM: try Files.readText(certificate.chain),
                    privateKeyPEM: try Files.readText(certificate.key)
                )
            }
            let authority = try CertificateAuthority.generate()
            try Files.write(authority.certificatePEM, to: authorityFile)
            return try authority.issue()
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }

    /// Phones know the types that the apps' contracts describe.
    private func apps() throws(Failure) -> [SimulatorSettings.App] {
        var apps: [SimulatorSettings.App] = []
        for app in configuration.apps {
            var schemas: [ActivitySchema] = []
            for choice in app.contracts { schemas.append(try schema(choice, of: app)) }
            apps.append(SimulatorSettings.App(id: app.id, bundleID: app.bundleID, schemas: schemas))
        }
        return apps
    }

    private func schema(
        _ choice: Configuration.ContractChoice,
        of app: Configuration.App
    ) throws(Failure) -> ActivitySchema {
        let firstBuild = choice.firstBuild?.description
        guard choice.name != Contract.doorstep.id else {
            let type = app.attributesType ?? DoorstepAttributes.typeName
            return .doorstepV1(attributesType: type, firstBuild: firstBuild)
        }
        do {
            let json = try JSON.parse(try Files.read(choice.name))
            if let schema = ActivitySchema(contract: json, firstBuild: firstBuild) { return schema }
        } catch {
            throw Failure(.usage, "\(choice.name): \(error)")
        }
        throw Failure(.usage, "\(choice.name): no contract; see `doorstep contract check`")
    }

    private func keys() throws(Failure) -> [ProviderKeyRegistration] {
        var keys: [ProviderKeyRegistration] = []
        for app in configuration.apps {
            for key in app.keys {
                do {
                    let secret = try ES256PrivateKey(pem: try Files.readText(key.file))
                    keys.append(ProviderKeyRegistration(id: key.id, team: app.teamID, publicKey: secret.publicKey))
                } catch {
                    throw Failure(.usage, "\(key.file): \(error)")
                }
            }
        }
        return keys
    }
}
