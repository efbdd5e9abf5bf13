internal import API
internal import Postgres
private import PostgresStore

/// Makes, lists and revokes the keys of callers.
struct KeyStore {
    let session: PostgresConnection

    /// A new key; its text is shown once and cannot be had again.
    func create(
        _ role: Role,
        apps: [Int32],
        sources: [Int32] = [],
        note: String,
        now: Int64
    ) async throws(PostgresError) -> AccessKey.Text {
        let key = AccessKey.Text(newFor: role)
        try await session.run(
            AccessKeys.insert(
                AccessKeyRow(
                    id: key.id,
                    role: role.rawValue,
                    hash: key.secretDigest,
                    apps: apps,
                    sources: sources,
                    note: note,
                    createdAt: now
                )
            )
        )
        return key
    }

    /// Whether this key is known, not revoked, of this role and good for these apps.
    func isValid(_ text: String, role: Role, apps: [Int32]) async throws(PostgresError) -> Bool {
        guard let key = AccessKey.Text(text), key.role == role else { return false }
        guard let row = try await session.run(AccessKeys.find(id: key.id)), row.revokedAt == nil else { return false }
        return row.role == role.rawValue && row.hash == key.secretDigest && Set(apps).isSubset(of: row.apps)
    }
}
