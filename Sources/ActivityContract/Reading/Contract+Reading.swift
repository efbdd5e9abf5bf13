package import JSONText

extension Contract {
    /// Reads a contract file (docs/contracts.md) and checks every rule that needs no payload; the size of payloads is
    /// judged where they are made.
    package init(reading bytes: [UInt8]) throws(ContractError) {
        let json: JSON
        do throws(JSONError) { json = try JSON.parse(bytes) } catch {
            throw ContractError(problems: [ContractProblem("", .malformed, "is not JSON: \(error)")])
        }
        try self.init(json)
    }

    package init(_ json: JSON) throws(ContractError) {
        var members = ContractMembers(json, at: "")
        // For editors.
        _ = members.value("$schema")
        let id = Self.id(&members)
        let attributesType = Self.attributesType(&members)
        let startsByPush = members.bool("pushToStart") ?? true
        let attributes = Self.fields("attributes", .attributes, &members)
        let state = Self.fields("state", .state, &members)
        Self.checkPhases(attributes: attributes, state: state, &members)
        if startsByPush { Self.checkOrder(attributes, &members) }
        // Fields that could not be read are missed here only for that.
        if members.problems.isEmpty { Self.checkFailures(state, &members) }
        guard let id, let attributesType, members.problems.isEmpty else {
            throw ContractError(problems: members.problems)
        }
        self.init(
            id: id,
            attributesType: attributesType,
            attributes: attributes,
            state: state,
            startsByPush: startsByPush
        )
    }

    private static func id(_ members: inout ContractMembers) -> String? {
        guard let id = members.needed("id", "name the contract, such as \"shop.v1\"; a card keeps it for life") else {
            return nil
        }
        if id.utf8.count <= 64, id.allSatisfy(isPlain), !id.hasPrefix("doorstep.") { return id }
        members.complain(
            "id",
            about: .contractID,
            "must be up to 64 letters, digits, dots, hyphens and underscores, and not begin with doorstep."
        )
        return nil
    }

    private static func isPlain(_ letter: Character) -> Bool {
        letter.isASCII && (letter.isLetter || letter.isNumber || "._-".contains(letter))
    }

    private static func attributesType(_ members: inout ContractMembers) -> String? {
        let remedy = "must be the name of the app's ActivityAttributes struct, to the letter"
        guard let name = members.needed("attributesType", remedy) else { return nil }
        let isName = name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber } && name.first?.isNumber == false
        if isName, name != "ContentState", name.utf8.count <= 255 { return name }
        members.complain(
            "attributesType",
            about: .attributesType,
            "\(remedy): no module before it, and not ContentState"
        )
        return nil
    }

    private static func fields(
        _ name: String,
        _ place: FieldReader.Place,
        _ members: inout ContractMembers
    ) -> [ContractField] {
        guard let json = members.value(name) else {
            if place == .state {
                members.complain(name, about: .missingMember, "describe the properties of ContentState")
            }
            return []
        }
        let object = ContractMembers(json, at: members.pointer(to: name))
        if json.objectValue == nil { members.take(object.problems) }
        return object.object.members.compactMap { member in
            var reader = FieldReader(member.name, member.value, at: object.pointer(to: member.name), in: place)
            let field = reader.field()
            members.take(reader.problems)
            return field
        }
    }

    // MARK: - Rules that look at several fields

    private static func checkOrder(_ attributes: [ContractField], _ members: inout ContractMembers) {
        if !attributes.contains(where: { $0.source == .text(.order) }) {
            members.complain(
                "attributes",
                about: .orderUnmapped,
                "pushes cannot start cards: give the type a String for the order, {\"from\": \"order\", \"type\": "
                    + "\"String\"}, or set \"pushToStart\": false and start cards from the app"
            )
        }
        if let field = attributes.first(where: { $0.name == "incarnation" }), field.source != .count(.incarnation) {
            members.complain("attributes", about: .incarnationUnmapped, "\"incarnation\" must come from incarnation")
        }
    }

    /// Every phase has a word in every table, or the card is taken away in it.
    private static func checkPhases(
        attributes: [ContractField],
        state: [ContractField],
        _ members: inout ContractMembers
    ) {
        let removed = (attributes + state).reduce(into: Set<DoorstepAttributes.Phase>()) {
            $0.formUnion($1.source.table?.removes ?? [])
        }
        for (place, fields) in [("attributes", attributes), ("state", state)] {
            let place = ContractMembers([:], at: members.pointer(to: place))
            for field in fields {
                guard let table = field.source.table else { continue }
                let missing = DoorstepAttributes.Phase.allCases.filter { table[$0] == nil && !removed.contains($0) }
                guard !missing.isEmpty else { continue }
                let names = missing.map(\.rawValue).joined(separator: ", ")
                members.take([
                    ContractProblem(
                        place.pointer(to: field.name),
                        .phaseUnmapped,
                        "says nothing for \(names): add a value, or {\"end\": \"remove\"} for one that ends the order"
                    )
                ])
            }
        }
    }

    /// An order that failed shows as another than one that was delivered, whatever types the app has.
    private static func checkFailures(_ state: [ContractField], _ members: inout ContractMembers) {
        let tables = state.compactMap(\.source.table)
        let removed = tables.reduce(into: Set<DoorstepAttributes.Phase>()) { $0.formUnion($1.removes) }
        let hidden = DoorstepAttributes.Phase.allCases.filter { phase in
            phase.isFailure && !removed.contains(phase) && !tables.contains { $0[phase] != $0[.delivered] }
        }
        guard !hidden.isEmpty else { return }
        members.complain(
            "state",
            about: .successWord,
            "shows \(hidden.map(\.rawValue).joined(separator: ", ")) as it shows delivered: map the phase to another "
                + "word, or take the card away with {\"end\": \"remove\"}"
        )
    }
}
