internal import JSONText

/// Fields that say something for each phase, or for yes and no.
extension FieldReader {
    private typealias Phase = DoorstepAttributes.Phase

    /// Words that claim a delivery, whatever the app means by them.
    private static let successWords: Set<String> = [
        "arrived", "complete", "completed", "delivered", "done", "finished", "fulfilled", "received", "success",
        "successful", "succeeded",
    ]

    /// A phase as words, as a step, or as a fraction.
    mutating func phaseSource(_ type: SwiftType, _ cases: [JSON]?) -> ContractSource? {
        guard members.object["map"] == nil else {
            if members.object["as"] != nil, members.text("as") != FormName.text.rawValue {
                members.complain("as", about: .unfitForm, "a map is written as it stands; leave \"as\" out")
            }
            return .phase(map(type, cases))
        }
        guard let form = form([.text, .step, .fraction], type) else { return nil }
        switch form {
        case .step, .fraction: return .phase(steps(form))
        case .text, .number, .flag, .unixSeconds, .swiftDate, .minutes:
            for phase in Phase.allCases { check(.string(phase.rawValue), at: ["cases"], type, cases) }
            return .phase(.names)
        }
    }

    mutating func flagWords(_ field: CanonicalFlag, _ type: SwiftType, _ cases: [JSON]?) -> ContractSource? {
        guard let json = members.value("map") else { return nil }
        var words = ContractMembers(json, at: members.pointer(to: "map"))
        let pair = (words.value("true"), words.value("false"))
        members.take(words.problems)
        guard let whenTrue = pair.0, let whenFalse = pair.1 else {
            members.complain("map", about: .missingMember, "must say what stands for true and what for false")
            return nil
        }
        check(whenTrue, at: ["map", "true"], type, cases)
        check(whenFalse, at: ["map", "false"], type, cases)
        return .flagWords(field, whenTrue: whenTrue, whenFalse: whenFalse)
    }

    private mutating func map(_ type: SwiftType, _ cases: [JSON]?) -> PhaseTable {
        var table = PhaseTable()
        for (phase, value) in phases(in: "map", &table) {
            check(value, at: ["map", phase.rawValue], type, cases)
            table.values[phase] = value
        }
        for phase in Phase.allCases where phase.isFailure {
            guard let value = table[phase], Self.claimsSuccess(value, table[.delivered]) else { continue }
            members.complain(
                "map",
                phase.rawValue,
                about: .successWord,
                "\(value) would show the order as delivered; use another word, or {\"end\": \"remove\"}"
            )
        }
        return table
    }

    private static func claimsSuccess(_ value: JSON, _ delivered: JSON?) -> Bool {
        // Yes and no may well mean "over", which a cancelled order is too.
        if value.boolValue != nil { return false }
        let word = value.stringValue?.lowercased().filter { $0.isLetter } ?? ""
        return value == delivered || successWords.contains(word)
    }

    /// Numbers by phase that lead from placed to delivered: fractions from 0 to 1, or whole steps from 0 on.
    mutating func steps(_ form: FormName) -> PhaseTable {
        var table = PhaseTable()
        for (phase, value) in phases(in: "steps", &table) {
            table.values[phase] = value
            let isFit: Bool =
                switch form {
                case .fraction: value.doubleValue.map { (0...1).contains($0) } ?? false
                case .text, .number, .flag, .unixSeconds, .swiftDate, .minutes, .step:
                    value.int64Value.map { $0 >= 0 } ?? false
                }
            guard !isFit else { continue }
            members.complain(
                "steps",
                phase.rawValue,
                about: .unfitSteps,
                form == .fraction ? "must be a number from 0 to 1" : "must be a whole number from 0 on"
            )
        }
        checkOrder(of: table)
        return table
    }

    private mutating func checkOrder(of table: PhaseTable) {
        let way = Phase.allCases.filter { !$0.isFailure }.compactMap { table[$0]?.doubleValue }
        if zip(way, way.dropFirst()).contains(where: { $0 > $1 }) {
            members.complain("steps", about: .unfitSteps, "must not fall from placed to delivered")
        }
        guard let delivered = table[.delivered]?.doubleValue else { return }
        for phase in Phase.allCases where phase.isFailure {
            guard let step = table[phase]?.doubleValue, step >= delivered else { continue }
            members.complain(
                "steps",
                phase.rawValue,
                about: .successWord,
                "would show the order as delivered; use a lower step, or {\"end\": \"remove\"}"
            )
        }
    }

    /// The members of a table by phase; those that take the card away are put into `table`.
    private mutating func phases(in name: String, _ table: inout PhaseTable) -> [(phase: Phase, value: JSON)] {
        guard let json = members.value(name) else {
            members.complain(name, about: .missingMember, "must give a value for every phase")
            return []
        }
        let words = ContractMembers(json, at: members.pointer(to: name))
        if json.objectValue == nil { members.take(words.problems) }
        var entries: [(phase: Phase, value: JSON)] = []
        for member in words.object.members {
            guard let phase = Phase(rawValue: member.name) else {
                let names = Phase.allCases.map(\.rawValue).joined(separator: ", ")
                members.take([
                    ContractProblem(words.pointer(to: member.name), .unknownField, "is no phase; there are \(names)")
                ])
                continue
            }
            if member.value == ["end": "remove"] {
                remove(phase, in: name, &table)
            } else {
                entries.append((phase, member.value))
            }
        }
        return entries
    }

    private mutating func remove(_ phase: Phase, in name: String, _ table: inout PhaseTable) {
        table.removes.insert(phase)
        if !phase.isFinal {
            members.complain(
                name,
                phase.rawValue,
                about: .removedAlive,
                "only the phases that end an order may take the card away"
            )
        }
    }
}
