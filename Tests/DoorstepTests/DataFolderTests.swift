import Testing

@testable import doorstep

struct DataFolderTests {
    @Test func `a folder stands for itself elsewhere by twelve digits of its digest`() {
        // printf /srv/doorstep | sha256sum
        #expect(DataFolder("/srv/doorstep").fingerprint == "37b9cc754a8a")
        #expect(DataFolder("/srv/doorstep/").fingerprint == "37b9cc754a8a")
    }

    @Test func `a relative folder lies below the present one`() {
        #expect(DataFolder(".doorstep").path == Files.absolute(".") + "/.doorstep")
    }

    @Test func `a pid that belongs to somebody else by now is not running`() throws {
        let own = PidFile(path: "/tmp/doorstep-pid-\(Processes.ownID)", marks: [])
        own.write(Processes.ownID)
        defer { own.remove() }
        #expect(own.running == Processes.ownID)
        #expect(PidFile(path: own.path, marks: ["no such program"]).running == nil)
    }
}
