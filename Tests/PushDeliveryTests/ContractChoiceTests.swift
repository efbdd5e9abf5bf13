import APNs
import ActivityContract
import PushDelivery
import Testing
import Tracking

/// Which contract a push is written in.
@Suite struct ContractChoiceTests {
    private static func text(_ push: OutgoingPush) throws -> String {
        let later = ContractHistory.Edition(
            from: try #require(BuildNumber("40")),
            try example("phase-and-minutes")
        )
        let app = AppRendering(contracts: ContractHistory(.doorstep, later: [later]))
        return String(decoding: PushRendering.request(for: push, in: app).payload, as: UTF8.self)
    }

    @Test func `the device's build chooses`() throws {
        let old = sample(.update) { $0.intention.settings.appBuild = "39" }
        let new = sample(.update) { $0.intention.settings.appBuild = "40" }
        #expect(try Self.text(old).contains("attemptFailed"))
        #expect(try Self.text(new).contains("etaMinutes"))
    }

    @Test func `the contract names the type, unless the device does`() throws {
        var push = sample(.start) { $0.intention.settings.appBuild = "40" }
        #expect(try Self.text(push).contains(#""attributes-type":"DeliveryAttributes""#))
        push.intention.settings.attributesType = "OwnAttributes"
        #expect(try Self.text(push).contains(#""attributes-type":"OwnAttributes""#))
    }
}
