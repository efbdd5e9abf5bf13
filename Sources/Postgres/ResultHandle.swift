private import CLibPQ

/// A `PGresult`, freed with the last reference.
///
/// A class because rows are shared by whoever reads them. Unchecked because libpq never changes a result after it has
/// handed it out, and its readers may be on any thread (libpq manual, "Behavior in Threaded Programs").
@safe
final class ResultHandle: @unchecked Sendable {
    private let raw: OpaquePointer

    init(adopting raw: OpaquePointer) { unsafe self.raw = unsafe raw }

    deinit { unsafe PQclear(raw) }

    /// What a result says about the call it belongs to.
    var kind: PipelineResult {
        switch unsafe PQresultStatus(raw) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY, PGRES_SINGLE_TUPLE: .success
        case PGRES_PIPELINE_SYNC: .synced
        case PGRES_PIPELINE_ABORTED: .skipped
        default: .failure
        }
    }

    var rowCount: Int { Int(unsafe PQntuples(raw)) }
    var columnCount: Int { Int(unsafe PQnfields(raw)) }

    /// How many rows an INSERT, UPDATE, DELETE or SELECT touched; 0 for everything else.
    var affected: Int {
        guard let text = unsafe PQcmdTuples(raw) else { return 0 }
        return Int(unsafe String(cString: text)) ?? 0
    }

    func typeOID(column: Int) -> UInt32 { unsafe PQftype(raw, Int32(column)) }

    /// Lends the bytes of one cell; nil when it is null.
    func withCell<Value>(row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        if unsafe PQgetisnull(raw, Int32(row), Int32(column)) == 1 { return body(nil) }
        let count = Int(unsafe PQgetlength(raw, Int32(row), Int32(column)))
        let start = unsafe UnsafeRawPointer(PQgetvalue(raw, Int32(row), Int32(column)))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The refusal this result carries.
    func failure(of operation: String) -> PostgresError {
        guard let sqlState = field(shim_diag_sqlstate) else {
            return PostgresError(.lost, operation, message: "the connection broke")
        }
        // Data exceptions quote the value they refuse.
        let message = sqlState.hasPrefix("22") ? "a value was refused" : field(shim_diag_message) ?? ""
        return PostgresError(.rejected, operation, sqlState: sqlState, message: message)
    }

    private func field(_ code: Int32) -> String? {
        guard let text = unsafe PQresultErrorField(raw, code) else { return nil }
        return unsafe String(cString: text)
    }
}
