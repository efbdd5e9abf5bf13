package import ActivityContract
private import Tracking

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

    func contract(for push: OutgoingPush) -> Contract {
        contracts.contract(startedWith: push.contract, build: push.intention.settings.appBuild)
    }
}
