import PostgresStore
import Tracking

/// Reads one of our own facts as the projector does.
func orderFact(_ type: String, _ body: [UInt8]) throws(FactError) -> OrderStreamFact {
    try OrderFactCodec.fact(type: type, body: body, recordedAt: Instant(seconds: 0))
}
