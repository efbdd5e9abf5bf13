/// One customer: where the devices and the open orders of a person meet.
package struct CustomerStream: Hashable, Sendable {
    package let id: CustomerID
    package internal(set) var devices: [DeviceID: DeviceSnapshot] = [:]
    package internal(set) var orders: Set<OrderID> = []

    package init(id: CustomerID, devices: [DeviceID: DeviceSnapshot] = [:], orders: Set<OrderID> = []) {
        self.id = id
        self.devices = devices
        self.orders = orders
    }

    /// Folds one message; answers with what the other side must be told.
    package mutating func handle(_ message: Relay.CustomerMessage) -> [Relay] {
        switch message {
        case .linkOpened(let order):
            orders.insert(order)
            let present = devices.values.sorted { $0.device.value.precedesByBytes($1.device.value) }
            return [.toOrder(order, .linkAnswered(id, devices: present))]
        case .linkClosed(let order):
            orders.remove(order)
            return []
        case .deviceJoined(let snapshot), .deviceChanged(let snapshot):
            if let known = devices[snapshot.device], known.generation > snapshot.generation { return [] }
            devices[snapshot.device] = snapshot
            return tellOrders(.deviceAvailable(snapshot))
        case .deviceLeft(let device):
            guard devices.removeValue(forKey: device) != nil else { return [] }
            return tellOrders(.deviceGone(device))
        }
    }

    private func tellOrders(_ message: Relay.OrderMessage) -> [Relay] {
        orders.sorted { $0.value.precedesByBytes($1.value) }.map { .toOrder($0, message) }
    }
}
