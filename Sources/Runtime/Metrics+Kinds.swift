/// A figure that only grows.
package final class Counter: MetricFamily {
    let header: MetricHeader
    private let values: Locked<[Double]>

    init(_ header: MetricHeader) {
        self.header = header
        values = Locked([Double](repeating: 0, count: header.seriesCount))
    }

    /// Adds to the series with these label values, in the order the labels were given.
    package func add(_ amount: Int = 1, _ labels: String...) {
        let series = header.series(labels)
        values.withLock { $0[series] += Double(amount) }
    }

    /// The present value of a series.
    package func value(_ labels: String...) -> Double {
        let series = header.series(labels)
        return values.withLock { $0[series] }
    }

    func samples() -> String { simpleSamples(header, values.withLock { $0 }) }
}

/// A figure that goes up and down.
package final class Gauge: MetricFamily {
    let header: MetricHeader
    private let values: Locked<[Double]>

    init(_ header: MetricHeader) {
        self.header = header
        values = Locked([Double](repeating: 0, count: header.seriesCount))
    }

    package func set(_ value: Double, _ labels: String...) {
        let series = header.series(labels)
        values.withLock { $0[series] = value }
    }

    package func add(_ amount: Double, _ labels: String...) {
        let series = header.series(labels)
        values.withLock { $0[series] += amount }
    }

    /// The present value of a series.
    package func value(_ labels: String...) -> Double {
        let series = header.series(labels)
        return values.withLock { $0[series] }
    }

    func samples() -> String { simpleSamples(header, values.withLock { $0 }) }
}

/// How often values fell at or below each bound.
package final class Histogram: MetricFamily {
    private struct Series {
        var counts: [Int]
        var sum = 0.0
    }

    let header: MetricHeader
    private let bounds: [Double]
    private let series: Locked<[Series]>

    init(_ header: MetricHeader, bounds: [Double]) {
        self.header = header
        self.bounds = bounds
        let empty = Series(counts: [Int](repeating: 0, count: bounds.count + 1))
        series = Locked([Series](repeating: empty, count: header.seriesCount))
    }

    package func observe(_ value: Double, _ labels: String...) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        let index = header.series(labels)
        series.withLock {
            $0[index].counts[bucket] += 1
            $0[index].sum += value
        }
    }

    func samples() -> String {
        var text = ""
        for (index, series) in series.withLock({ $0 }).enumerated() {
            var cumulative = 0
            for (count, bound) in zip(series.counts, bounds + [.infinity]) {
                cumulative += count
                let braces = header.braces(index, extra: ["le=\"\(metricText(bound))\""])
                text += "\(header.name)_bucket\(braces) \(cumulative)\n"
            }
            text += "\(header.name)_sum\(header.braces(index)) \(metricText(series.sum))\n"
            text += "\(header.name)_count\(header.braces(index)) \(cumulative)\n"
        }
        return text
    }
}

private func simpleSamples(_ header: MetricHeader, _ values: [Double]) -> String {
    values.enumerated().map { "\(header.name)\(header.braces($0)) \(metricText($1))\n" }.joined()
}
