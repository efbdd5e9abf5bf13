extension Order {
    func write(_ out: inout ByteWriter) {
        out.put(reached?.rawValue ?? 0)
        out.put(since)
        out.put(kitchen.rawValue)
        out.put(courierState.rawValue)
        out.put(courier) { out, courier in
            out.put(courier.id)
            out.put(courier.name)
        }
        out.put(eta)
        out.put(pickupETA)
        out.put(firstPromised)
        out.put(attemptFailedAt)
        out.put(Int64(flags.rawValue))
        out.put(restaurant) { out, restaurant in
            out.put(restaurant.id)
            out.put(restaurant.name)
            out.put(restaurant.timeZone)
        }
        out.put(displayNumber)
        out.put(scheduledFor)
        out.put(progress) { $0.put(fixed: $1.bitPattern) }
        out.put(batch)
        out.put(reason)
        out.put(each: references.sorted { $0.key.precedesByBytes($1.key) }) { out, reference in
            out.put(reference.key)
            out.put(reference.value)
        }
        out.put(each: customers) { $0.put($1.value) }
        out.put(revision)
        out.put(lastKey) { out, key in
            out.put(key.time)
            out.put(key.rank)
            out.put(key.source)
            out.put(key.id)
        }
        out.put(each: tellings) { out, telling in
            out.put(telling.type.word)
            out.put(fixed: telling.digest)
        }
        out.put(each: voided.sorted { $0.precedesByBytes($1) }) { out, reference in
            out.put(reference.source)
            out.put(reference.id)
        }
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        reached = Phase(rawValue: try reader.int())
        since = try reader.optionalInstant()
        kitchen = try reader.value(KitchenState.self) { reader throws(StoredFormError) in try reader.int() }
        courierState = try reader.value(CourierState.self) { reader throws(StoredFormError) in try reader.int() }
        courier = try reader.optional { reader throws(StoredFormError) in
            PartnerData.Courier(id: try reader.optionalText(), name: try reader.optionalText())
        }
        eta = try reader.optionalInstant()
        pickupETA = try reader.optionalInstant()
        firstPromised = try reader.optionalInstant()
        attemptFailedAt = try reader.optionalInstant()
        flags = Flags(rawValue: Int32(truncatingIfNeeded: try reader.int64()))
        restaurant = try reader.optional { reader throws(StoredFormError) in
            PartnerData.Restaurant(
                id: try reader.optionalText(),
                name: try reader.optionalText(),
                timeZone: try reader.optionalText()
            )
        }
        displayNumber = try reader.optionalText()
        scheduledFor = try reader.optionalInstant()
        progress = try reader.optional { reader throws(StoredFormError) in Double(bitPattern: try reader.fixed()) }
        batch = try reader.optionalText()
        reason = try reader.optionalText()
        for (name, value) in try reader.each({ reader throws(StoredFormError) in
            (try reader.text(), try reader.text())
        }) {
            references[name] = value
        }
        customers = try reader.each { reader throws(StoredFormError) in CustomerID(try reader.text()) }
        revision = try reader.int()
        lastKey = try reader.optional { reader throws(StoredFormError) in
            FoldKey(
                time: try reader.instant(),
                rank: try reader.int(),
                source: try reader.text(),
                id: try reader.text()
            )
        }
        tellings = try reader.each { reader throws(StoredFormError) in
            Telling(type: EventType(try reader.text()), digest: try reader.fixed())
        }
        voided = Set(
            try reader.each { reader throws(StoredFormError) in
                EventReference(source: try reader.text(), id: try reader.text())
            }
        )
    }
}
