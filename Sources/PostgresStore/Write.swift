package import Postgres

/// A write whose rows nobody wants. Functions that write many rows answer with a list: empty when there is nothing to
/// write, so that a transaction is made by adding lists.
package typealias Write = Query<Void>

extension [Write] {
    /// One statement, unless there is nothing to write.
    static func unless(_ isEmpty: Bool, _ statement: Statement, _ parameters: @autoclosure () -> [PGValue]) -> [Write] {
        isEmpty ? [] : [Write(statement, parameters())]
    }
}
