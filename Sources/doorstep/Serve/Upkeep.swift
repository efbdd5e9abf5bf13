private import Postgres
private import PostgresStore
internal import Runtime

/// Makes the ranges of the log ahead of need, on a connection of its own.
struct Upkeep: Service {
    private static let interval = Duration.seconds(600)

    let url: String
    let loop: EventLoop
    let log: Log

    func run() async throws {
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.open(on: loop, StoreSession.durable(url))
                do { try await Partitions.extend(on: connection, now: WallClock.microseconds) } catch {
                    log.error("ranges", ["error": .string("\(error)")])
                }
                await connection.close()
            } catch {
                log.warning("upkeep", ["error": .string("\(error)")])
            }
            try await loop.sleep(for: Self.interval)
        }
    }
}
