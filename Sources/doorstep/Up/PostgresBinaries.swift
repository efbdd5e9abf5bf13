/// Where PostgreSQL's programs are.
struct PostgresBinaries: Sendable {
    let folder: String

    /// The programs of the version that made `cluster`, else the newest installed. Throws with the remedy.
    static func find(for cluster: String, path: String?) throws(Failure) -> PostgresBinaries {
        if let version = try? Files.readText("\(cluster)/PG_VERSION").filter({ !$0.isWhitespace }) {
            let wanted = PostgresBinaries(folder: "/usr/lib/postgresql/\(version)/bin")
            if wanted.areComplete { return wanted }
            if let other = inPath(path) { return other }
            throw Failure(.unreachable, "\(cluster) was made by PostgreSQL \(version), which is not installed any more")
        }
        let versions = Files.names(in: "/usr/lib/postgresql").compactMap { Int($0) }.sorted().reversed()
        let installed = versions.map { PostgresBinaries(folder: "/usr/lib/postgresql/\($0)/bin") }
        if let newest = installed.first(where: \.areComplete) ?? inPath(path) { return newest }
        throw Failure(.unreachable, "PostgreSQL is not installed; run deploy/install-packages.sh")
    }

    private static func inPath(_ path: String?) -> PostgresBinaries? {
        (path ?? "").split(separator: ":").map { PostgresBinaries(folder: String($0)) }.first(where: \.areComplete)
    }

    private var areComplete: Bool {
        Files.isExecutable("\(folder)/initdb") && Files.isExecutable("\(folder)/postgres")
    }
}
