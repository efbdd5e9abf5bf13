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
            case .exactly(let length): exchange.request.body.reserveCapacity(length)
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
            // A chunked body has outgrown the limit, and the library takes no answer while one is arriving.
            let fault = HTTPFault.bodyTooLarge(limit: settings.maxBodyBytes)
            exchange.stage = .refused
            send(RawAnswer.bytes(fault, hooks.fault(fault)), on: exchange.connection)
            return false
        }
        unsafe exchange.request.body.append(contentsOf: piece)
        return true
    }

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
