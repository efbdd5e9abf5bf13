private import Crypto

/// The folder that `up` keeps everything in.
struct DataFolder: Sendable {
    /// Absolute.
    let path: String

    init(_ path: String) {
        self.path = Files.absolute(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    /// Twelve hex digits that stand for this folder elsewhere on the machine.
    var fingerprint: String { String(Hex.encode(SHA256.digest(Array(path.utf8))).prefix(12)) }

    var environmentFile: String { "\(path)/doorstep.env" }
    var configurationFile: String { "\(path)/doorstep.json" }
    var lockFile: String { "\(path)/run/up.lock" }
    var certificateFile: String { "\(path)/tls/ca.pem" }
    var tls: String { "\(path)/tls" }
    var keys: String { "\(path)/keys" }

    func pidFile(_ name: String) -> String { "\(path)/run/\(name).pid" }
    func logFile(_ name: String) -> String { "\(path)/log/\(name).log" }

    /// Makes the folder and those in it. Others may pass through to `postgres`; secrets are files of mode 0600.
    func make() throws(Failure) {
        do throws(FileError) {
            for folder in ["run", "log", "tls", "keys"] { try Files.makeFolder("\(path)/\(folder)") }
        } catch {
            throw Failure(.unreachable, "cannot make \(error); choose another folder with --data")
        }
    }
}
