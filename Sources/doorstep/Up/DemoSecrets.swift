private import Crypto

/// Keys and certificates of a data folder: made once, kept over restarts.
struct DemoSecrets {
    let folder: DataFolder

    var signingKeyFile: String { "\(folder.keys)/demo.p8" }
    var masterKeyFile: String { "\(folder.keys)/master" }
    var certificateFile: String { "\(folder.tls)/server.pem" }
    var privateKeyFile: String { "\(folder.tls)/server.key" }

    /// Makes what is missing.
    func make() throws(Failure) {
        do {
            try makeFiles()
        } catch let error as FileError {
            throw Failure(.unreachable, "cannot write \(error)")
        } catch {
            throw Failure(.internalError, "cannot make keys: \(error)")
        }
    }

    private func makeFiles() throws {
        if !Files.exists(signingKeyFile) {
            try Files.write(try ES256PrivateKey.generate().pem(), to: signingKeyFile, mode: 0o600)
        }
        if !Files.exists(masterKeyFile) {
            try Files.write(Hex.encode(SecureRandom.bytes(32)) + "\n", to: masterKeyFile, mode: 0o600)
        }
        if !Files.exists(folder.certificateFile) || !Files.exists(privateKeyFile) {
            let authority = try CertificateAuthority.generate()
            let identity = try authority.issue()
            try Files.write(identity.privateKeyPEM, to: privateKeyFile, mode: 0o600)
            try Files.write(identity.certificatePEM, to: certificateFile)
            try Files.write(authority.certificatePEM, to: folder.certificateFile)
        }
    }
}
