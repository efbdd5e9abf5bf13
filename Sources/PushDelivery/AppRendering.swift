package import ActivityContract
package import Tracking

/// How the pushes of one app are written.
package struct AppRendering: Hashable, Sendable {
    package var contracts: ContractHistory
    /// For alerts on devices whose own language has no sentences, in order of preference.
    package var locales: [String]

    /// The built-in contract and English, unless something else is said.
    package init(contracts: ContractHistory = ContractHistory(.doorstep), locales: [String] = ["en"]) {
        self.contracts = contracts
        self.locales = locales
    }

    /// That of the app build which the intention names: for a running card the build that started it.
    func contract(for intention: Intention) -> Contract {
        contracts.contract(build: intention.settings.appBuild)
    }

    /// The id of that contract, for the log.
    package func contractID(for intention: Intention) -> String { contract(for: intention).id }
}
