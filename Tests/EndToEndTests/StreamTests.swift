import JSONText
import Replay
import Testing

extension EndToEnd {
    struct StreamTests {
        @Test func `every phone shows its order's last state, whatever order the events come in`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 30, seed: 1)
                let straight = try await stack.replay {
                    $0.files = [orders]
                    $0.export = "\(stack.folder)/straight"
                }
                #expect(straight.isClean, "\(straight.json)")
                #expect(straight.accepted == straight.events)
                #expect(straight.phones?.activities == 30)
                #expect(straight.phones?.live == 0)

                // D02, E22: the same events, shuffled and twice, as another app's.
                let shuffled = try await stack.replay {
                    $0.files = [orders]
                    $0.app = "demo-early"
                    $0.shuffle = 7
                    $0.repeats = 2
                    $0.export = "\(stack.folder)/shuffled"
                }
                #expect(shuffled.isClean, "\(shuffled.json)")
                #expect(shuffled.accepted == straight.events)
                #expect(shuffled.duplicates == straight.events)
                let export = LocalStack.text("\(stack.folder)/straight")
                #expect(export.split(separator: "\n").count == 30)
                #expect(export == LocalStack.text("\(stack.folder)/shuffled"))
            }
        }

        @Test func `two phones of one customer both show the order`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 10, seed: 2)
                let report = try await stack.replay {
                    $0.files = [orders]
                    $0.phones = .perOrder(2)
                }
                #expect(report.isClean, "\(report.json)")
                #expect(report.phones?.activities == 20)
            }
        }

        @Test func `everything at once loses nothing`() async throws {
            try await LocalStack.with { stack in
                let orders = try stack.generate(orders: 200, seed: 3)
                let report = try await stack.replay {
                    $0.files = [orders]
                    $0.pace = .fastest
                }
                #expect(report.isClean, "\(report.json)")
                #expect(report.accepted == report.events)
                #expect(report.unsettled == 0)
            }
        }
    }
}
