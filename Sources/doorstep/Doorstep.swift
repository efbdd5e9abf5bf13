private import Glibc

@main
enum Doorstep {
    static let version = "0.1.0"

    static let commands: [any Command.Type] = [
        UpCommand.self, ServeCommand.self, MigrateCommand.self, SimulatorCommand.self, ReplayCommand.self,
        SimulateCommand.self, GenerateCommand.self, TimelineCommand.self, ExplainCommand.self, DoctorCommand.self,
        KeysListCommand.self, KeysCreateCommand.self, KeysRevokeCommand.self, ConfigCheckCommand.self,
        ConfigShowCommand.self, ContractCheckCommand.self, AdapterCheckCommand.self, AppCheckCommand.self,
        VersionCommand.self,
    ]

    static func main() async {
        // Commands that stop in good order listen for the signal themselves.
        signal(SIGINT) { _ in _exit(ExitCode.interrupted.rawValue) }
        let invocation = Invocation(commands: commands, environment: .process)
        exit(await invocation.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
