import API
import FoundationEssentials
import JSONText
import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Testing
import Tracking

@testable import doorstep

/// Versions of policies in the database, and how every process comes to decide by them.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct PolicyVersionsTests {
    private static let noon: Int64 = 1_700_000_000_000_000

    private static let contracts = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/contracts").standardizedFileURL.path

    private func configuration(_ policy: JSON = [:], contract: JSON = "doorstep.v1") -> Configuration {
        let app: JSON = [
            "id": "shop", "bundleId": "com.example.shop", "teamId": "T", "keys": [["id": "K", "file": "a.p8"]],
            "policy": policy, "contract": contract,
        ]
        let file = ConfigurationFile(["apps": [app]], folder: Self.contracts)
        #expect(file.problems == [])
        return file.configuration
    }

    /// What a process knows after it started with this configuration.
    private func process(_ configuration: Configuration, _ pool: PostgresPool, at time: Int64) async throws -> Directory
    {
        let directory = Directory()
        directory.take(try await Registration(configuration, in: pool, now: time), at: time)
        return directory
    }

    private func policy(_ directory: Directory) throws -> Policy { try #require(directory.app(named: "shop")).policy }

    @Test func `a policy that changes becomes a new version, and the old one stays as it was`() async throws {
        try await TestDatabase.with { _, pool in
            let first = try await process(configuration(["etaStep": 90]), pool, at: Self.noon)
            let before = try await pool.run(Apps.policies)
            #expect(before.map(\.version) == [1])
            #expect(try policy(first).version == 1)
            let same = try await process(configuration(["etaStep": 90]), pool, at: Self.noon + 1)
            #expect(try policy(same).version == 1)
            let second = try await process(configuration(["etaStep": 120]), pool, at: Self.noon + 2)
            #expect(try policy(second).version == 2)
            #expect(try policy(second).etaStep == .seconds(120))
            let after = try await pool.run(Apps.policies)
            #expect(after.map(\.version) == [1, 2])
            #expect(after.first == before.first)
        }
    }

    @Test func `a process that has read nothing itself follows what another one activated`() async throws {
        try await TestDatabase.with { _, pool in
            let old = try await process(configuration(), pool, at: Self.noon)
            let clock = DatabaseClock()
            clock.measured(Self.noon + 10, at: .now)
            _ = try await process(configuration(["startAt": "accepted"]), pool, at: Self.noon + 5)
            #expect(try policy(old).version == 1)
            let watch = ActivePolicies(pool: pool, directory: old, clock: clock, log: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: TestLoop.shared.tasks) { try await watch.run() }
                while try policy(old).version == 1 { try await TestLoop.shared.sleep(for: .milliseconds(5)) }
                group.cancelAll()
            }
            #expect(try policy(old).startAt == .accepted)
        }
    }

    @Test func `a version is in force from its moment on, whatever its number`() async throws {
        try await TestDatabase.with { _, pool in
            let directory = try await process(configuration(), pool, at: Self.noon)
            let app = try #require(directory.app(named: "shop")).number
            for (version, from) in [(2, Self.noon + 100), (3, Self.noon + 50)] as [(Int32, Int64)] {
                let row = PolicyRow(app: app, version: version, activeFrom: from, body: #"{"startsPerHour": 6}"#)
                _ = try await pool.run(Apps.insertPolicy(row))
            }
            let rows = try await pool.run(Apps.policies)
            for (time, version) in [(49, 1), (50, 3), (99, 3), (100, 2)] as [(Int64, Int32)] {
                directory.take(rows, at: Self.noon + time)
                #expect(try policy(directory).version == version)
            }
            #expect(try policy(directory).startsPerHour == 6)
        }
    }

    @Test func `a reading that was overtaken changes nothing`() async throws {
        try await TestDatabase.with { _, pool in
            _ = try await process(configuration(), pool, at: Self.noon)
            let old = try await pool.run(Apps.policies)
            let directory = try await process(configuration(["etaStep": 90]), pool, at: Self.noon)
            directory.take(old, at: Self.noon + 1)
            #expect(try policy(directory).version == 2)
        }
    }

    @Test func `policies written at once by several processes are versions of their own`() async throws {
        try await TestDatabase.with(connections: 4) { _, pool in
            _ = try await process(configuration(), pool, at: Self.noon)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for step in [70, 80, 90] {
                    group.addTask(executorPreference: TestLoop.shared.tasks) {
                        _ = try await process(configuration(["etaStep": .integer(step)]), pool, at: Self.noon)
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await pool.run(Apps.policies)
            let steps = try rows.map { try JSON.parse(Array($0.body.utf8))["etaStep"] }
            #expect(rows.map(\.version) == [1, 2, 3, 4])
            #expect(Set(steps) == [60, 70, 80, 90])
        }
    }

    @Test func `a file with a mistake in what it names activates nothing`() async throws {
        try await TestDatabase.with { _, pool in
            let directory = try await process(configuration(), pool, at: Self.noon)
            let path = "/tmp/doorstep-reload-\(UInt64.random(in: 0 ... .max)).json"
            defer { try? FileManager.default.removeItem(atPath: path) }
            func write(_ contract: String) throws {
                let app: JSON = [
                    "id": "shop", "bundleId": "com.example.shop", "teamId": "T", "policy": ["etaStep": 90],
                    "keys": [["id": "K", "file": "a.p8"]], "contract": .string(contract),
                ]
                let file: JSON = ["apps": [app]]
                try Data(file.serialized()).write(to: URL(filePath: path))
            }
            let tokens = CustomerTokens()
            let reload = Reload(
                path: path,
                pool: pool,
                directory: directory,
                sources: ConfiguredSources(),
                tokens: tokens,
                keySets: KeySets(loop: pool.loop, tokens: tokens, metrics: Metrics(), log: .silent),
                push: nil,
                clock: DatabaseClock(),
                log: .silent
            )
            try write("gone.json")
            await #expect(throws: Failure.self) { _ = try await reload.reload() }
            #expect(try await pool.run(Apps.policies).map(\.version) == [1])
            try write("doorstep.v1")
            #expect(try await reload.reload() == 1)
            #expect(try await pool.run(Apps.policies).map(\.version) == [1, 2])
            #expect(directory.app(named: "shop")?.editions.count == 2)
        }
    }

    @Test func `a policy knows what the newest contract demands, and keeps it when versions are read`() async throws {
        try await TestDatabase.with { _, pool in
            let plain = try await process(configuration(), pool, at: Self.noon)
            #expect(try policy(plain).contract == ContractDemands())
            let contract: JSON = [["file": "doorstep.v1"], ["file": "phase-and-minutes.json", "fromBuild": "2"]]
            let directory = try await process(configuration(contract: contract), pool, at: Self.noon)
            #expect(try policy(directory).contract.showsMinutes)
            #expect(try policy(directory).contract.attributesTypes == nil)
            directory.take(try await pool.run(Apps.policies), at: Self.noon)
            #expect(try policy(directory).contract.showsMinutes)
            let app = try #require(directory.app(named: "shop"))
            #expect(app.editions.allSatisfy { $0.policy.contract.showsMinutes })
        }
    }

    @Test(
        arguments: [
            ("driver-progress", "showsProgress"), ("status-and-date", "holdsUntilETA"),
            ("phase-and-minutes", "showsMinutes"),
        ]
    )
    func `each trait of a contract reaches the decisions`(file: String, trait: String) throws {
        let demands = try #require(configuration(contract: .string("\(file).json")).apps.first).contractDemands
        let set = Mirror(reflecting: demands).children.filter { $0.value as? Bool == true }.compactMap(\.label)
        #expect(set.contains(trait))
        #expect(set.contains("startsByPush"))
        #expect(demands.attributesTypes?.count == 1)
    }
}
