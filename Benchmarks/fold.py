"""The fold and the decisions alone: recorded streams in one thread, and how often they ask for memory."""
import csv
import datetime
import gzip
import json
import os
import re
import subprocess

from common import note

HERE = os.path.dirname(os.path.abspath(__file__))
# With the phase in which their cards start: DoorDash tells of nothing between the kitchen and the door.
STREAMS = {"sendy": "on_the_way", "doordash": "accepted"}
AIM = 300_000


def measure(bench, folder, rounds, repeats):
    """(stream, events, facts, decisions, seconds of each repeat, allocations an event), for every stream there is."""
    rows = []
    library = counter(folder)
    for name, phase in STREAMS.items():
        source = os.path.join(os.environ.get("DOORSTEP_DATA", ""), f"{name}_events.csv.gz")
        if not os.path.exists(source):
            note(f"no {source}: left out")
            continue
        table = f"{folder}/{name}.tsv"
        convert(source, f"{HERE}/../Tests/Fixtures/{name}.map.json", table)
        note(f"{name}: {repeats} runs of {rounds} rounds")
        runs = [run(bench, table, phase, rounds)[0] for _ in range(repeats)]
        (events, facts, decisions, _), once = run(bench, table, phase, 1, library)
        twice = run(bench, table, phase, 2, library)[1]
        rows.append((name, events, facts, decisions, [seconds / rounds for *_, seconds in runs], (twice - once) / events))
    return rows


def run(bench, table, phase, rounds, library=None):
    """((events, facts, decisions, seconds), allocations, where a library counts them)."""
    environment = dict(os.environ, LD_PRELOAD=library) if library else None
    with open(table) as rows:
        done = subprocess.run([bench, str(rounds), phase], stdin=rows, env=environment, check=True, capture_output=True, text=True)
    events, facts, decisions, seconds = done.stdout.split()
    counted = re.search(r"allocations (\d+)", done.stderr)
    return (int(events), int(facts), int(decisions), float(seconds)), int(counted[1]) if counted else 0


def counter(folder):
    library = f"{folder}/allocations.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, f"{HERE}/Fold/allocations.c"], check=True)
    return library


def convert(source, map_path, table):
    """Rows as the benchmark reads them, by the same map as `doorstep replay` uses."""
    with open(map_path) as file:
        columns = json.load(file)
    with gzip.open(source, "rt", newline="") as stream, open(table, "w") as out:
        for row in csv.DictReader(stream):
            courier = columns["data"]["courier.id"]
            time = datetime.datetime.fromisoformat(row["occurred_at"].replace("Z", "+00:00"))
            cells = [
                columns["subject"].format(**row), str(int(time.timestamp()) * 1_000_000), columns["id"].format(**row),
                columns["source"], columns["types"][row["type"]], columns["data"]["customer"].format(**row),
                courier["value"].format(**row) if row["type"] in courier["from"] else "",
            ]
            out.write("\t".join(cells) + "\n")


def report(rows):
    lines = [
        "## Fold and decide", "",
        "One thread, no database: every order's partner events in order, its phone linked at once, its pushes accepted "
        "and its card registered at once. Counted is the processor time of `OrderStream.handle`, on streams that begin "
        f"empty. The events are the partner's (aim ≥ {AIM:,} a second); the facts are also those that phone, device and "
        "APNs add, and the time is that of all of them. Best of the runs. Allocations are calls of the allocator, "
        "counted in runs of their own.", "",
        "| stream | events | facts | decisions | events/s | facts/s | allocations an event | a fact |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, events, facts, decisions, seconds, allocations in rows:
        best = min(seconds)
        lines.append(
            f"| {name} | {events:,} | {facts:,} | {decisions:,} | {events / best:,.0f} | {facts / best:,.0f} | "
            f"{allocations:.1f} | {allocations * events / facts:.1f} |")
    if not rows:
        lines.append("| no recorded streams here | | | | | | | |")
    return lines + [""]
