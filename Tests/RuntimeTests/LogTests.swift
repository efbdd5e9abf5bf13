import Runtime
import Testing

@Suite struct LogTests {
    private final class Sink: Sendable {
        let lines = Locked<[String]>([])
    }

    private func log(_ sink: Sink, threshold: Log.Level = .info, now: Int64 = 0) -> Log {
        Log(threshold: threshold, now: { now }, sink: { line in sink.lines.withLock { $0.append(line) } })
    }

    @Test func `a line is one JSON object with time, level, event and fields`() {
        let sink = Sink()
        log(sink, now: 1_764_500_000_123_999).info("started", ["port": 8080, "ok": true, "share": 0.5, "app": "demo"])
        #expect(
            sink.lines.withLock { $0 } == [
                #"{"time":"2025-11-30T10:53:20.123Z","level":"info","event":"started","port":8080,"ok":true,"share":0.5,"app":"demo"}"#
            ]
        )
    }

    @Test func `text is escaped so that a line stays a line`() {
        let sink = Sink()
        log(sink).warning("odd", ["text": "a\"b\\c\nd\u{1}é"])
        #expect(sink.lines.withLock { $0 }.first?.contains(#""text":"a\"b\\c\nd\u0001é""#) == true)
    }

    @Test func `levels below the threshold are dropped`() {
        let sink = Sink()
        let log = log(sink, threshold: .warning)
        log.debug("a")
        log.info("b")
        log.warning("c")
        log.error("d")
        #expect(sink.lines.withLock { $0.count } == 2)
    }

    @Test func `context fields stand on every line`() {
        let sink = Sink()
        log(sink).with(["service": "projector"]).info("a", ["lane": 3])
        #expect(sink.lines.withLock { $0 }.first?.hasSuffix(#""service":"projector","lane":3}"#) == true)
    }

    @Test func `a time before 1970 and numbers that JSON lacks are written safely`() {
        let sink = Sink()
        log(sink, now: -1).info("a", ["value": .number(.nan)])
        #expect(
            sink.lines.withLock { $0 } == [
                #"{"time":"1969-12-31T23:59:59.999Z","level":"info","event":"a","value":null}"#
            ]
        )
    }
}
