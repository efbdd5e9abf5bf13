"""From the commit of an event to APNs' acceptance of the push that shows it, open loop, beside a bare commit."""
import glob
import json
import os
import subprocess

from common import doorstep_up, note, pgbench, quantile, replay, sql

RATE = 500
COMMIT = "INSERT INTO doorstep.bench_commit VALUES (now(), 'a row as small as it gets');\n"


def measure(doorstep, folder, seconds):
    """Milliseconds: (the replay's report, latencies of bare commits)."""
    with doorstep_up(doorstep, folder) as environment:
        commits = bare_commits(environment, folder, max(5, seconds // 3))
        stream = f"{folder}/stream.jsonl"
        count = invent(doorstep, stream, RATE * seconds)
        note(f"{count} events at {RATE}/s, with a phone for every order")
        return replay(doorstep, environment, stream, "--rate", str(RATE), "--settle", "120"), commits


def bare_commits(environment, folder, seconds):
    """Single-row commits by pgbench at the same rate, on the server that is idle otherwise."""
    sql(environment, "CREATE TABLE bench_commit (at timestamptz, text text)")
    pgbench(environment, folder, COMMIT, "-c", "8", "-R", str(RATE), "-T", str(seconds), "-l")
    latencies = []
    for path in glob.glob(f"{folder}/pgbench_log.*"):
        with open(path) as log:
            for line in log:
                fields = line.split()
                # Of the time from the scheduled start, the wait for a client is not the server's.
                latencies.append((int(fields[2]) - int(fields[6])) / 1000)
        os.remove(path)
    sql(environment, "DROP TABLE bench_commit")
    return latencies


def invent(doorstep, path, events):
    """A stream of at least so many events; the orders' lives overlap as they would in an evening."""
    with open(path, "w") as file:
        subprocess.run([doorstep, "generate", "--orders", str(events // 7), "--seed", "2"], check=True, stdout=file)
    with open(path) as file:
        return sum(1 for _ in file)


def report(result, commits):
    latency, phones = result["commitToAcceptMilliseconds"], result["phones"]
    bare = quantile(commits, 0.99)
    mistakes = {name: phones[name] for name in (
        "wrongFinalState", "duplicateCards", "updatesAfterEnd", "timestampRegressions", "oversizedPayloads",
        "undecodable") if phones[name]}
    return [
        "## From commit to APNs' acceptance",
        "",
        f"{result['events']:,} events of {result['orders']:,} orders, each with a phone, at {RATE} events/s for "
        f"{result['elapsedSeconds']:.0f} s, open loop: PostgreSQL, Doorstep, the simulated APNs, the phones and the "
        "sender of the events on one machine. Pushes that were due at once; aim p99 ≤ 50 ms, must ≤ 250 ms. Bare commits "
        "are single rows by pgbench at the same rate, before the run.",
        "",
        "| | p50 ms | p99 ms | max ms | count |",
        "|---|---|---|---|---|",
        f"| commit to accept | {latency['p50']:.1f} | {latency['p99']:.1f} | {latency['max']:.1f} | {latency['measured']:,} |",
        f"| bare commit | {quantile(commits, 0.5):.1f} | {bare:.1f} | {max(commits):.1f} | {len(commits):,} |",
        f"| **p99 over a bare commit's** | | **{latency['p99'] / bare:.1f}** | | |",
        "",
        f"Reached {result['eventsPerSecond']:.0f} events/s; {latency['held']} pushes were held by a rule and not counted; "
        f"{result['unsettled']} orders unsettled at the end; mistakes seen by the phones: "
        + (json.dumps(mistakes) if mistakes else "none") + ".",
        "",
    ]


def is_within_bounds(result):
    return result["commitToAcceptMilliseconds"]["p99"] <= 250
