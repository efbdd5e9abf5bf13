/// A large value kept in one place: as cheap to hand on as a number, and never changed, only replaced.
struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Place: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let place: Place

    init(_ value: Value) { place = Place(value) }

    var value: Value { place.value }

    static func == (a: Self, b: Self) -> Bool { a.place === b.place || a.place.value == b.place.value }

    func hash(into hasher: inout Hasher) { hasher.combine(place.value) }
}
