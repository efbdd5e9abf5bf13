internal import HTTPServer
internal import JSONText

extension Endpoints {
    /// 200 when this process can serve, 503 when not; both name what was looked at.
    func readiness() async -> HTTPResponse {
        let readiness = await ports.operations.readiness()
        let checks = readiness.checks.map { JSONObject.Member(name: $0.name, value: .bool($0.isWell)) }
        return .json(
            ["ready": .bool(readiness.isReady), "checks": .object(JSONObject(checks))],
            status: readiness.isReady ? 200 : 503
        )
    }

    func metrics() async -> HTTPResponse {
        .text(await ports.operations.metrics(), type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
