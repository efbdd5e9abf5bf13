internal import JSONText

/// Where a rule reads: the body, and the elements of lists it has entered, outermost first.
struct Place: Sendable {
    /// An element, with the pointer to it.
    private struct Level: Sendable {
        let value: JSON
        let pointer: String
    }

    private var levels: [Level]

    init(body: JSON) { levels = [Level(value: body, pointer: "")] }

    /// The value there; nil when there is none.
    func value(at path: BodyPath) -> JSON? {
        guard var value = start(of: path)?.value else { return nil }
        for step in path.steps {
            guard let next = Self.next(step, in: value) else { return nil }
            value = next
        }
        return value
    }

    /// Where the value stands, or would stand.
    func pointer(to path: BodyPath) -> String {
        var pointer = start(of: path)?.pointer ?? ""
        for step in path.steps { pointer += Self.suffix(step) }
        return pointer
    }

    /// A place for each element that `path` goes to, at most `limit` of them; none where a list is missing.
    func places(at path: BodyPath, limit: Int) -> [Place] {
        guard let start = start(of: path) else { return [] }
        var found = [(place: self, level: start)]
        for step in path.steps {
            switch step {
            case .member, .index, .first:
                found = found.compactMap { place, level in
                    Self.next(step, in: level.value).map { value in
                        (place, Level(value: value, pointer: level.pointer + Self.suffix(step)))
                    }
                }
            case .each:
                var entered: [(place: Place, level: Level)] = []
                for (place, level) in found {
                    for (index, value) in (level.value.arrayValue ?? []).prefix(limit - entered.count).enumerated() {
                        let element = Level(value: value, pointer: "\(level.pointer)/\(index)")
                        var inner = place
                        inner.levels.append(element)
                        entered.append((inner, element))
                    }
                }
                found = entered
            }
        }
        return found.map(\.place)
    }

    private func start(of path: BodyPath) -> Level? {
        path.level == 0 ? levels.first : levels.dropFirst().dropLast(path.level - 1).last
    }

    private static func next(_ step: BodyPath.Step, in value: JSON) -> JSON? {
        switch step {
        case .member(let name): value[name]
        case .index(let index): value[index]
        case .first(let member, let text): value.arrayValue?.first { $0[member]?.scalarText == text }
        case .each: nil
        }
    }

    private static func suffix(_ step: BodyPath.Step) -> String {
        switch step {
        case .member(let name): Adapters.pointer(name)
        case .index(let index): "/\(index)"
        case .first(let member, let text): Adapters.pointer("\(member)=\(text)")
        case .each: "/*"
        }
    }
}
