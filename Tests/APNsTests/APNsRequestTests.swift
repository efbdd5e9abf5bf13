import APNs
import Testing

struct APNsRequestTests {
    @Test(arguments: [64, 160, 200]) func `tokens of any even length are taken`(length: Int) {
        // P46
        var request = APNsRequest.test()
        request.destination = .device(token: String(repeating: "a", count: length))
        #expect(request.problem == nil)
    }

    @Test(arguments: ["", "abc", "zz", "ab/../..", "ab cd "]) func `anything but pairs of digits is no token`(
        token: String
    ) {
        var request = APNsRequest.test()
        request.destination = .device(token: token)
        #expect(request.problem != nil)
    }

    @Test func `a payload has 1 to 4096 bytes`() {
        var request = APNsRequest.test()
        request.payload = [UInt8](repeating: 32, count: 4096)
        #expect(request.problem == nil)
        request.payload.append(32)
        #expect(request.problem != nil)
        request.payload = []
        #expect(request.problem != nil)
    }

    @Test func `a collapse id has 1 to 64 bytes`() {
        var request = APNsRequest.test()
        request.collapseID = String(repeating: "c", count: 64)
        #expect(request.problem == nil)
        request.collapseID = String(repeating: "é", count: 33)
        #expect(request.problem != nil)
        request.collapseID = ""
        #expect(request.problem != nil)
    }

    @Test func `topic and expiration must make sense`() {
        var request = APNsRequest.test()
        request.expiration = -1
        #expect(request.problem != nil)
        request.expiration = 0
        #expect(request.problem == nil)
        request.topic = ""
        #expect(request.problem != nil)
    }
}
