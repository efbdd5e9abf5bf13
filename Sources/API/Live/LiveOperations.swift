internal import Postgres
internal import PostgresStore
internal import Runtime
internal import Service

/// Readiness and metrics of this process.
package struct LiveOperations: OperationsPort {
    private let service: LiveService
    private let refresh: @Sendable () async -> Void

    /// `refresh` brings the gauges up to date before they are read.
    package init(_ service: LiveService, refresh: @escaping @Sendable () async -> Void) {
        self.service = service
        self.refresh = refresh
    }

    package func readiness() async -> ServiceReadiness {
        let database = (try? await service.pool.run(Counters.databaseTime)) != nil
        return ServiceReadiness(checks: [
            ServiceReadiness.Check(name: "database", isWell: database),
            ServiceReadiness.Check(name: "log", isWell: await !service.appender.failsToCommit),
            ServiceReadiness.Check(name: "apps", isWell: !service.directory.apps.isEmpty),
        ])
    }

    package func metrics() async -> String {
        await refresh()
        return service.metrics.exposition()
    }
}
