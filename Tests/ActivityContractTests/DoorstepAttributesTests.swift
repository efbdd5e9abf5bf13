import ActivityContract
import Foundation
import Testing

/// The contract as ActivityKit reads it: with a default decoder and no strategy.
@Suite struct DoorstepAttributesTests {
    private static let least = DoorstepAttributes.ContentState(phase: .placed, asOf: 1_700_000_000, revision: 1)
    private static let most = DoorstepAttributes.ContentState(
        phase: .courierWaiting,
        eta: 1_700_000_600,
        late: true,
        stale: true,
        courier: "Zo\u{EB} \u{1F6B2}",
        attemptFailed: true,
        pendingCommand: "cancel",
        asOf: 1_700_000_000,
        revision: 12
    )

    private static func members(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test(arguments: [least, most])
    func `every member of the state is on the wire, unknown ones as null`(
        state: DoorstepAttributes.ContentState
    ) throws {
        let members = try Self.members(state)
        #expect(
            Set(members.keys) == [
                "phase", "eta", "late", "stale", "courier", "attemptFailed", "pendingCommand", "asOf", "revision",
            ]
        )
        #expect((members["eta"] is NSNull) == (state.eta == nil))
        #expect((members["courier"] is NSNull) == (state.courier == nil))
        #expect((members["pendingCommand"] is NSNull) == (state.pendingCommand == nil))
    }

    @Test func `every attribute is on the wire, unknown ones as null`() throws {
        let members = try Self.members(DoorstepAttributes(order: "1001", incarnation: 1))
        #expect(Set(members.keys) == ["order", "incarnation", "displayNumber", "restaurant", "promisedAt"])
        #expect(members["restaurant"] is NSNull)
        #expect(members["promisedAt"] is NSNull)
    }

    @Test(arguments: [least, most])
    func `a default decoder reads what was written`(state: DoorstepAttributes.ContentState) throws {
        let bytes = try JSONEncoder().encode(state)
        #expect(try JSONDecoder().decode(DoorstepAttributes.ContentState.self, from: bytes) == state)
    }

    @Test func `moments are whole seconds since 1970 under default strategies`() throws {
        let json = #"""
            {"phase":"on_the_way","eta":1700000600,"late":false,"stale":false,"courier":null,"attemptFailed":false,
             "pendingCommand":null,"asOf":1700000000,"revision":3}
            """#
        let state = try JSONDecoder().decode(DoorstepAttributes.ContentState.self, from: Data(json.utf8))
        #expect(state == .init(phase: .onTheWay, eta: 1_700_000_600, asOf: 1_700_000_000, revision: 3))
    }

    @Test func `a member that a later release adds does not break an older app`() throws {
        let json = #"{"order":"1","incarnation":1,"displayNumber":"7","restaurant":"Luca","promisedAt":5,"new":[1]}"#
        let attributes = try JSONDecoder().decode(DoorstepAttributes.self, from: Data(json.utf8))
        #expect(
            attributes == .init(order: "1", incarnation: 1, displayNumber: "7", restaurant: "Luca", promisedAt: 5)
        )
    }

    @Test func `the type is called as ActivityKit knows it`() {
        #expect(DoorstepAttributes.typeName == String(describing: DoorstepAttributes.self))
    }
}
