private import Glibc

/// The processors this machine gives us.
package enum SystemProcessors {
    /// At least 1.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
