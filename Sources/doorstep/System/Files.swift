private import Glibc

/// Files and folders, as far as commands need them.
enum Files {
    /// Makes a folder and those above it; one that exists keeps its mode.
    static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let parent = parent(of: path) else { throw FileError(path) }
        try makeFolder(parent)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileError(path) }
    }

    /// Writes a whole file in one step: a reader sees the old text or the new one.
    static func write(_ text: String, to path: String, mode: UInt32 = 0o644) throws(FileError) {
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileError(draft) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FileError(draft) }
            rest = rest.dropFirst(count)
        }
        guard rename(draft, path) == 0 else { throw FileError(path) }
    }

    /// The whole of a file that is not large.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw FileError(path) }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }

    static func readText(_ path: String) throws(FileError) -> String {
        String(decoding: try read(path), as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Removes a file if it is there.
    static func remove(_ path: String) { unlink(path) }

    /// Names in a folder, sorted; empty when it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The absolute path, by the present folder; nothing of it needs to exist.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let present = getcwd(nil, 0) else { return path }
        defer { free(present) }
        return path == "." ? String(cString: present) : "\(String(cString: present))/\(path)"
    }

    /// What a symbolic link points at; the path itself when it is none.
    static func target(of link: String) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { bytes in
                bytes.baseAddress.map { readlink(link, $0, bytes.count) } ?? 0
            }
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : link
    }

    /// How many bytes the disk of a file still takes; nil when its folder is not there.
    static func room(beside path: String) -> Int? {
        var status = statvfs()
        guard statvfs(parent(of: path) ?? ".", &status) == 0 else { return nil }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Gives a file or folder to a user and their group.
    static func give(_ path: String, to user: UserAccount) throws(FileError) {
        guard chown(path, user.id, user.group) == 0 else { throw FileError(path) }
    }

    /// Whether `user` may enter every folder from the root down to `path`, by owner, group and other bits.
    static func canEnter(_ path: String, as user: UserAccount) -> Bool {
        var folder = path
        while true {
            var status = stat()
            guard stat(folder, &status) == 0 else { return false }
            let bit: UInt32 =
                status.st_uid == user.id ? S_IXUSR : status.st_gid == user.group ? S_IXGRP : S_IXOTH
            guard status.st_mode & bit != 0 else { return false }
            guard folder != "/", let parent = parent(of: folder) else { return true }
            folder = parent
        }
    }
}

/// A user of this machine.
struct UserAccount {
    let name: String
    let id: UInt32
    let group: UInt32

    /// Nil when there is no such user.
    init?(named name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.name = name
        id = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
    }

    static var isRoot: Bool { geteuid() == 0 }
}
