#!/usr/bin/env python3
"""The whole product against an APNs full of faults: what phones show in the end, and what the service is left with.

usage: chaos.py DOORSTEP [--pushes N] [--seed S] [--preset docs|field]

Starts `doorstep up` in a new empty data folder, sends invented orders until about N pushes (20,000) have reached APNs,
takes the faults away when all events are sent, waits until everything has settled, and checks. The orders follow from the
seed, and so do the faults: the n-th push to arrive meets the same one each time. Prints the faults and a table of figures. Exits 1 when one is not
as it must be.
"""
import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chaos_checks import (  # noqa: E402
    APP, EXPIRED, Judge, Simulator, Table, as_push, ask, older_after_newer, open_connections, pushes)
from common import child_pid, doorstep_up, note, replay  # noqa: E402

PUSHES_PER_ORDER = 4
WARM_UP_ORDERS = 200
LONGEST_RUN = 86_400
# APNs allows more. A closed connection takes along what is under way on it, and of starts nobody can tell which.
MOST_STREAMS = 50
# Each with its share of all pushes. What ends a connection is rare, since it strikes everything under way there.
FAULTS = [
    {"effect": "answer", "reason": EXPIRED, "share": 0.05},
    {"effect": "lose", "share": 0.01},
    {"effect": "acceptAndDrop", "share": 0.001},
    {"effect": "answer", "reason": "TooManyRequests", "share": 0.02},
    {"effect": "answer", "reason": "ServiceUnavailable", "share": 0.02},
    {"effect": "reset", "code": "REFUSED_STREAM", "share": 0.02},
    {"effect": "drop", "share": 0.001},
    {"effect": "goaway", "keep": 0.5, "share": 0.003},
    {"effect": "limitStreams", "count": 1, "share": 0.002},
    {"effect": "limitStreams", "count": 20, "share": 0.002},
    {"effect": "limitStreams", "count": MOST_STREAMS, "share": 0.01},
]
# The warm-up: nothing but the stream limit changes.
LIMITS = [{"effect": "limitStreams", "count": count, "share": 0.05} for count in (1, 5, MOST_STREAMS)]
ENDS_CONNECTIONS = {"acceptAndDrop", "drop", "goaway"}
# Of many connections in a minute faults are the cause; that there are no more than they ended is checked.
CAUSED = {"connectionChurn"}
# Answers take so long that many streams are open at once and limits bind.
LATENCY_SECONDS = 0.02
# Connections to APNs and from the simulated apps may be more or fewer at the end.
POOL = 8
# The client leaves a connection that refuses a push which another one had given back, or which is mute: one in so many.
PUSHES_PER_SPARE = 500
# How long owners and what follows from their doings may take when all else has settled.
OWNERS_SECONDS = 5
# A push may be held back for 15 minutes after refusals; an order with one that is held counts as settled.
LONGEST_HOLD = 960
FINAL = {"order.delivered": "delivered", "order.cancelled": "cancelled", "order.returned": "returned"}
LEDGERS = ["duplicateCards", "updatesAfterEnd", "timestampRegressions", "oversizedPayloads", "undecodable"]


class Watch(threading.Thread):
    """Memory and open handles of a process, once a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.kilobytes, self.over = pid, [], threading.Event()

    def run(self):
        while not self.over.wait(1):
            try:
                self.kilobytes.append(resident(self.pid))
            except OSError:
                return

    def growth(self):
        """From the end of the first third, which is warm-up, to the end: medians of a tenth each."""
        tenth = max(1, len(self.kilobytes) // 10)
        third = len(self.kilobytes) // 3
        first, last = sorted(self.kilobytes[third:third + tenth]), sorted(self.kilobytes[-tenth:])
        return (last[len(last) // 2] / first[len(first) // 2] - 1) * 100


class Owners(threading.Thread):
    """The owners of half of the phones: iOS replaces a token that died, and they open an app that should have a card."""

    def __init__(self, simulator):
        super().__init__(daemon=True)
        self.simulator, self.over = simulator, threading.Event()
        self.renewed, self.opened = set(), set()

    def run(self):
        seen = 0
        while not self.over.wait(0.5):
            for item in self.simulator.get(f"requests?after={seen}&limit=10000")["items"]:
                push, seen = as_push(item), item["sequence"]
                if zlib.crc32(push.order.encode()) % 2:
                    continue
                if push.reason == EXPIRED:
                    self.simulator.act(item["phone"], "rotate", kind=push.kind)
                    self.renewed.add(push.order)
                elif push.reason == "drop" and push.kind == "start":
                    self.simulator.act(item["phone"], "open")
                    self.opened.add(push.order)


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def handles(pid):
    """Open sockets and other open files."""
    names = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(f"/proc/{pid}/fd/{number}"))
    sockets = sum(name.startswith("socket:") for name in names)
    return sockets, len(names) - sockets


def generate(doorstep, path, orders, seed):
    """Writes a stream; its events, and by order the customer and the phase it ends in."""
    with open(path, "w") as file:
        subprocess.run([doorstep, "generate", "--orders", str(orders), "--seed", str(seed)], stdout=file, check=True)
    with open(path) as file:
        events = [json.loads(line) for line in file]
    customers, phases = {}, {}
    for event in events:
        order = event["subject"]
        if "customer" in event.get("data", {}):
            customers.setdefault(order, event["data"]["customer"])
        if event["type"] in FINAL:
            phases[order] = FINAL[event["type"]]
    return len(events), customers, phases


def make_phones(simulator, customers, preset):
    """The phones that the replay will look for, of the wanted preset; it leaves those that exist as they are."""
    phones = [
        {"id": f"replay/{APP}/{order}/1", "customer": f"{customer}/{order}", "app": APP, "environment": "sandbox",
         "preset": preset} for order, customer in customers.items()]
    for start in range(0, len(phones), 500):
        simulator.change("POST", "phones", phones[start:start + 500])


def counted(environment, name, result):
    """A counter of the service, over all its other labels."""
    text = ask(f"{environment['DOORSTEP_URL']}/metrics", key=environment["DOORSTEP_OPERATOR_KEY"]).decode()
    return sum(
        int(line.rsplit(" ", 1)[1]) for line in text.splitlines()
        if line.startswith(f"doorstep_{name}_total{{") and f'result="{result}"}}' in line)


def events_taken(environment):
    return counted(environment, "events", "accepted")


def script(simulator, faults, seed):
    """Each fault strikes what those before it leave."""
    left = 1
    for number, fault in enumerate(faults):
        wish = {name: value for name, value in fault.items() if name != "share"}
        chance = {"probability": fault["share"] / left, "seed": seed * len(FAULTS) + number, "seconds": LONGEST_RUN}
        simulator.change("POST", "faults", {**wish, **chance})
        left -= fault["share"]


def run_under_faults(doorstep, environment, simulator, stream, events, faults, seed):
    """The report of the replay, and the faults with how often each struck."""
    before, reports = events_taken(environment), []

    def send():
        reports.append(replay(doorstep, environment, stream, "--app", APP, "--speed", "settled", "--settle", "1200"))

    simulator.change("POST", "settings", {"latencySeconds": LATENCY_SECONDS, "trustedStreams": MOST_STREAMS})
    script(simulator, faults, seed)
    sender = threading.Thread(target=send)
    sender.start()
    while sender.is_alive() and events_taken(environment) - before < events:
        sender.join(1)
    struck = simulator.get("faults")["items"]
    simulator.change("DELETE", "faults")
    note("all events are sent; the faults are gone")
    sender.join()
    simulator.change("POST", "settings", {"latencySeconds": 0})
    if not reports:
        raise SystemExit("the replay failed")
    return reports[0], struck


def run(doorstep, folder, environment, chosen):
    """One run with its table; what is not as it must be."""
    simulator = Simulator(environment["DOORSTEP_SIMULATOR_URL"])
    stream = f"{folder}/orders.jsonl"
    note("warming up while stream limits change")
    events, _, _ = generate(doorstep, stream, WARM_UP_ORDERS, chosen.seed + 1)
    _, limited = run_under_faults(doorstep, environment, simulator, stream, events, LIMITS, chosen.seed)
    made_before, open_before = open_connections(simulator)
    simulator.change("DELETE", "phones")
    orders = max(1, chosen.pushes // PUSHES_PER_ORDER)
    events, customers, phases = generate(doorstep, stream, orders, chosen.seed)
    make_phones(simulator, customers, chosen.preset)
    pid = child_pid(f"{folder}/data", "serve")
    handles_before = handles(pid)
    watch = Watch(pid)
    watch.start()
    note(f"{orders:,} orders, {events:,} events, preset {chosen.preset}")
    owners = Owners(simulator)
    owners.start()
    report, struck = run_under_faults(doorstep, environment, simulator, stream, events, FAULTS, chosen.seed)
    time.sleep(OWNERS_SECONDS)
    owners.over.set()
    owners.join()
    watch.over.set()
    watch.join()
    is_same = child_pid(f"{folder}/data", "serve") == pid
    handles_after = handles(pid) if is_same else handles_before
    deadline = time.monotonic() + LONGEST_HOLD
    judge = Judge(environment, simulator, phases, pushes(simulator), owners, chosen.preset)
    judge.run(phases)
    while judge.held and time.monotonic() < deadline:
        note(f"{len(judge.held)} cards wait for pushes that are held back")
        time.sleep(5)
        judge.sent = pushes(simulator)
        judge.run(list(judge.wrong))
    sent = judge.sent
    summary, violations = simulator.get("summary?limit=1")["totals"], simulator.get("violations?limit=1")["counts"]
    made, still_open = open_connections(simulator)
    cut = sum(fault["applied"] for fault in struck if fault["effect"] in ENDS_CONNECTIONS)
    table = Table()
    for fault, was in zip(FAULTS, struck):
        what = [str(value) for key, value in fault.items() if key != "share"]
        table.tell(f"fault: {' '.join(what)}, {fault['share']:.1%}", f"{was['applied']:,}")
    arrived = sum(map(len, sent.values()))
    table.tell("pushes that reached APNs", f"{arrived:,}")
    table.tell("seconds; orders; events", f"{report['elapsedSeconds']:.0f}; {orders:,}; {events:,}")
    table.tell("phones with a new token; with their app opened", f"{len(owners.renewed):,}; {len(owners.opened):,}")
    table.tell("phones that show their order's last state", f"{judge.found.pop('right', 0):,}")
    for excuse, count in sorted(judge.found.items()):
        table.tell(f"not reachable: {excuse}", f"{count:,}")
    table.check("reachable phones that do not show it", len(judge.wrong))
    for ledger in LEDGERS:
        table.check(ledger, summary[ledger])
    table.check("older states after newer ones", older_after_newer(simulator))
    table.check("tokens used after an ExpiredToken that arrived", judge.used_when_dead())
    for name in ("rejected", "unknownTypes", "missingFromLog", "unsettled"):
        table.check(name, report[name])
    table.check("violations of sender rules", sum(violations[rule] for rule in set(violations) - CAUSED))
    for rule in sorted(set(violations) - CAUSED):
        table.tell(f"of them {rule}", violations[rule])
    table.tell("connections made; ended by faults", f"{made - made_before:,}; {cut:,}")
    table.check("connections made beyond those", made - made_before - cut, POOL + arrived // PUSHES_PER_SPARE)
    changes = sum(fault["applied"] for fault in limited)
    table.check(f"connections ended by one of {changes} changes of the stream limit", made_before - open_before)
    table.tell("resident memory of serve", f"{watch.kilobytes[0] // 1024} to {watch.kilobytes[-1] // 1024} MiB")
    table.check("its growth after the first third", watch.growth(), 10, " %")
    table.check("times serve was started again", int(not is_same))
    table.tell("open sockets and files of serve", f"{handles_before}, then {handles_after}")
    table.check("sockets more than before", handles_after[0] - handles_before[0], POOL)
    table.check("other files more than before", handles_after[1] - handles_before[1])
    for order in list(judge.wrong)[:20]:
        note(judge.account(order))
    return table.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("doorstep")
    parser.add_argument("--pushes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", choices=["docs", "field"], default="docs")
    chosen = parser.parse_args()
    doorstep = os.path.abspath(chosen.doorstep)
    folder = tempfile.mkdtemp(prefix="doorstep-chaos-")
    os.chmod(folder, 0o755)  # PostgreSQL runs as another user when we are root.
    try:
        with doorstep_up(doorstep, f"{folder}/data") as environment:
            failures = run(doorstep, folder, environment, chosen)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
