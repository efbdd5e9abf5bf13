/// Behaviour that Apple leaves open, adjustable while the simulator runs (`POST /settings`).
struct Knobs: Sendable {
    /// How long a token keeps answering 200 after its death, microseconds of the phones' clock; nil is for ever
    /// (contract 24, 25).
    struct Lags: Sendable {
        var rotated: Int64? = 0
        var ended: Int64? = 300_000_000
        var dismissed: Int64? = 60_000_000
        var uninstalled: Int64? = 0
    }

    var lags = Lags()
    var phones = Phones()
    var rate = TokenRate.Limits()
    var standing = ConnectionStanding.Limits()
    /// Channels of one app in one environment (contract 48).
    var channelLimit = 10_000
}

extension Int64 {
    /// The end of a lag that starts here; nil lags never end.
    func after(_ lag: Int64?) -> Int64 {
        guard let lag else { return .max }
        let (sum, overflow) = addingReportingOverflow(lag)
        return overflow ? .max : sum
    }
}
