import Testing

@testable import Postgres

struct PostgresErrorTests {
    @Test(arguments: [
        ("23505", PostgresError.Remedy.callAgain), ("40001", .callAgain), ("40P01", .callAgain), ("26000", .callAgain),
        ("55P03", .rowBusy),
        ("57P01", .waitForDatabase), ("53300", .waitForDatabase), ("25006", .waitForDatabase),
        ("57014", .waitForDatabase),
        ("22021", .splitBatch), ("23514", .splitBatch), ("23502", .splitBatch),
        ("40003", .outcomeUnknown),
        ("42P01", .reportBug), ("DS001", .reportBug), ("", .reportBug),
    ])
    func `a refusal has one remedy by its SQLSTATE`(_ sqlState: String, _ remedy: PostgresError.Remedy) {
        #expect(PostgresError(.rejected, "x", sqlState: sqlState).remedy == remedy)
    }

    @Test func `only a lost call leaves its outcome open`() {
        let open = PostgresError.Code.allCases.filter { PostgresError($0, "x").remedy == .outcomeUnknown }
        #expect(open == [.lost])
    }
}
