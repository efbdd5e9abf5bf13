import JSONText
import Testing

@testable import APNsSimulator

@Suite struct ActivitySchemaTests {
    @Test func `a described type decodes as its Swift type would`() throws {
        let described: JSON = [
            "attributesType": "RideAttributes",
            "attributes": ["orderID": "string"],
            "state": [
                "status": ["open", "done"], "arrival": "number?", "driver": ["optional": ["name": "string"]],
                "stops": ["listOf": "integer"],
            ],
            "orderKey": "orderID",
        ]
        let schema = try #require(ActivitySchema(described))
        #expect(schema.orderKey == "orderID")
        #expect(schema.attributes.fault(in: ["orderID": "7"]) == nil)
        #expect(schema.state.fault(in: ["status": "open", "stops": [1]]) == nil)
        #expect(schema.state.fault(in: ["status": "lost", "stops": [1]]) == "status: unknown word")
        #expect(schema.state.fault(in: ["status": "open", "stops": [1], "driver": [:]]) == "driver: name: missing")
    }

    @Test(
        arguments: [
            [:], ["attributesType": "A", "attributes": ["a": "text"], "state": [:]],
            ["attributesType": "A", "attributes": [:], "state": ["a": [1]]],
            ["attributesType": "A", "attributes": [:], "state": ["a": ["optional": "date"]]],
        ] as [JSON]
    )
    func `nonsense is refused`(json: JSON) {
        #expect(ActivitySchema(json) == nil)
    }

    @Test func `the built-in type asks for every field that is never unknown`() {
        let schema = ActivitySchema.doorstepV1()
        #expect(schema.attributes.fault(in: SimulatedWorld.attributes()) == nil)
        #expect(schema.state.fault(in: SimulatedWorld.state()) == nil)
        for name in ["phase", "late", "stale", "attemptFailed", "asOf", "revision"] {
            var state = SimulatedWorld.state().objectValue ?? [:]
            state[name] = nil
            #expect(schema.state.fault(in: .object(state)) == "\(name): missing")
        }
    }
}
