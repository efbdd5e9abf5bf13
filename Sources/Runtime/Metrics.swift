/// Figures about a running process, in the text format that Prometheus scrapes.
///
/// Labels come from closed sets given when a metric is made: a value outside its set counts as `other`, so no id or
/// token can become a label and the number of series is known beforehand. Safe from any thread.
package final class Metrics: Sendable {
    private let families = Locked<[any MetricFamily]>([])

    package init() {}

    /// A figure that only grows; its name ends in `_total`.
    package func counter(_ name: String, _ help: String, labels: [MetricLabel] = []) -> Counter {
        adopt(Counter(MetricHeader(name: name, help: help, kind: "counter", labels: labels)))
    }

    /// A figure that goes up and down.
    package func gauge(_ name: String, _ help: String, labels: [MetricLabel] = []) -> Gauge {
        adopt(Gauge(MetricHeader(name: name, help: help, kind: "gauge", labels: labels)))
    }

    /// How often values fell at or below each of `bounds`, in ascending order and in base units (seconds, bytes).
    package func histogram(_ name: String, _ help: String, bounds: [Double], labels: [MetricLabel] = []) -> Histogram {
        adopt(Histogram(MetricHeader(name: name, help: help, kind: "histogram", labels: labels), bounds: bounds))
    }

    private func adopt<Family: MetricFamily>(_ family: Family) -> Family {
        families.withLock { $0.append(family) }
        return family
    }

    /// All metrics as text: content type `text/plain; version=0.0.4`.
    package func exposition() -> String {
        families.withLock { $0 }.map { $0.header.preamble + $0.samples() }.joined()
    }
}

/// One name with all its label combinations.
protocol MetricFamily: Sendable {
    var header: MetricHeader { get }
    /// The sample lines, each with its line end.
    func samples() -> String
}

/// A label and the closed set of its values.
package struct MetricLabel: Hashable, Sendable {
    package static let otherValue = "other"

    let name: String
    let values: [String]

    package init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values.contains(Self.otherValue) ? values : values + [Self.otherValue]
    }

    package init<Value: CaseIterable & RawRepresentable<String>>(_ name: String, _ type: Value.Type) {
        self.init(name, type.allCases.map(\.rawValue))
    }
}

/// What a family is called and how its series are numbered.
struct MetricHeader: Sendable {
    let name: String
    let help: String
    let kind: String
    let labels: [MetricLabel]

    var preamble: String {
        let escaped = help.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
        return "# HELP \(name) \(escaped)\n# TYPE \(name) \(kind)\n"
    }

    var seriesCount: Int { labels.reduce(1) { $0 * $1.values.count } }

    /// The number of the series with these label values, in the order of `labels`; missing ones are `other`.
    func series(_ values: [String]) -> Int {
        var index = 0
        for (position, label) in labels.enumerated() {
            let value = position < values.count ? values[position] : MetricLabel.otherValue
            let place = label.values.firstIndex(of: value) ?? label.values.firstIndex(of: MetricLabel.otherValue) ?? 0
            index = index * label.values.count + place
        }
        return index
    }

    /// The labels of a series between braces, with `extra` ones after them; empty when there are none.
    func braces(_ series: Int, extra: [String] = []) -> String {
        var rest = series
        var pairs: [String] = []
        for label in labels.reversed() {
            pairs.append("\(label.name)=\"\(escaped(label.values[rest % label.values.count]))\"")
            rest /= label.values.count
        }
        let all = pairs.reversed() + extra
        return all.isEmpty ? "" : "{\(all.joined(separator: ","))}"
    }

    private func escaped(_ value: String) -> String {
        var result = ""
        for character in value {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}

/// Whole numbers without a fraction, as people write them.
func metricText(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}
