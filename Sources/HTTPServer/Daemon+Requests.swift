internal import Runtime

/// What becomes of a request as it arrives. False has the library close the connection at once.
extension Daemon {
    func begin(_ head: RequestHead, on connection: Connection) -> Exchange {
        let (path, query) = head.pathAndQuery
        let request = HTTPRequest(
            method: head.method,
            path: path,
            query: query,
            headers: HTTPHeaders(head.fields),
            peer: connection.peer
        )
        let exchange = Exchange(id: nextID(), connection: connection, request: request)
        exchanges[exchange.id] = exchange
        return exchange
    }

    func headArrived(_ head: RequestHead, _ exchange: Exchange) -> Bool {
        do throws(HTTPRefusal) {
            switch try head.bodyLength(headerLimit: settings.headerBytes, bodyLimit: settings.maxBodyBytes) {
            case .exactly(let length):
                guard hasRoom(for: length) else { return refuse(exchange, .overloaded) }
                // What is only promised takes no memory.
                exchange.request.body.reserveCapacity(min(length, 64 << 10))
            case .chunked: break
            }
        } catch {
            return refuse(exchange, error.fault)
        }
        exchange.connection.clock.headArrived(at: .now)
        return true
    }

    func bodyPieceArrived(_ piece: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard case .receiving = exchange.stage else { return true }
        guard exchange.request.body.count + piece.count <= settings.maxBodyBytes else {
            return cut(exchange, .bodyTooLarge(limit: settings.maxBodyBytes))
        }
        guard hasRoom(for: piece.count) else { return cut(exchange, .overloaded) }
        unsafe exchange.request.body.append(contentsOf: piece)
        exchange.heldBytes += piece.count
        heldBytes += piece.count
        return true
    }

    /// Answers past the library, which takes no answer while a body is arriving, and closes.
    private func cut(_ exchange: Exchange, _ fault: HTTPFault) -> Bool {
        exchange.stage = .refused
        send(RawAnswer.bytes(fault, hooks.fault(fault)), on: exchange.connection)
        return false
    }

    private func hasRoom(for count: Int) -> Bool { heldBytes + count <= settings.allBodiesBytes }

    /// What the library is to do with a connection whose request is whole.
    enum Progress {
        case goOn
        /// Leave the connection alone until the answer is there.
        case wait
        case close
    }

    func bodyArrived(_ exchange: Exchange) -> Progress {
        switch exchange.stage {
        case .receiving:
            exchange.stage = .handling
            exchange.connection.clock.bodyArrived()
            hooks.request(exchange.id, exchange.request)
            return .wait
        case .refused, .handling: return .goOn
        case .answered: return .close
        }
    }

    func ended(_ exchange: Exchange) {
        exchanges[exchange.id] = nil
        heldBytes -= exchange.heldBytes
        exchange.stream?.close()
        exchange.connection.clock.ended(at: .now)
        switch exchange.stage {
        case .refused: linger(exchange.connection)
        case .receiving, .handling, .answered:
            if isDraining { shutDown(exchange.connection) }
        }
        hooks.ended(exchange.id)
    }
}
