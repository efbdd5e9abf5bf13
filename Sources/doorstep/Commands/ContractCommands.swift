private import ActivityContract
private import JSONText
private import PushDelivery

struct ContractCheckCommand: Command {
    static let spec = CommandSpec(
        name: "contract check",
        summary: "Tells everything that is wrong with a contract, what its pushes look like and what they cost.",
        operands: [.init("FILE", .one, "the contract (docs/contracts.md)")],
        options: [
            .init("--json", nil, "one JSON object: {ok, problems, id, samples, bytes, limit, minutePushes, traits}")
        ]
    )

    private let file: ContractFile?
    private let json: Bool

    init(_ arguments: inout Arguments) {
        json = arguments.has("--json")
        file = arguments.operands.first.map { ContractFile($0 == "-" ? "/dev/stdin" : $0) }
        if let unreadable = file?.unreadable { arguments.complain(unreadable) }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        guard let file else { return .usage }
        if json { console.print(Self.object(file)) }
        guard let contract = file.contract, let report = file.report, file.problems.isEmpty else {
            throw Failure(.usage, file.told)
        }
        console.print(lines: Self.lines(contract, report))
        return .done
    }

    private static func lines(_ contract: Contract, _ report: ContractReport) -> [String] {
        var lines = ["\(contract.id) is fine"]
        for (verb, body) in report.samples { lines += ["", "\(verb):", String(decoding: body, as: UTF8.self)] }
        lines += ["", "largest push: \(report.largest) of \(ContractReport.sizeLimit) bytes"]
        if contract.traits.showsMinutes {
            lines.append(
                "minutes: about \(report.minutePushes) more pushes per order (a card that appears "
                    + "\(ContractReport.usualWait) minutes before the arrival); send the arrival time as swiftDate or "
                    + "unixSeconds, and the phone counts by itself"
            )
        }
        if contract.traits.holdsUntilETA { lines.append("no card starts before an arrival time is known") }
        if !contract.traits.startsByPush {
            lines.append(
                "pushes start no cards of this type (pushToStart is false), so there is no start to show; the app does"
            )
        }
        let removes = contract.traits.removedNames
        if !removes.isEmpty { lines.append("taken away at once, with an alert: \(removes.joined(separator: ", "))") }
        return lines
    }

    private static func object(_ file: ContractFile) -> JSON {
        var object: JSONObject = [
            "ok": .bool(file.problems.isEmpty),
            "problems": .array(
                file.problems.map {
                    ["at": .string($0.pointer), "rule": .string($0.rule.rawValue), "remedy": .string($0.remedy)]
                }
            ),
        ]
        if let contract = file.contract, let report = file.report {
            object["id"] = .string(contract.id)
            object["samples"] = .object(
                JSONObject(
                    report.samples.map { .init(name: $0.verb, value: (try? JSON.parse($0.body)) ?? .null) }
                )
            )
            object["bytes"] = .integer(report.largest)
            object["limit"] = .integer(ContractReport.sizeLimit)
            object["minutePushes"] = .integer(report.minutePushes)
            object["traits"] = [
                "showsMinutes": .bool(contract.traits.showsMinutes),
                "showsProgress": .bool(contract.traits.showsProgress),
                "holdsUntilETA": .bool(contract.traits.holdsUntilETA),
                "startsByPush": .bool(contract.traits.startsByPush),
                "removes": .array(contract.traits.removedNames.map(JSON.string)),
            ]
        }
        return .object(object)
    }
}

extension ContractTraits {
    /// In the order of phases.
    fileprivate var removedNames: [String] {
        DoorstepAttributes.Phase.allCases.filter(removes.contains).map(\.rawValue)
    }
}
