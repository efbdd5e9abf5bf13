import PostgresStore
import Testing
import Tracking

struct TokenKeyTests {
    @Test(arguments: [TokenKind.start, .update, .device], [APNsEnvironment.sandbox, .production])
    func `a token's id tells what its row is found by`(kind: TokenKind, environment: APNsEnvironment) {
        let key = TokenKey(app: 3, hash: [0, 255, 16], kind: kind, environment: environment)
        #expect(TokenKey(app: 3, key.id) == key)
    }

    // P38
    @Test func `one value for a start and for updates is two tokens`() {
        let start = TokenKey(app: 1, hash: [1], kind: .start, environment: .sandbox)
        let update = TokenKey(app: 1, hash: [1], kind: .update, environment: .sandbox)
        #expect(start.id != update.id)
    }

    @Test(arguments: ["", "ss", "ss.", "xs.01", "sx.01", "ss.0", "ss.zz", "ss01"])
    func `other text is no token`(_ text: String) {
        #expect(TokenKey(app: 1, TokenID(text)) == nil)
    }
}
