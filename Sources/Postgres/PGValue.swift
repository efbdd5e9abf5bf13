package import Crypto

/// A parameter of a statement, sent in binary.
///
/// Each case fixes the PostgreSQL type it is sent as, so a value of the wrong type is refused by the server instead of
/// being read as something else. Arrays are one-dimensional; their elements may be null.
package enum PGValue: Hashable, Sendable {
    /// A null whose type the statement tells.
    case null
    case bool(Bool)
    case int4(Int32)
    case int8(Int64)
    case text(String)
    case bytea([UInt8])
    case uuid(UUID128)
    /// Microseconds since 1970 (UTC); `Int64.max` is infinity.
    case timestamptz(Int64)
    /// PostgreSQL's one-byte type `"char"`.
    case char(UInt8)
    case boolArray([Bool?])
    case int4Array([Int32?])
    case int8Array([Int64?])
    case textArray([String?])
    case byteaArray([[UInt8]?])
    case uuidArray([UUID128?])
    case timestamptzArray([Int64?])
    case charArray([UInt8?])

    /// Null or a 64-bit integer; the same for the other types below.
    package static func int8(_ value: Int64?) -> PGValue { value.map { .int8($0) } ?? .null }
    package static func int4(_ value: Int32?) -> PGValue { value.map { .int4($0) } ?? .null }
    package static func text(_ value: String?) -> PGValue { value.map { .text($0) } ?? .null }
    package static func bytea(_ value: [UInt8]?) -> PGValue { value.map { .bytea($0) } ?? .null }
    package static func uuid(_ value: UUID128?) -> PGValue { value.map { .uuid($0) } ?? .null }
    package static func timestamptz(_ value: Int64?) -> PGValue { value.map { .timestamptz($0) } ?? .null }
}

/// Object ids of PostgreSQL's built-in types (`pg_type.dat`); they never change.
enum TypeOID {
    static let unspecified: UInt32 = 0
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let char: UInt32 = 18
    static let int8: UInt32 = 20
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let boolArray: UInt32 = 1000
    static let byteaArray: UInt32 = 1001
    static let charArray: UInt32 = 1002
    static let int4Array: UInt32 = 1007
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let timestamptzArray: UInt32 = 1185
    static let uuidArray: UInt32 = 2951
}

extension PGValue {
    /// The type the server is told when the statement is prepared.
    var typeOID: UInt32 {
        switch self {
        case .null: TypeOID.unspecified
        case .bool: TypeOID.bool
        case .int4: TypeOID.int4
        case .int8: TypeOID.int8
        case .text: TypeOID.text
        case .bytea: TypeOID.bytea
        case .uuid: TypeOID.uuid
        case .timestamptz: TypeOID.timestamptz
        case .char: TypeOID.char
        case .boolArray: TypeOID.boolArray
        case .int4Array: TypeOID.int4Array
        case .int8Array: TypeOID.int8Array
        case .textArray: TypeOID.textArray
        case .byteaArray: TypeOID.byteaArray
        case .uuidArray: TypeOID.uuidArray
        case .timestamptzArray: TypeOID.timestamptzArray
        case .charArray: TypeOID.charArray
        }
    }
}

/// PostgreSQL counts microseconds from 2000-01-01; everything here counts from 1970.
let microsecondsFrom1970To2000: Int64 = 946_684_800_000_000
