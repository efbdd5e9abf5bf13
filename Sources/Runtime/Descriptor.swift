private import Glibc

/// An open file descriptor, closed when it goes out of scope.
package struct Descriptor: ~Copyable, Sendable {
    /// The number, to be lent to system calls while this value lives.
    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Gives the descriptor away without closing it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
