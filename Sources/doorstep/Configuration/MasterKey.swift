private import Crypto

/// The key that seals push tokens.
enum MasterKey {
    /// The 32 bytes of a file that holds 64 hexadecimal digits; white space between them means nothing.
    static func read(_ file: String) throws(Failure) -> [UInt8] {
        let text: String
        do throws(FileError) { text = try Files.readText(file) } catch { throw Failure(.usage, "\(error)") }
        guard let key = Hex.decode(text.split(whereSeparator: \.isWhitespace).joined()), key.count == 32 else {
            throw Failure(.usage, "\(file) must hold 64 hexadecimal digits, the key that seals push tokens")
        }
        return key
    }
}
