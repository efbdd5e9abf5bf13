import API
import JSONText
import Runtime
import Testing

/// Whatever comes in, the answer is one of the contract's, and what is kept is canonical.
@Suite struct EventMutationTests {
    private let bench = Bench()

    @Test func `mutated events are kept or refused, never anything else`() async throws {
        var random = SplitMix64(seed: 11)
        let template = event(["data": ["customer": "c", "eta": nil, "progress": 0.5, "references": ["a": "b"]]])
        let bytes = template.serialized()
        var seen: Set<Int> = []
        for _ in 0..<4_000 {
            var mutated = bytes
            for _ in 0...Int.random(in: 0..<2, using: &random) {
                let index = Int.random(in: mutated.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: mutated[index] = UInt8.random(in: 0x20...0x7E, using: &random)
                case 1: mutated.remove(at: index)
                default: mutated.insert(Array("{}[]\",:\\u0".utf8).randomElement(using: &random) ?? 0, at: index)
                }
            }
            let answer = try await bench.post(bytes: mutated)
            seen.insert(answer.status)
            #expect([200, 202, 400, 403, 409, 422].contains(answer.status))
            #expect(answer.status < 300 || answer.slug != nil)
            #expect(answer.status != 422 || !answer.faults.isEmpty)
        }
        #expect(seen.isSuperset(of: [202, 400, 409, 422]))
        for kept in bench.log {
            #expect(try JSON.parse(kept.body).canonical() == kept.body)
            #expect(kept.fingerprint.count == 32)
        }
    }

    @Test func `random bytes are refused`() async throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let answer = try await bench.post(bytes: bytes)
            #expect(answer.status == 400 || answer.status == 422)
        }
    }
}
