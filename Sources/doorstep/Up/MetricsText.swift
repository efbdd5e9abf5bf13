/// Figures out of Prometheus' text format, as far as the status line needs them.
struct MetricsText {
    private struct Sample {
        let name: Substring
        let labels: [Substring: Substring]
        let value: Double
    }

    private let samples: [Sample]

    init(_ text: String) {
        samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(Self.sample)
    }

    /// The sum over all samples of a name whose labels include these.
    func sum(_ name: String, _ labels: [Substring: Substring] = [:]) -> Double {
        samples.filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        .reduce(0) { $0 + $1.value }
    }

    /// The upper bound of the bucket that a share of a histogram's observations reaches; nil without observations.
    func quantile(_ share: Double, of name: String) -> Double? {
        let buckets = samples.filter { $0.name == "\(name)_bucket" }
            .compactMap { sample in sample.labels["le"].flatMap { Double($0) }.map { (bound: $0, count: sample.value) }
            }
            .sorted { $0.bound < $1.bound }
        guard let total = buckets.last?.count, total > 0 else { return nil }
        return buckets.first { $0.count >= total * share }?.bound
    }

    /// `name{label="value",…} number`; label values of ours hold no quotes or commas.
    private static func sample(_ line: Substring) -> Sample? {
        guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
            return nil
        }
        let series = line[..<space]
        guard let brace = series.firstIndex(of: "{") else { return Sample(name: series, labels: [:], value: value) }
        let pairs = series[series.index(after: brace)...].dropLast().split(separator: ",").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return (parts[0], parts.count > 1 ? parts[1].dropFirst().dropLast() : "")
        }
        return Sample(
            name: series[..<brace],
            labels: Dictionary(pairs, uniquingKeysWith: { $1 }),
            value: value
        )
    }
}
