private import Glibc

/// Makes sure that one `up` works on a folder. The kernel lets go of the lock when the process ends, however it ends.
struct InstanceLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock; throws with the other's pid when another process has it.
    init(_ folder: DataFolder) throws(Failure) {
        let path = folder.lockFile
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(.unreachable, "\(FileError(path))") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let owner = (try? Files.readText(path)) ?? ""
            close(descriptor)
            throw Failure(
                .unreachable,
                "another `doorstep up` (pid \(owner.isEmpty ? "unknown" : owner)) runs in \(folder.path); "
                    + "stop it with Ctrl-C or `kill \(owner)`, or choose another folder with --data"
            )
        }
        let text = Array("\(getpid())".utf8)
        ftruncate(descriptor, 0)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit { close(descriptor) }

    /// Lets go; until then the lock is alive.
    consuming func release() {}
}
