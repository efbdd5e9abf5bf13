import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// The state over restarts of the whole simulator.
@Suite struct LiveStateTests {
    @Test func `a simulator that is started again applies an update to the token it handed out before`() async throws {
        let file = try ScratchFile()
        file.remove()
        defer { file.remove() }
        let handedOut = Locked("")
        try await RunningSimulator.with(stateFile: file.path) { running in
            let token = try await running.addPhone("P1", ["customer": "C1"])
            #expect(await running.push(token, SimulatedWorld.start(at: WallClock.seconds)).status == 200)
            let card = try #require(try await running.ask("GET", "/phones/P1")["cards"]?[0])
            handedOut.withLock { $0 = card["updateToken"]?.stringValue ?? "" }
        }
        try await RunningSimulator.with(stateFile: file.path) { running in
            let update = SimulatedWorld.payload([
                "event": "update", "timestamp": .integer(WallClock.seconds + 1),
                "content-state": SimulatedWorld.state(phase: "courier_waiting", revision: 9),
            ])
            #expect(await running.push(handedOut.withLock { $0 }, update).status == 200)
            let phone = try await running.ask("GET", "/phones/P1")
            #expect(phone["cards"]?[0]?["revision"]?.int64Value == 9)
            #expect(phone["pushes"]?[0]?["why"]?.isNull == true)
        }
    }

    @Test func `a damaged file is an error of the start`() async throws {
        let file = try ScratchFile("doorstep-apns-sim 2 00\n{}")
        defer { file.remove() }
        await #expect(throws: SimulatorError.self) {
            try await RunningSimulator.with(stateFile: file.path) { _ in }
        }
        #expect(try file.text() == "doorstep-apns-sim 2 00\n{}")
    }
}
