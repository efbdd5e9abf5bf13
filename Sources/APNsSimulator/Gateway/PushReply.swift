internal import Crypto

/// What the listener does with one request.
struct PushReply: Sendable {
    enum Delivery: Sendable, Hashable {
        case answer
        case delayed(milliseconds: Int)
        /// The stream stays open without an answer.
        case never
        /// RST_STREAM.
        case reset(ResetCode)
        /// The socket closes.
        case drop
    }

    /// Why a stream is reset.
    enum ResetCode: String, Sendable, CaseIterable {
        /// Not processed: the request may be sent again.
        case refusedStream = "REFUSED_STREAM"
        case internalError = "INTERNAL_ERROR"
        case cancel = "CANCEL"
        case enhanceYourCalm = "ENHANCE_YOUR_CALM"
    }

    /// Which header brings a request's id and takes it back.
    enum IDHeader: String, Sendable {
        case apnsID = "apns-id"
        /// Of broadcasts and channel management.
        case requestID = "apns-request-id"
    }

    /// What an answer says when there is no refusal; a push has nothing to say.
    struct Success: Sendable, Hashable {
        var status = 200
        /// Of a channel that was made.
        var channelID: String?
        var body: [UInt8] = []
    }

    let idHeader: IDHeader
    let apnsID: UUID128
    /// By APNs' own clock, Unix seconds: the `date` of the answer.
    let date: Int64
    /// For pushes on the sandbox listener only.
    let uniqueID: UUID128?
    let success: Success
    let refusal: Refusal?
    let delivery: Delivery
    let connectionActions: [ConnectionAction]
}
