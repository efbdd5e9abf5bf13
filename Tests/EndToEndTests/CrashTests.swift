import Glibc
import JSONText
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct CrashTests {
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
