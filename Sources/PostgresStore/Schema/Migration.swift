internal import Crypto

/// One numbered step of the schema, forward only. The files lie in `Migrations` at the top of the repository.
package struct Migration: Hashable, Sendable {
    package let number: Int32
    package let name: String
    let sql: [UInt8]

    /// What is kept of the text, to notice that an applied step was edited.
    var digest: [UInt8] { SHA256.digest(sql) }

    /// The digest in hexadecimal.
    package var digestText: String { Hex.encode(digest) }

    /// All steps this program knows, in order.
    package static let all = [
        Migration(number: 1, name: "schema", sql: PackageResources._01_schema_sql),
        Migration(number: 2, name: "access-key", sql: PackageResources._02_access_key_sql),
        Migration(number: 3, name: "claim", sql: PackageResources._03_claim_sql),
        Migration(number: 4, name: "token-claim", sql: PackageResources._04_token_claim_sql),
        Migration(number: 5, name: "fallback", sql: PackageResources._05_fallback_sql),
        Migration(number: 6, name: "channel", sql: PackageResources._06_channel_sql),
        Migration(number: 7, name: "order-lists", sql: PackageResources._07_order_lists_sql),
    ]
}
