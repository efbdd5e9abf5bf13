import Glibc
import JSONText
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct CrashTests {
        // E35, P79: what was accepted is kept, and what may have been sent is not sent again as a start.
        @Test(arguments: [
            "append.beforeCommit:9", "append.afterCommit:9", "project.beforeCommit:20", "send.afterAccept:5",
            "outcome.beforeCommit:5",
        ])
        func `a service that dies at any point loses nothing and shows nothing twice`(_ point: String) async throws {
            try await LocalStack.with(["DOORSTEP_CRASH_AT": point]) { stack in
                let before = stack.pid(of: "serve")
                let orders = try stack.generate(orders: 15, seed: 4)
                let report = try await stack.replay { $0.files = [orders] }
                #expect(report.isClean, "\(report.json)")
                #expect(report.accepted == report.events)
                #expect(stack.pid(of: "serve") != before, "the service never reached \(point)")
            }
        }

        // E11, E27: a database that restarts under load needs no help.
        @Test func `a database that is killed comes back and nothing is lost`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 30, seed: 5)
                async let replayed = stack.replay { $0.files = [orders] }
                try await LocalStack.loop.sleep(for: .seconds(1))
                if let postgres = stack.pid(of: "postgres") { kill(postgres, SIGKILL) }
                let report = try await replayed
                #expect(report.isClean, "\(report.json)")
                #expect(report.accepted == report.events)
            }
        }
    }
}
