import Testing
import Tracking

/// Words that interfaces show and that stand in the log: each means one thing, and is read as it was written.
@Suite struct NamesTests {
    @Test func `no two things of a kind have one name`() {
        expectDistinct(Phase.allCases.map(\.name))
        expectDistinct(KitchenState.allCases.map(\.name))
        expectDistinct(CourierState.allCases.map(\.name))
        expectDistinct(TimerKind.allCases.map(\.name))
        expectDistinct([Verb.start, .update, .end, .alert].map(\.name))
        expectDistinct([APNsEnvironment.sandbox, .production].map(\.name))
    }

    @Test func `a name is read as it was written`() {
        for phase in Phase.allCases { #expect(Phase(name: phase.name) == phase) }
        for kind in TimerKind.allCases { #expect(TimerKind(name: kind.name) == kind) }
        for verb in [Verb.start, .update, .end, .alert] { #expect(Verb(name: verb.name) == verb) }
        for place in [APNsEnvironment.sandbox, .production] { #expect(APNsEnvironment(name: place.name) == place) }
        #expect(Phase(name: "lost") == nil)
        #expect(TimerKind(name: "tea") == nil)
        #expect(Verb(name: "ring") == nil)
        #expect(APNsEnvironment(name: "moon") == nil)
    }

    private func expectDistinct(_ names: [String]) { #expect(Set(names).count == names.count, "\(names)") }
}
