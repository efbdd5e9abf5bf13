#!/usr/bin/env python3
"""Whole recorded streams through `doorstep up`, each run in a new empty data folder, and what must come of them.

usage: streams.py DOORSTEP [sendy] [doordash]

Reads the streams from $DOORSTEP_DATA; prints a table of figures. Exits 1 when a count is wrong or an export differs.
"""
import filecmp
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import doorstep_up, note, replay  # noqa: E402

MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Fixtures")
# Orders, events, and why cards did not start at pace `settled`.
STREAMS = {"sendy": (21_201, 106_005, {}), "doordash": (18_079, 67_745, {"finishedBeforeStart": 50})}
MISTAKES = ["wrongFinalState", "duplicateCards", "updatesAfterEnd", "timestampRegressions", "oversizedPayloads", "undecodable"]
SHUFFLED = ["--shuffle", "7", "--repeat", "2"]


def run(doorstep, folder, name, *arguments):
    """The report of one replay in an empty data folder."""
    os.mkdir(folder)
    os.chmod(folder, 0o755)  # PostgreSQL runs as another user when we are root.
    stream = os.path.join(os.environ["DOORSTEP_DATA"], f"{name}_events.csv.gz")
    note(f"{name} {' '.join(arguments)}")
    try:
        with doorstep_up(doorstep, f"{folder}/data") as environment:
            return replay(
                doorstep, environment, stream, "--format", "csv", "--map", f"{MAPS}/{name}.map.json", *arguments)
    finally:
        shutil.rmtree(f"{folder}/data", ignore_errors=True)


def faults(name, pace, report):
    """What of a report is not as it must be."""
    orders, events, not_started = STREAMS[name]
    phones = report["phones"]
    wanted = {
        "orders": orders, "events": events, "accepted": events, "rejected": 0, "unknownTypes": 0, "missingFromLog": 0,
        "unsettled": 0, "duplicates": events if pace == "shuffled" else 0,
    }
    found = [f"{key} {report[key]} instead of {value}" for key, value in wanted.items() if report[key] != value]
    found += [f"{key} {phones[key]}" for key in MISTAKES if phones[key] != 0]
    missed = phones["notStarted"]
    if pace == "settled" and missed != not_started:
        found.append(f"notStarted {missed} instead of {not_started}")
    if phones["started"] + sum(missed.values()) != phones["activities"] or phones["activities"] != orders:
        found.append(f"{phones['started']} started and {missed} not, of {phones['activities']} of {orders}")
    if phones["ended"] != phones["started"]:
        found.append(f"{phones['ended']} of {phones['started']} ended")
    return [f"{name}, {pace}: {fault}" for fault in found]


def row(name, pace, report):
    phones = report["phones"]
    return (f"| {name} | {pace} | {report['orders']:,} | {report['events']:,} | {phones['started']:,} | "
            f"{report['elapsedSeconds']:.0f} | {report['eventsPerSecond']:,.0f} |")


def main():
    names = sys.argv[2:] or list(STREAMS)
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK) or not set(names) <= set(STREAMS):
        print(__doc__, file=sys.stderr)
        return 2
    if not os.path.isdir(os.environ.get("DOORSTEP_DATA", "")):
        print("DOORSTEP_DATA names no folder; it must hold the recorded streams", file=sys.stderr)
        return 2
    doorstep, found = os.path.abspath(sys.argv[1]), []
    folder = tempfile.mkdtemp(prefix="doorstep-streams-")
    os.chmod(folder, 0o755)
    print("| stream | pace | orders | events | cards started | seconds | events/s |\n|---|---|---|---|---|---|---|")
    try:
        for name in names:
            exports = [f"{folder}/{name}-{pace}.jsonl" for pace in ("settled", "shuffled")]
            paces = {
                "settled": ["--export", exports[0]], "shuffled": [*SHUFFLED, "--export", exports[1]],
                "max": ["--speed", "max"],
            }
            for pace, arguments in paces.items():
                report = run(doorstep, f"{folder}/{name}-{pace}", name, *arguments)
                print(row(name, pace, report), flush=True)
                found += faults(name, pace, report)
            if not filecmp.cmp(*exports, shallow=False):
                found.append(f"{name}: the exports of the plain and the shuffled run differ")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
