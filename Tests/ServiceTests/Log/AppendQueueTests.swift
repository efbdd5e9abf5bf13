import PostgresStore
import Testing
import Tracking

@testable import Service

struct AppendQueueTests {
    @Test func `a batch goes lane by lane, in the order of arrival within a lane`() async {
        await withQueue { queue, call in
            for (index, lane) in [5, 2, 5, 2, 0].enumerated() {
                queue.add(AppendQueue.Entry(fact: fact("\(index)"), lane: Int32(lane), call: call, index: index))
            }
            let batch = queue.take(10)
            #expect(batch.map(\.lane) == [0, 2, 5])
            #expect(batch.map { $0.entries.map(\.index) } == [[4], [1, 3], [0, 2]])
            #expect(queue.isEmpty)
        }
    }

    @Test func `what is over the limit waits for the next batch`() async {
        await withQueue { queue, call in
            for index in 0..<5 {
                queue.add(AppendQueue.Entry(fact: fact("\(index)"), lane: 1, call: call, index: index))
            }
            #expect(queue.take(3).flatMap(\.entries).map(\.index) == [0, 1, 2])
            #expect(queue.count == 2)
            #expect(queue.take(3).flatMap(\.entries).map(\.index) == [3, 4])
            #expect(queue.take(3).isEmpty)
        }
    }

    @Test func `a call is answered once, when all its facts are settled, in their order`() async {
        let first = AppendOutcome.appended(LogPosition(lane: 0, pos: 7, version: 1))
        let outcomes = await withUnsafeContinuation { continuation in
            let call = AppendCall(count: 2, continuation)
            call.settle(1, .failed(.busy))
            call.settle(1, first)
            call.settle(0, first)
            call.settle(0, .failed(.unstorable))
        }
        #expect(outcomes == [first, .failed(.busy)])
    }

    private func withQueue(_ body: (inout AppendQueue, AppendCall) -> Void) async {
        var queue = AppendQueue()
        _ = await withUnsafeContinuation { continuation in
            let call = AppendCall(count: 1, continuation)
            body(&queue, call)
            call.settle(0, .failed(.busy))
        }
    }

    private func fact(_ id: String) -> NewFact {
        NewFact(
            StreamAddress(app: 1, kind: .order, stream: "o"),
            source: 1,
            id: id,
            type: "order.placed",
            body: []
        )
    }
}
