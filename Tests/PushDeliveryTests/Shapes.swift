import Foundation

/// Types as apps have them in the field, each with a contract in docs/contracts.
enum StatusAndDate {
    struct DeliveryAttributes: Codable, Hashable {
        struct ContentState: Codable, Hashable {
            enum Status: String, Codable {
                case preparing
                case onTheWay
                case arriving
                case delivered
            }

            var status: Status
            var estimatedArrival: Date
            var courierName: String?
        }

        var orderId: String
        var restaurantName: String
    }
}

enum PhaseAndMinutes {
    struct DeliveryAttributes: Codable, Hashable {
        struct ContentState: Codable, Hashable {
            var phase: String
            var etaMinutes: Int?
        }

        var orderID: String
    }
}

enum DriverProgress {
    struct DeliveryActivityAttributes: Codable, Hashable {
        struct ContentState: Codable, Hashable {
            var driverName: String
            var driverProgress: Double
            var currentStage: String
            var minutesRemaining: Int
        }

        var orderId: String
        var restaurantName: String
        var estimatedDeliveryTime: Date
    }
}

enum StepsOfTotal {
    struct DeliveryAttributes: Codable, Hashable {
        struct ContentState: Codable, Hashable {
            enum Status: String, Codable {
                case preparing
                case onTheWay
                case arrived
            }

            var status: Status
            var etaMinutes: Int
            var driverName: String
            var stepsCompleted: Int
        }

        var orderNumber: String
        var restaurantName: String
        var totalSteps: Int
    }
}

/// A payload as ActivityKit takes it apart: with a default decoder.
struct Decoded<Attributes: Decodable, State: Decodable>: Decodable {
    struct APS: Decodable {
        struct Alert: Decodable {
            let title: String
            let body: String
        }

        let timestamp: Int64
        let event: String
        let attributesType: String?
        let attributes: Attributes?
        let state: State?
        let dismissalDate: Int64?
        let alert: Alert?

        enum CodingKeys: String, CodingKey {
            case timestamp
            case event
            case attributesType = "attributes-type"
            case attributes
            case state = "content-state"
            case dismissalDate = "dismissal-date"
            case alert
        }
    }

    let aps: APS
}
