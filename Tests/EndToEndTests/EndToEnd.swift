import TestSupport
import Testing

/// The whole product at work, one stack at a time: two would measure how they share the machine.
@Suite(.serialized, .enabled(if: TestDatabase.isAvailable, LocalStack.missing))
struct EndToEnd {}
