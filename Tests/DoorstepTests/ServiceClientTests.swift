import JSONText
import Testing

@testable import doorstep

/// What `timeline` and `explain` tell when Doorstep refuses.
struct ServiceClientTests {
    private func failure(_ status: Int, _ problem: JSON? = nil) -> Failure {
        ServiceClient.failure(status: status, problem, variable: "DOORSTEP_SUPPORT_KEY")
    }

    @Test func `input that breaks rules is a mistake of the command line, told rule by rule`() {
        let failure = failure(
            422,
            [
                "title": "The request breaks a rule",
                "errors": [
                    ["pointer": "path:order", "rule": "length", "detail": "at most 255 bytes"],
                    ["pointer": "query:at", "rule": "format", "detail": "no time"],
                ],
            ]
        )
        #expect(failure.code.exitCode == .usage)
        #expect(failure.problems == ["path:order (length): at most 255 bytes", "query:at (format): no time"])
        #expect(self.failure(400, ["title": "Not so"]).problems == ["400: Not so"])
    }

    @Test func `a wrong key is told by the name of its variable`() {
        for status in [401, 403] {
            let failure = failure(status)
            #expect(failure.code.exitCode == .refused)
            #expect(failure.problems.first?.contains("DOORSTEP_SUPPORT_KEY") == true)
        }
        #expect(failure(404).code.exitCode == .refused)
    }

    @Test func `what may pass is unreachable, what never should be is internal`() {
        #expect([429, 503].map { failure($0).code.exitCode } == [.unreachable, .unreachable])
        #expect([200, 500].map { failure($0).code.exitCode } == [.internalError, .internalError])
    }

    @Test(arguments: ["explain", "timeline"])
    func `an order without id is missing`(command: String) throws {
        let lines = try Shell.lines("DOORSTEP_SUPPORT_KEY=k doorstep \(command) ''; echo $?")
        #expect(lines.first == "doorstep \(command): missing ORDER: the order's id")
        #expect(lines.last == "2")
    }
}
