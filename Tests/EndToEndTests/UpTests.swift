import Glibc
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct UpTests {
        @Test(arguments: [SIGINT, SIGTERM])
        func `a signal ends everything, and well`(_ signal: Int32) async throws {
            try await LocalStack.with { stack in
                let children = ["postgres", "apns-sim", "serve"].compactMap { stack.pid(of: $0) }
                #expect(children.count == 3)
                #expect(await stack.stop(signal: signal) == .code(0))
                for child in children { #expect(!LocalStack.isRunning(child)) }
            }
        }

        @Test func `a second one in the same folder is told who is there`() async throws {
            try await LocalStack.with { stack in
                let log = "\(stack.folder).second.log"
                let second = try await ChildProcess.start(
                    LocalStack.up(in: stack.folder, log: log),
                    on: LocalStack.loop
                )
                #expect(await second.waitForExit() == .code(3))
                let owner = LocalStack.text("\(stack.folder)/run/up.lock")
                #expect(LocalStack.text(log).contains("pid \(owner)"))
            }
        }

        @Test func `after a kill the next one takes over data, keys and ports`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 3, seed: 6)
                #expect(try await stack.replay { $0.files = [orders] }.isClean)
                #expect(await stack.killUp() == .signal(SIGKILL))
                let left = try #require(stack.pid(of: "serve"))
                #expect(LocalStack.isRunning(left))

                let next = try await LocalStack.start(in: stack.folder)
                #expect(!LocalStack.isRunning(left))
                #expect(next["DOORSTEP_INGEST_KEY"] == stack["DOORSTEP_INGEST_KEY"])
                let again = try await next.replay { $0.files = [orders] }
                #expect(again.duplicates == again.events)
                await next.stop()
            }
        }

        @Test func `secrets are for their owner alone`() async throws {
            try await LocalStack.with { stack in
                for file in ["doorstep.env", "keys/demo.p8", "keys/master", "tls/server.key"] {
                    var status = stat()
                    #expect(stat("\(stack.folder)/\(file)", &status) == 0)
                    #expect(status.st_mode & 0o777 == 0o600, "\(file)")
                }
            }
        }
    }
}
