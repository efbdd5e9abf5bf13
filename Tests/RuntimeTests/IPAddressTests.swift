import Runtime
import Testing

@Suite struct IPAddressTests {
    @Test func `IPv4, its mapped form, IPv6, brackets and zones are read`() throws {
        let four = try #require(IPAddress("203.0.113.9"))
        #expect(four.isIPv4)
        #expect(IPAddress("::ffff:203.0.113.9") == four)
        let six = try #require(IPAddress("2001:db8::1"))
        #expect(!six.isIPv4)
        #expect(IPAddress("[2001:DB8:0:0::1]") == six)
        #expect(IPAddress("fe80::1%eth0") == IPAddress("fe80::1"))
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", ":::", "2001:db8::g", "[1.2.3.4"])
    func `anything else is no address`(text: String) { #expect(IPAddress(text) == nil) }

    @Test func `a machine's own addresses are told apart`() {
        #expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].allSatisfy { IPAddress($0)?.isLoopback == true })
        #expect(["128.0.0.1", "::2", "10.0.0.1"].allSatisfy { IPAddress($0)?.isLoopback == false })
    }

    @Test func `one subscriber has an IPv4 address, or 64 bits of IPv6`() {
        #expect(IPAddress("2001:db8::1")?.subscriber == IPAddress("2001:db8::ffff:1")?.subscriber)
        #expect(IPAddress("2001:db8::1")?.subscriber != IPAddress("2001:db8:0:1::1")?.subscriber)
        #expect(IPAddress("10.0.0.1")?.subscriber != IPAddress("10.0.0.2")?.subscriber)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/9", "10.128.0.1", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("::/0", "10.0.0.1", true), ("::1", "::1", true),
    ])
    func `a range has what begins with its bits`(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(IPRange(range)).contains(#require(IPAddress(address))) == isIn)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "/8", "host/8", "::/129"])
    func `anything else is no range`(text: String) { #expect(IPRange(text) == nil) }
}
