/// The members of a JSON object, in the order they were written.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]

    /// An object of these members; names must differ, as they do in parsed text.
    package init(_ members: [Member] = []) {
        self.members = members
    }

    package var isEmpty: Bool { members.isEmpty }

    /// The member of this name, compared by bytes. Setting nil removes it, setting a new name appends.
    package subscript(name: String) -> JSON? {
        get {
            members.first { sameBytes($0.name, name) }?.value
        }
        set {
            let index = members.firstIndex { sameBytes($0.name, name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

/// Whether two strings hold the same bytes; Swift's `==`, quick to say no, takes canonically equivalent ones as equal.
func sameBytes(_ lhs: String, _ rhs: String) -> Bool {
    lhs == rhs && lhs.utf8.elementsEqual(rhs.utf8)
}
