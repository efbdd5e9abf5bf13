extension Adapter {
    /// The adapters that come with Doorstep, by name.
    package static let builtIn: [Adapter] = [
        PackageResources.deliveroo_json, PackageResources.doordash_drive_json, PackageResources.onfleet_json,
        PackageResources.shipday_json, PackageResources.square_json, PackageResources.uber_direct_json,
        PackageResources.wolt_drive_json,
    ].map { text in
        do throws(AdapterError) {
            return try Adapter(text)
        } catch {
            preconditionFailure("a built-in adapter is wrong: \(error)")
        }
    }
}
