import JSONText
import Testing

@testable import APNsSimulator

/// The numbers by which Doorstep tells an app's newer message from an older one.
@Suite struct SequenceTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    /// The sequences of all that the phones tell, in order.
    private mutating func told() throws -> [Int64] {
        try simulated.takeCalls().map { try #require(try JSON.parse($0.body)["sequence"]?.int64Value) }
    }

    @Test mutating func `each message counts one more than the last, from the milliseconds of the clock`() throws {
        simulated.addPhone()
        var sequences = try told()
        for action in [World.Action.rotate, .disable, .frequentOn] {
            simulated.perform(action)
            sequences += try told()
        }
        let first = simulated.now.wall / 1000 + 1
        #expect(sequences.count > 3)
        #expect(sequences == sequences.indices.map { first + Int64($0) })
    }

    @Test(arguments: [-3600, 0, 1] as [Int64])
    mutating func `a phone made again counts higher, whatever the clock did`(seconds: Int64) throws {
        var last: Int64 = 0
        for _ in 0..<3 {
            simulated.addPhone()
            for _ in 0..<10 {
                simulated.perform(.rotate)
                let sequences = try told()
                #expect(sequences.allSatisfy { $0 > last })
                last = try #require(sequences.max())
            }
            simulated.world.deletePhones(at: simulated.now)
            simulated.pass(seconds: seconds)
        }
    }

    @Test mutating func `a phone of a restarted simulator counts higher, though the phones' clock was turned`() throws {
        simulated.now.phone += 86_400 * 1_000_000
        simulated.addPhone()
        let before = try #require(try told().max())
        let stopped = simulated.now.wall
        simulated = try SimulatedWorld()
        simulated.now.wall = stopped
        simulated.pass(seconds: 1)
        simulated.addPhone()
        #expect(try #require(try told().min()) > before)
    }
}
