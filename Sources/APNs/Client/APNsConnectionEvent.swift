/// What happens to a client's connections, for logs and figures.
package enum APNsConnectionEvent: Hashable, Sendable {
    case opened
    /// It could not be opened; attempts go on, farther and farther apart, as pushes ask for them.
    case failed(APNsFailure)
    /// APNs takes no more pushes on it, for a reason it may have named.
    case goAway(RejectionReason?)
    case closed(APNsFailure)
}
