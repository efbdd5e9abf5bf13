import Foundation
import Testing
import Tracking

func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// `docs/decision-table.md`: for every state of a card and everything its order can hear of, what may be decided.
enum DecisionTableFile {
    private static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/decision-table.md")

    /// The file says what the histories met, cell by cell; a whole run meets all that the file says.
    static func compare(_ table: DecisionTable, isWhole: Bool) {
        if environment("DOORSTEP_WRITE_TABLE") != nil {
            #expect(throws: Never.self) { try Data(text(table).utf8).write(to: path) }
            return
        }
        let said = (try? String(contentsOf: path, encoding: .utf8)).map(cells) ?? [:]
        #expect(!said.isEmpty, "docs/decision-table.md has no cells")
        for (cell, outcomes) in table.cells.sorted(by: { $0.key < $1.key }) {
            let unsaid = Set(outcomes.keys).subtracting(said[cell] ?? [])
            #expect(unsaid.isEmpty, "\(cell.state) × \(cell.input): the table does not say \(unsaid.sorted())")
        }
        guard isWhole else { return }
        for (cell, outcomes) in said.sorted(by: { $0.key < $1.key }) {
            let unmet = outcomes.subtracting(table.cells[cell]?.keys.map { $0 } ?? [])
            #expect(unmet.isEmpty, "\(cell.state) × \(cell.input): no history meets \(unmet.sorted())")
        }
    }

    private static func cells(_ text: String) -> [DecisionTable.Cell: Set<String>] {
        var cells: [DecisionTable.Cell: Set<String>] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let columns = line.split(separator: "|").map { $0.replacing("`", with: "").trimmed }
            guard columns.count == 3 else { continue }
            let outcomes = columns[2].split(separator: ",").map { String($0).trimmed }
            cells[DecisionTable.Cell(state: columns[0], input: columns[1])] = Set(outcomes)
        }
        return cells
    }

    private static func text(_ table: DecisionTable) -> String {
        var lines = [
            "# Decisions, by state and by what was heard",
            "",
            "What may be decided for a card in a state when its order hears of something, with the reason. Which of several",
            "it is depends on what [the rules](state-machines.md) look at beside the state: the order's phase, the device,",
            "what the phone shows, the policy. Every cell is met by a history of the property run, and every decision of",
            "that run stands here: a test compares them. The rows of `alert` are about the ordinary alert in the place of",
            "cards (rule 14), those of `channel` about the order's broadcast channel (rule 16).",
            "",
            "| state | heard | decision and reason |",
            "|---|---|---|",
        ]
        for (cell, outcomes) in table.cells.sorted(by: { $0.key < $1.key }) {
            lines.append("| `\(cell.state)` | `\(cell.input)` | \(outcomes.keys.sorted().joined(separator: ", ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        let inner = drop { $0 == " " }
        return String(inner.reversed().drop { $0 == " " }.reversed())
    }
}
