import Runtime
import Testing

@testable import HTTPServer

@Suite struct ConnectionClockTests {
    private let settings: HTTPServerSettings = {
        var settings = HTTPServerSettings()
        settings.headerDeadline = .seconds(10)
        settings.bodyDeadline = .seconds(20)
        settings.idleDeadline = .seconds(30)
        settings.writeDeadline = .seconds(40)
        return settings
    }()

    private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    private var opened: ConnectionClock { ConnectionClock(settings, openedAt: at(0)) }

    @Test func `the first request's headers are timed from the connection`() {
        var clock = opened
        clock.targetArrived(at: at(9))
        #expect(clock.expire(at: at(9)) == nil)
        #expect(clock.expire(at: at(10)) == .answerAndClose)
    }

    @Test func `a connection without a request line is closed, with a word if one has begun`() {
        var clock = opened
        #expect(clock.isIdle)
        #expect(clock.expire(at: at(10)) == .answerIfBegunAndClose)
    }

    @Test func `the body has its own time, which no byte prolongs`() {
        var clock = opened
        clock.targetArrived(at: at(1))
        clock.headArrived(at: at(5))
        #expect(clock.expire(at: at(24)) == nil)
        #expect(clock.expire(at: at(25)) == .answerAndClose)
    }

    @Test func `a handler has all the time it wants`() {
        var clock = opened
        clock.targetArrived(at: at(1))
        clock.headArrived(at: at(1))
        clock.bodyArrived()
        #expect(clock.expire(at: at(100_000)) == nil)
        #expect(!clock.isIdle)
    }

    @Test func `an answer is timed from when it was given, a stream piece by piece`() {
        var clock = opened
        clock.answered(at: at(5))
        clock.pieceTaken(at: at(30))
        #expect(clock.expire(at: at(69)) == nil)
        clock.pieceWanted()
        #expect(clock.expire(at: at(100_000)) == nil)
        clock.pieceTaken(at: at(100_000))
        #expect(clock.expire(at: at(100_040)) == .close)
    }

    @Test func `a later request's headers are timed from its request line`() {
        var clock = opened
        clock.answered(at: at(5))
        clock.ended(at: at(6))
        #expect(clock.isIdle)
        clock.targetArrived(at: at(35))
        #expect(clock.expire(at: at(44)) == nil)
        #expect(clock.expire(at: at(45)) == .answerAndClose)
    }

    @Test func `expiry is said once`() {
        var clock = opened
        #expect(clock.expire(at: at(10)) == .answerIfBegunAndClose)
        #expect(clock.expire(at: at(1000)) == nil)
    }

    @Test func `deadlines are looked at often enough and not too often`() {
        var settings = HTTPServerSettings()
        #expect(settings.tick == .seconds(1))
        settings.headerDeadline = .milliseconds(400)
        #expect(settings.tick == .milliseconds(50))
        settings.bodyDeadline = .milliseconds(1)
        #expect(settings.tick == .milliseconds(10))
    }
}
