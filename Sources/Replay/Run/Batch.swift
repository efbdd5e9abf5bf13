/// How much goes into one request (interfaces 3: 1,000 events and 4 MiB are the most).
enum Batch {
    static let items = 500
    private static let bytes = 4_000_000

    /// How many of the first rows fit; at least one.
    static func size(of rows: ArraySlice<Int>, in recording: Recording) -> Int {
        var count = 0
        var total = 2
        for row in rows.prefix(items) {
            total += recording.rows[row].body.count + 1
            if total > bytes { break }
            count += 1
        }
        return max(1, count)
    }
}
