internal import Postgres
internal import PostgresStore
internal import Runtime
internal import Service

/// Keys and sources from the database, remembered for a few seconds: a revoked key ends that soon.
package final class LiveAccess: AccessPort {
    private static let memory = Duration.seconds(5)

    private let service: LiveService
    private let sources: ConfiguredSources
    private let tokens: CustomerTokens
    private let refresh: @Sendable (String) async -> Void
    private let keys = Locked<[String: (key: AccessKey?, until: MonotonicTime)]>([:])

    /// Sources that are not configured are taken as they come, but for our own.
    /// `refresh` fetches the keys of an app's issuer again.
    package init(
        _ service: LiveService,
        sources: ConfiguredSources,
        tokens: CustomerTokens,
        refresh: @escaping @Sendable (String) async -> Void
    ) {
        self.service = service
        self.sources = sources
        self.tokens = tokens
        self.refresh = refresh
    }

    package func key(id: String) async throws(Unavailable) -> AccessKey? {
        let known = keys.withLock { $0[id].flatMap { $0.until > .now ? $0 : nil } }
        if let known { return known.key }
        let row = try await service.reading { try await self.service.pool.run(AccessKeys.find(id: id)) }
        let key = row.flatMap(accessKey)
        keys.withLock { keys in
            // Ids that do not exist must not fill the memory.
            if keys.count > 10_000 { keys.removeAll() }
            keys[id] = (key, .now + Self.memory)
        }
        return key
    }

    private func accessKey(_ row: AccessKeyRow) -> AccessKey? {
        guard row.revokedAt == nil, let role = Role(rawValue: row.role) else { return nil }
        let sources = row.sources.compactMap { service.directory.source($0)?.name }
        return AccessKey(
            id: row.id,
            role: role,
            secretDigest: row.hash,
            apps: row.apps.compactMap { service.directory.app($0)?.name },
            sources: row.sources.isEmpty ? nil : Set(sources)
        )
    }

    package func customer(bearing token: String, app: String?, at now: Int64) async -> CustomerTokens.Verdict {
        await tokens.judge(token, app: app, at: now, refresh: refresh)
    }

    package func source(named name: String, app: String) async throws(Unavailable) -> SourceSettings? {
        if name.hasPrefix(OwnSource.prefix) { return nil }
        return sources[app, name] ?? SourceSettings()
    }

    package func signers(of source: String, app: String?) async throws(Unavailable) -> [Signer] {
        sources.signers(of: source, app: app)
    }

    package func hooks(of source: String, app: String?) async throws(Unavailable) -> [Hook] {
        sources.hooks(of: source, app: app)
    }
}
