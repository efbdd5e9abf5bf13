private import FoundationEssentials

extension TimeZoneRules {
    /// The zone of this IANA name; nil when the system does not know it.
    package init?(named name: String, directory: String = "/usr/share/zoneinfo") {
        guard Self.isPlainName(name),
            let file = FileManager.default.contents(atPath: "\(directory)/\(name)")
        else { return nil }
        self.init(file: Array(file))
    }

    /// A name cannot leave the directory of zones.
    private static func isPlainName(_ name: String) -> Bool {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
        return allowed && !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("/") && !name.hasSuffix("/")
    }

    /// Reads a compiled zone file (RFC 8536, section 3), version 2 or later.
    init?(file: [UInt8]) {
        var reader = Reader(bytes: file)
        guard let first = reader.header(), first.version >= UInt8(ascii: "2") else { return nil }
        reader.skip(first.bodySize(timeSize: 4))
        guard let header = reader.header() else { return nil }

        var transitions: [Int64] = []
        for _ in 0..<header.transitions {
            guard let time = reader.integer(8) else { return nil }
            transitions.append(time)
        }
        var kinds: [Int] = []
        for _ in 0..<header.transitions {
            guard let kind = reader.integer(1) else { return nil }
            kinds.append(Int(kind))
        }
        var zoneOffsets: [Int64] = []
        for _ in 0..<header.kinds {
            guard let offset = reader.integer(4) else { return nil }
            zoneOffsets.append(Int64(Int32(truncatingIfNeeded: offset)))
            reader.skip(2)
        }
        reader.skip(header.names + header.leaps * 12 + header.standardFlags + header.universalFlags)
        guard let standard = zoneOffsets.first, kinds.allSatisfy({ $0 < zoneOffsets.count }) else { return nil }
        self.init(
            transitions: transitions,
            offsets: kinds.map { zoneOffsets[$0] },
            firstOffset: standard,
            rule: PosixTimeZone(reader.footer())
        )
    }

    private struct Header {
        let version: UInt8
        let universalFlags: Int
        let standardFlags: Int
        let leaps: Int
        let transitions: Int
        let kinds: Int
        let names: Int

        func bodySize(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + kinds * 6 + names + leaps * (timeSize + 4) + standardFlags + universalFlags
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func skip(_ count: Int) { position += count }

        /// A big-endian integer; eight bytes are signed.
        mutating func integer(_ size: Int) -> Int64? {
            guard position + size <= bytes.count else { return nil }
            defer { position += size }
            return bytes[position..<position + size].reduce(0) { $0 << 8 | Int64($1) }
        }

        mutating func header() -> Header? {
            guard position + 44 <= bytes.count, bytes[position...].starts(with: "TZif".utf8) else { return nil }
            let version = bytes[position + 4]
            position += 20
            let counts = (0..<6).compactMap { _ in integer(4) }.map(Int.init)
            guard counts.count == 6, counts.allSatisfy({ $0 < 100_000 }) else { return nil }
            return Header(
                version: version,
                universalFlags: counts[0],
                standardFlags: counts[1],
                leaps: counts[2],
                transitions: counts[3],
                kinds: counts[4],
                names: counts[5]
            )
        }

        /// The rule for later times, between two line ends.
        func footer() -> String {
            guard position < bytes.count else { return "" }
            let line = bytes[position...].split(separator: UInt8(ascii: "\n")).first ?? []
            return String(decoding: line, as: UTF8.self)
        }
    }
}
