/// Every knob there is; what each means stands at its member of `Knobs` and in docs/simulator.md.
extension Knob {
    static let all = gateway + phones

    private static let gateway: [Knob] = [
        .seconds("rotatedLagSeconds", \.lags.rotated),
        .seconds("endedLagSeconds", \.lags.ended),
        .seconds("dismissedLagSeconds", \.lags.dismissed),
        .seconds("uninstalledLagSeconds", \.lags.uninstalled),
        .number("requestsPerSecond", \.rate.perSecond),
        .number("requestBurst", \.rate.burst),
        .count("untrustedStreams", \.standing.untrusted),
        .count("trustedStreams", \.standing.trusted),
        .count("slowAt", \.standing.slowAt),
        .count("disconnectAt", \.standing.disconnectAt),
        .count("channelLimit", \.channelLimit),
    ]

    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
