import Testing

@testable import Postgres

/// The pipeline's bookkeeping, without a server.
struct PipelineTests {
    @Test func `a statement is prepared once, under an end of its own`() {
        var pipeline = Pipeline()
        #expect(pipeline.needsPreparation("a") == true)
        pipeline.sentCall()
        pipeline.sentEnd()
        #expect(pipeline.needsPreparation("a") == false)
        let answers: [PipelineResult] = [.success, .synced, .success, .synced]
        #expect(answers.map { pipeline.received($0) } == [.nothing, .nothing, .keep, .complete])
        #expect(pipeline.isIdle)
    }

    @Test func `a call completes at its end and not before`() {
        var pipeline = Pipeline()
        _ = pipeline.needsPreparation("a")
        for _ in 0..<2 { pipeline.sentCall() }
        pipeline.sentEnd()
        _ = pipeline.received(.success)
        _ = pipeline.received(.synced)
        #expect(pipeline.received(.success) == .keep)
        #expect(pipeline.received(.failure) == .fail)
        #expect(pipeline.received(.synced) == .complete)
    }

    @Test func `calls after a failure are skipped and keep nothing`() {
        var pipeline = Pipeline()
        for _ in 0..<3 { pipeline.sentCall() }
        pipeline.sentEnd()
        #expect(pipeline.received(.failure) == .fail)
        #expect(pipeline.received(.skipped) == .nothing)
        #expect(pipeline.received(.skipped) == .nothing)
        #expect(pipeline.received(.synced) == .complete)
    }

    @Test func `a refused preparation is tried again by the next call`() {
        var pipeline = Pipeline()
        #expect(pipeline.needsPreparation("a") == true)
        #expect(pipeline.received(.failure) == .fail)
        #expect(pipeline.received(.synced) == .nothing)
        #expect(pipeline.needsPreparation("a") == true)
    }

    @Test func `a refusal at the end is a failed commit`() {
        var pipeline = Pipeline()
        pipeline.sentCall()
        pipeline.sentEnd()
        #expect(pipeline.received(.success) == .keep)
        #expect(pipeline.received(.failure) == .fail)
        #expect(pipeline.received(.synced) == .complete)
    }

    @Test(arguments: [PipelineResult.success, .failure, .skipped, .synced])
    func `an answer to nothing gives the connection up`(_ answer: PipelineResult) {
        var pipeline = Pipeline()
        #expect(pipeline.received(answer) == .abandon)
    }

    @Test func `a null ends one answer, the next null means wait`() {
        var pipeline = Pipeline()
        pipeline.sentCall()
        pipeline.sentEnd()
        #expect(pipeline.receivedNull() == false)
        _ = pipeline.received(.success)
        #expect(pipeline.receivedNull() == true)
        #expect(pipeline.receivedNull() == false)
    }
}
