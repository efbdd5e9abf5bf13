import ActivityContract
import Testing

/// Which contract a card is written in.
@Suite struct ContractHistoryTests {
    private static func history() throws -> ContractHistory {
        ContractHistory(
            .doorstep,
            later: [
                .init(from: try #require(BuildNumber("2.10")), try Examples.contract("phase-and-minutes")),
                .init(from: try #require(BuildNumber("2.9.1")), try Examples.contract("status-and-date")),
            ]
        )
    }

    @Test(
        arguments: [
            (nil, "doorstep.v1"), ("", "doorstep.v1"), ("beta", "doorstep.v1"), ("2.9", "doorstep.v1"),
            ("2.9.1", "status-and-date.v1"), ("2.9.20", "status-and-date.v1"), ("2.10.0", "phase-and-minutes.v1"),
            ("10", "phase-and-minutes.v1"),
        ] as [(String?, String)]
    )
    func `the newest contract that the build knows is taken`(build: String?, id: String) throws {
        #expect(try Self.history().contract(build: build).id == id)
    }

    @Test func `contracts are listed by build, whatever their order in the file`() throws {
        let ids = try Self.history().contracts.map(\.id)
        #expect(ids == ["doorstep.v1", "status-and-date.v1", "phase-and-minutes.v1"])
    }

    @Test func `builds are compared by number, not by letter`() {
        #expect(BuildNumber("1.0") == BuildNumber("1"))
        #expect(BuildNumber("1..2") == nil)
        #expect(BuildNumber("1.20.0")?.description == "1.20")
        #expect(BuildNumber("0")?.description == "0")
        #expect(BuildNumber("1.2b") == nil)
    }

    @Test(arguments: [(0, 0), (1, 1), (4, 4), (5, 4), (15, 8), (30, 11), (60, 17)])
    func `minutes cost a push whenever the figure is renewed`(minutes: Int, pushes: Int) {
        #expect(MinutesCost.pushes(from: minutes) == pushes)
    }
}
