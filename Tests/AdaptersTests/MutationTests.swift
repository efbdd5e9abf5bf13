import Adapters
import JSONText
import Runtime
import Testing

/// Whatever comes in, the answer is events within the limits or an error.
struct MutationTests {
    private func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var mutated = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) where !mutated.isEmpty {
            let index = Int.random(in: mutated.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: mutated[index] = UInt8.random(in: 0...255, using: &random)
            case 1: mutated.remove(at: index)
            case 2: mutated.insert(Array("{}[]\",:\\u0.$#|'*-9".utf8).randomElement(using: &random) ?? 0, at: index)
            case 3: mutated.removeSubrange(index..<min(index + 9, mutated.count))
            case 4: mutated.insert(contentsOf: mutated[index..<min(index + 40, mutated.count)], at: index)
            default: mutated.swapAt(index, Int.random(in: mutated.indices, using: &random))
            }
        }
        return mutated
    }

    private func judge(_ adapter: Adapter, _ request: HookRequest) -> Bool {
        _ = adapter.isAuthentic(request, secrets: ["a", "00"])
        do throws(AdapterError) {
            let events = try adapter.events(from: request, source: "source")
            for event in events {
                for name in ["id", "source", "type", "subject", "sourcetype"] {
                    let text = event.text(name) ?? ""
                    #expect((1...255).contains(text.utf8.count) && !text.utf8.contains(0))
                }
                #expect(event["time"] == nil || RFC3339.parse(event.text("time") ?? "") != nil)
                #expect(JSON.object(event).serialized().count < 65_536)
            }
            return true
        } catch {
            #expect(!error.problems.isEmpty)
            return false
        }
    }

    @Test(arguments: Hooks.platforms)
    func `mutated webhooks become events or an error`(platform: String) throws {
        var random = SplitMix64(seed: 20_26)
        let adapter = try Hooks.adapter(platform)
        let bodies = try Hooks.delivery(platform).map { $0.serialized() }
        var outcomes: Set<Bool> = []
        for _ in 0..<600 {
            let body = mutated(bodies.randomElement(using: &random) ?? [], &random)
            // Half of a token's mutations are of its payload.
            let payload = try? JSON.parse(body)
            let request = payload.map { Hooks.request(platform, $0) } ?? Hooks.request(platform, body: body)
            outcomes.insert(judge(adapter, request))
        }
        #expect(outcomes == [true, false])
    }

    @Test func `values of any kind in any place become events or an error`() throws {
        var random = SplitMix64(seed: 5)
        let values: [JSON] = [
            nil, true, 0, "", "x", [], [:], .number("1e308"), .string(String(repeating: "/", count: 200)), [[[]]],
            ["at": [], "status": [:]], "2026-11-20T18:10:02Z", .number("-1"),
        ]
        for platform in Hooks.platforms {
            let adapter = try Hooks.adapter(platform)
            for hook in try Hooks.delivery(platform) {
                for _ in 0..<40 {
                    let value = values.randomElement(using: &random) ?? .null
                    _ = judge(adapter, Hooks.request(platform, replaced(hook, by: value, &random)))
                }
            }
        }
    }

    /// The value with another somewhere inside.
    private func replaced(_ json: JSON, by value: JSON, _ random: inout SplitMix64) -> JSON {
        switch json {
        case .object(let object) where !object.isEmpty:
            let member = object.members[Int.random(in: object.members.indices, using: &random)]
            return json.with(replaced(member.value, by: value, &random), at: member.name)
        case .array(let elements) where !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            return json.with(replaced(elements[index], by: value, &random), at: "\(index)")
        default: return value
        }
    }

    @Test(arguments: Hooks.platforms)
    func `mutated adapters are adapters or an error`(platform: String) throws {
        var random = SplitMix64(seed: 77)
        let text = Array(try Repository.text("Sources/Adapters/Resources/\(platform).json").utf8)
        let json = try JSON.parse(text)
        let hooks = try Hooks.delivery(platform).map { Hooks.request(platform, $0) }
        var outcomes: Set<Bool> = []
        for round in 0..<120 {
            let values: [JSON] = [1, "", "{a", "{.a}", [], [:], "event.voided", "each[*].b[*]", ["x": ["not": 1]], nil]
            let changed =
                round.isMultiple(of: 2)
                ? mutated(text, &random)
                : replaced(json, by: values.randomElement(using: &random) ?? .null, &random).serialized()
            do throws(AdapterError) {
                let adapter = try Adapter(changed)
                for hook in hooks { _ = judge(adapter, hook) }
                outcomes.insert(true)
            } catch {
                #expect(error.code == .badAdapter && !error.problems.isEmpty)
                outcomes.insert(false)
            }
        }
        #expect(outcomes == [true, false])
    }
}
