#!/usr/bin/env python3
"""Measures Doorstep beside what it is built on; prints docs/benchmarks.md. Progress goes to standard error.

usage: run.py DOORSTEP DOORSTEP-BENCH DOORSTEP-FOLD-BENCH [--short] [fold] [ingest] [peers] [apns] [latency]

Needs pgbench, psql, nghttpd, h2load, openssl and cc on PATH, and what
deploy/install-bench-tools.sh installs; the fold reads recorded streams in $DOORSTEP_DATA, and
the APNs client is compared with aioapns, which deploy/install-test-tools.sh installs. Everything it starts it ends;
everything it writes lies in a temporary folder. Ends with 1 when a bound that must hold does not.
"""
import datetime
import os
import platform
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import apns_client  # noqa: E402
import fold  # noqa: E402
import ingest  # noqa: E402
import latency  # noqa: E402
import peers  # noqa: E402

PARTS = ["fold", "apns", "ingest", "peers", "latency"]


def machine():
    with open("/proc/cpuinfo") as lines:
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    postgres = subprocess.run(["pgbench", "--version"], capture_output=True, text=True).stdout.split()[2]
    return f"{os.cpu_count()} × {model}, {memory:.0f} GiB, Linux {platform.release()}, PostgreSQL {postgres}"


def main():
    words = sys.argv[1:]
    short = "--short" in words
    chosen = [word for word in words if word in PARTS] or PARTS
    if len(words) < 3 or not all(os.access(word, os.X_OK) for word in words[:3]):
        print(__doc__, file=sys.stderr)
        return 2
    doorstep, bench, fold_bench = (os.path.abspath(word) for word in words[:3])
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench > docs/benchmarks.md`, which takes about nine minutes. Two figures side by side are from the "
        "same run on the same machine; compare the ratios, not the figures, with other machines.",
        "",
        f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC · {machine()} · load "
        f"{os.getloadavg()[0]:.1f} before the start" + (" · **a short run**" if short else ""),
        "",
    ]
    good = True
    folder = tempfile.mkdtemp(prefix="doorstep-bench-")
    os.chmod(folder, 0o755)  # PostgreSQL runs as another user when we are root.
    try:
        for part in PARTS:
            place = f"{folder}/{part}"
            os.mkdir(place)
            if part not in chosen:
                continue
            if part == "fold":
                lines += fold.report(fold.measure(fold_bench, place, 1 if short else 3, 3 if short else 5))
            elif part == "apns":
                lines += apns_client.measure(bench, place, short)
            elif part == "ingest":
                lines += ingest.report(ingest.measure(doorstep, place, 16 if short else 200))
            elif part == "peers":
                lines += peers.report(peers.measure(doorstep, place, 3 if short else 15))
            else:
                result, commits = latency.measure(doorstep, place, 10 if short else 60)
                lines += latency.report(result, commits)
                good = latency.is_within_bounds(result)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(lines).rstrip())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
