internal import ActivityContract
internal import PushDelivery
internal import Tracking

/// A contract file, read and judged.
struct ContractFile {
    let path: String
    /// Nil when the file cannot be read or breaks a rule.
    let contract: Contract?
    let report: ContractReport?
    /// Rules that are broken, the size of its pushes included.
    let problems: [ContractProblem]
    /// Why the file could not be read.
    let unreadable: String?

    init(_ path: String) {
        self.path = path
        var contract: Contract?
        var problems: [ContractProblem] = []
        var unreadable: String?
        do {
            contract = try Contract(reading: try Files.read(path))
        } catch let error as ContractError {
            problems = error.problems
        } catch {
            unreadable = "\(error)"
        }
        report = contract.map { ContractReport($0) }
        self.contract = contract
        self.problems = problems + (report?.problems ?? [])
        self.unreadable = unreadable
    }

    /// Everything wrong, each with the name of the file.
    var told: [String] { [unreadable].compactMap { $0 } + problems.map { "\(path): \($0)" } }
}

extension Configuration.App {
    /// How its pushes are written, nil when anything is wrong with the contracts it names; and what is.
    func readContracts() -> (rendering: AppRendering?, problems: [String]) {
        let files = contracts.map { $0.name == Contract.doorstep.id ? nil : ContractFile($0.name) }
        let read = files.map { $0 == nil ? Contract.doorstep : $0?.contract }
        let known = read.compactMap { $0 }
        var problems = files.flatMap { $0?.told ?? [] }
        if Set(known.map(\.id)).count < known.count {
            problems.append("app \(id): two of its contracts have the same id")
        }
        if let attributesType {
            for contract in known where contract.attributesType != attributesType {
                problems.append(
                    "app \(id): attributesType is \(attributesType), but \(contract.id) is for "
                        + "\(contract.attributesType); phones drop the wrong one in silence"
                )
            }
        }
        guard problems.isEmpty, let oldest = known.first else { return (nil, problems) }
        let later = zip(contracts, known).compactMap { choice, contract in
            choice.firstBuild.map { ContractHistory.Edition(from: $0, contract) }
        }
        return (AppRendering(contracts: ContractHistory(oldest, later: later), locales: locales), [])
    }

    /// What its newest contract asks of decisions; nothing where a contract cannot be read, which is told elsewhere.
    var contractDemands: ContractDemands {
        guard let contracts = readContracts().rendering?.contracts.contracts, let newest = contracts.last else {
            return ContractDemands()
        }
        var demands = ContractDemands(newest.traits)
        // Apps may give the built-in type a name of their own.
        if !contracts.contains(.doorstep) { demands.attributesTypes = Set(contracts.map(\.attributesType)) }
        return demands
    }
}

extension ContractDemands {
    init(_ traits: ContractTraits) {
        self.init()
        showsMinutes = traits.showsMinutes
        holdsUntilETA = traits.holdsUntilETA
        showsProgress = traits.showsProgress
        startsByPush = traits.startsByPush
    }
}
