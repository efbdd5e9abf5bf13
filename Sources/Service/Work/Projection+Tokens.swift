internal import PostgresStore
internal import Tracking

/// The token streams of a batch. They are met once or twice in their life, so no memory keeps them.
extension Projection {
    /// A token value of the batch: its row as it stood, and its stream as it stands.
    struct TokenWork: Sendable {
        let key: TokenKey
        let before: TokenStream.State
        var after: TokenStream
    }

    /// nil in place of a state: the value has no row. An address that names no token is folded by nobody.
    mutating func load(token address: StreamAddress, _ state: TokenStream.State?) {
        let id = TokenID(address.stream)
        guard let key = TokenKey(app: address.app, id) else { return }
        let before = state ?? .free
        tokens[address.key] = TokenWork(key: key, before: before, after: TokenStream(id: id, state: before))
    }

    mutating func fold(token address: StreamAddress, _ logged: LoggedFact) throws(FactError) {
        guard let message = try TokenFactCodec.message(type: logged.type, body: logged.body) else { return }
        guard let relays = tokens[address.key]?.after.handle(message) else { throw FactError(.badValue, "stream") }
        add(relays, for: logged)
    }

    /// The rows of the values that changed hands; a value that is nobody's has none.
    func tokenWrites(lane: Int32) -> [Write] {
        var saved: [TokenOwnerRow] = []
        var deleted: [TokenKey] = []
        for work in tokens.values where work.after.state != work.before {
            switch work.after.state {
            case .free: deleted.append(work.key)
            case .owned(let owner): saved.append(TokenOwnerRow(work.key, owner, deadAt: nil))
            case .dead(let owner, let since): saved.append(TokenOwnerRow(work.key, owner, deadAt: since))
            }
        }
        return TokenOwners.save(lane: lane, saved) + TokenOwners.delete(lane: lane, deleted)
    }
}

extension TokenOwnerRow {
    fileprivate init(_ key: TokenKey, _ owner: TokenStream.Owner, deadAt: Instant?) {
        self.init(
            key: key,
            device: owner.holder.device,
            order: owner.holder.order,
            claim: Int32(owner.claim),
            deadAt: deadAt?.microseconds
        )
    }
}

extension TokenStream.State {
    init(_ row: TokenOwnerRow) {
        let owner = TokenStream.Owner(
            holder: TokenHolder(device: row.device, order: row.order),
            claim: Int(row.claim)
        )
        self = row.deadAt.map { .dead(owner, since: Instant(microseconds: $0)) } ?? .owned(owner)
    }
}
