import Runtime
import Testing

@Suite struct ChildProcessTests {
    @Test func `an exit code arrives`() async throws {
        try await withLoop { loop in
            let child = try await ChildProcess.start(Program("sh", ["-c", "exit 7"]), on: loop)
            #expect(await child.waitForExit() == .code(7))
            #expect(await child.waitForExit() == .code(7))
            #expect(await child.isRunning == false)
        }
    }

    @Test func `a signal reaches the whole group`() async throws {
        try await withLoop { loop in
            let child = try await ChildProcess.start(Program("sh", ["-c", "sleep 600 & wait"]), on: loop)
            await child.signal(9)
            #expect(await child.waitForExit() == .signal(9))
        }
    }

    @Test func `a child that ignores the polite signal is killed after the grace`() async throws {
        try await withLoop { loop in
            let ready = "/tmp/doorstep-child-\(UInt64.random(in: 0...UInt64.max))"
            let script = "trap '' TERM; echo ready; while :; do sleep 0.05; done"
            let child = try await ChildProcess.start(Program("sh", ["-c", script], logFile: ready), on: loop)
            while fileText(ready) != "ready\n" { try await loop.sleep(for: .milliseconds(10)) }
            #expect(await child.stop(grace: .milliseconds(50)) == .signal(9))
            removeFile(ready)
        }
    }

    @Test func `output of both kinds, environment and directory are as told`() async throws {
        try await withLoop { loop in
            let log = "/tmp/doorstep-child-\(UInt64.random(in: 0...UInt64.max))"
            let program = Program(
                "/bin/sh",
                ["-c", "echo $GREETING; pwd >&2"],
                environment: ["GREETING": "hello"],
                workingDirectory: "/usr",
                logFile: log
            )
            let child = try await ChildProcess.start(program, on: loop)
            #expect(await child.waitForExit() == .code(0))
            #expect(fileText(log) == "hello\n/usr\n")
            removeFile(log)
        }
    }

    @Test func `a program that is not there is an error`() async throws {
        try await withLoop { loop in
            await #expect(throws: RuntimeError(.systemCall, "posix_spawnp", errno: 2)) {
                _ = try await ChildProcess.start(Program("/no/such/program"), on: loop)
            }
        }
    }
}
