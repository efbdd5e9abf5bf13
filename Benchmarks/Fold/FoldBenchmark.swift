private import Glibc
private import Tracking

/// Folds recorded orders and decides for their cards, in one thread, and tells how long it took.
///
/// usage: doorstep-fold-bench ROUNDS START-PHASE < ROWS
///
/// A row is one event, its columns divided by tabs: order, event time in microseconds, id, source, type, customer,
/// courier. The facts that the orders' phones and pushes add are made before the clock starts; what is timed is
/// `OrderStream.handle` alone, on a stream that begins empty, in processor time: others on the machine do not count.
@main
enum FoldBenchmark {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 3, let rounds = Int(words[1]), let startAt = Phase(name: words[2]) else {
            print("usage: doorstep-fold-bench ROUNDS START-PHASE < ROWS")
            exit(2)
        }
        var policy = Policy()
        policy.startAt = startAt
        let lives = OrderRows.read().map { OrderLife(of: $0, policy: policy) }
        let events = lives.reduce(0) { $0 + $1.events } * rounds
        let facts = lives.reduce(0) { $0 + $1.steps.count } * rounds
        var decisions = 0
        let start = processorSeconds
        for _ in 0..<rounds {
            for life in lives { decisions += life.fold(policy) }
        }
        print("\(events) \(facts) \(decisions) \(processorSeconds - start)")
    }

    /// What this process has used so far.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
