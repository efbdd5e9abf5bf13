/// What the simulator knows of the world before the first request.
package struct SimulatorSettings: Sendable {
    /// An iOS app that phones may have.
    package struct App: Sendable, Codable {
        /// The id Doorstep knows it by (`?app=`).
        package var id: String
        package var bundleID: String
        /// Its `ActivityAttributes` types, the oldest first; never empty.
        package var schemas: [ActivitySchema]

        package init(id: String, bundleID: String, schemas: [ActivitySchema] = [.doorstepV1()]) {
            self.id = id
            self.bundleID = bundleID
            self.schemas = schemas
        }
    }

    /// Ports on 127.0.0.1; 0 picks a free one.
    package struct Ports: Sendable, Hashable {
        package var sandbox: Int
        package var production: Int
        package var control: Int
        /// Channel management, an HTTP/2 listener for each environment.
        package var sandboxManagement: Int
        package var productionManagement: Int

        package init(
            sandbox: Int = 0,
            production: Int = 0,
            control: Int = 0,
            sandboxManagement: Int = 0,
            productionManagement: Int = 0
        ) {
            self.sandbox = sandbox
            self.production = production
            self.control = control
            self.sandboxManagement = sandboxManagement
            self.productionManagement = productionManagement
        }
    }

    /// Where the virtual apps register; without it they tell nobody anything.
    package struct Doorstep: Sendable {
        /// Such as `http://127.0.0.1:8080`.
        package var url: String
        /// A key of role `device`. A secret.
        package var deviceKey: String

        package init(url: String, deviceKey: String) {
            self.url = url
            self.deviceKey = deviceKey
        }
    }

    package var host = "127.0.0.1"
    package var ports = Ports()
    /// The server's certificate (with its chain, if any) as PEM text.
    package var certificatePEM: String
    /// Its private key as PEM text. A secret.
    package var privateKeyPEM: String
    package var apps: [App]
    package var keys: [ProviderKeyRegistration]
    package var doorstep: Doorstep?
    /// Where the state is kept over restarts; nil: nowhere.
    package var stateFile: String?
    /// For phones that name none.
    package var preset = Preset.docs
    /// The seed of tokens, activity ids and chances.
    package var seed: UInt64

    package init(
        certificatePEM: String,
        privateKeyPEM: String,
        apps: [App],
        keys: [ProviderKeyRegistration],
        seed: UInt64 = .random(in: 0 ... .max)
    ) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
        self.apps = apps
        self.keys = keys
        self.seed = seed
    }
}
