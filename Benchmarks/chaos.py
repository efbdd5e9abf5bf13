#!/usr/bin/env python3
"""The whole product against an APNs full of faults: what phones show in the end, and what the service is left with.

usage: chaos.py DOORSTEP [--pushes N] [--seed S] [--preset docs|field]

Starts `doorstep up` in a new empty data folder, sends invented orders until about N pushes (20,000) have reached APNs,
takes the faults away when all events are sent, waits until everything has settled, and checks. The orders follow from the
seed; which push meets a fault is drawn anew each time. Prints the faults and a table of figures. Exits 1 when one is not
as it must be.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chaos_checks import (  # noqa: E402
    APP, EXPIRED, Simulator, Table, ask, judge_cards, older_after_newer, open_connections, pushes, used_when_dead)
from common import child_pid, doorstep_up, note, replay  # noqa: E402

PUSHES_PER_ORDER = 4
WARM_UP_ORDERS = 200
LONGEST_RUN = 86_400
# One answer in a hundred is lost. What ends a connection is rarer, since it strikes everything under way there. GOAWAY
# lets all of that finish: with `keep` below 1 the simulator also delivers some of what it then calls unprocessed.
FAULTS = [
    {"effect": "answer", "reason": EXPIRED, "probability": 0.05},
    {"effect": "lose", "probability": 0.009},
    {"effect": "acceptAndDrop", "probability": 0.001},
    {"effect": "answer", "reason": "TooManyRequests", "probability": 0.02},
    {"effect": "answer", "reason": "ServiceUnavailable", "probability": 0.02},
    {"effect": "reset", "code": "REFUSED_STREAM", "probability": 0.02},
    {"effect": "drop", "probability": 0.001},
    {"effect": "goaway", "probability": 0.003},
    {"effect": "limitStreams", "count": 1, "probability": 0.002},
    {"effect": "limitStreams", "count": 20, "probability": 0.002},
    {"effect": "limitStreams", "count": 1000, "probability": 0.01},
]
# The warm-up: one stream above a limit that is in force, and the simulator ends the connection.
LIMITS = [{"effect": "limitStreams", "count": count, "probability": 0.05} for count in (1, 5, 1000)]
ENDS_CONNECTIONS = {"acceptAndDrop", "drop", "goaway"}
# What faults bring about: connections made in place of those they end.
CAUSED = {"connectionChurn"}
# Answers take so long that many streams are open at once and limits bind.
LATENCY_SECONDS = 0.02
# Connections to APNs and from the simulated apps may be more or fewer at the end.
POOL = 8
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


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def handles(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


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


def run_under_faults(doorstep, environment, simulator, stream, events, faults):
    """The report of the replay, and the faults with how often each struck."""
    before, reports = events_taken(environment), []

    def send():
        reports.append(replay(doorstep, environment, stream, "--app", APP, "--speed", "settled", "--settle", "1200"))

    simulator.change("POST", "settings", {"latencySeconds": LATENCY_SECONDS})
    for fault in faults:
        simulator.change("POST", "faults", {**fault, "seconds": LONGEST_RUN})
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
    _, limited = run_under_faults(doorstep, environment, simulator, stream, events, LIMITS)
    made_before, open_before = open_connections(simulator)
    simulator.change("DELETE", "phones")
    orders = max(1, chosen.pushes // PUSHES_PER_ORDER)
    events, customers, phases = generate(doorstep, stream, orders, chosen.seed)
    make_phones(simulator, customers, chosen.preset)
    pid = child_pid(f"{folder}/data", "serve")
    handles_before, forgotten_before = handles(pid), counted(environment, "pushes", "forgetToken")
    watch = Watch(pid)
    watch.start()
    note(f"{orders:,} orders, {events:,} events, preset {chosen.preset}")
    report, struck = run_under_faults(doorstep, environment, simulator, stream, events, FAULTS)
    watch.over.set()
    watch.join()
    is_same = child_pid(f"{folder}/data", "serve") == pid
    handles_after = handles(pid) if is_same else 0
    deadline = time.monotonic() + LONGEST_HOLD
    while True:
        sent = pushes(simulator)
        cards, wrong = judge_cards(environment, simulator, phases, sent)
        if not cards["wrong"] or time.monotonic() > deadline:
            break
        note(f"{cards['wrong']} cards are not as they must be; waiting for pushes that are held back")
        time.sleep(10)
    summary, violations = simulator.get("summary?limit=1")["totals"], simulator.get("violations?limit=1")["counts"]
    made, still_open = open_connections(simulator)
    cut = sum(fault["applied"] for fault in struck if fault["effect"] in ENDS_CONNECTIONS)
    table = Table()
    for fault, was in zip(FAULTS, struck):
        what = [str(value) for key, value in fault.items() if key != "probability"]
        table.tell(f"fault: {' '.join(what)}, {fault['probability']:.1%}", f"{was['applied']:,}")
    table.tell("pushes that reached APNs", f"{len(sent):,}")
    table.tell("seconds; orders; events", f"{report['elapsedSeconds']:.0f}; {orders:,}; {events:,}")
    table.tell("cards in their order's final state", f"{cards['right']:,}")
    table.tell("cards or starts lost to ExpiredToken", f"{cards['expired']:,}")
    table.tell("orders cancelled before their card started", f"{cards['cancelled']:,}")
    table.tell("starts refused twice with 429 or 503", f"{cards['refused']:,}")
    table.tell("starts that a closed connection took along", f"{cards['unanswered']:,}")
    if chosen.preset == "field":
        table.tell("cards whose token never came", f"{cards['tokenless']:,}")
    else:
        table.check("cards whose token never came", cards["tokenless"])
    table.check("reachable cards not in their order's final state", cards["wrong"])
    table.check("orders without a card for another reason", cards["none"])
    for ledger in LEDGERS:
        table.check(ledger, summary[ledger])
    table.check("older states after newer ones", older_after_newer(simulator))
    unheard = sum(fault["applied"] for fault in struck if fault.get("reason") == EXPIRED)
    unheard -= counted(environment, "pushes", "forgetToken") - forgotten_before
    table.check("tokens used after ExpiredToken, unless that answer was lost", used_when_dead(sent), unheard)
    for name in ("rejected", "unknownTypes", "missingFromLog", "unsettled"):
        table.check(name, report[name])
    table.check("violations of sender rules", sum(violations[rule] for rule in set(violations) - CAUSED))
    for rule in sorted(set(violations) - CAUSED):
        table.tell(f"of them {rule}", violations[rule])
    table.tell("connections made; ended by faults", f"{made - made_before:,}; {cut:,}")
    changes = sum(fault["applied"] for fault in limited)
    table.check(f"connections ended by one of {changes} changes of the stream limit", made_before - open_before)
    table.tell("resident memory of serve", f"{watch.kilobytes[0] // 1024} to {watch.kilobytes[-1] // 1024} MiB")
    table.check("its growth after the first third", watch.growth(), 10, " %")
    table.check("times serve was started again", int(not is_same))
    table.tell("handles of serve", f"{handles_before}, then {handles_after}")
    table.check("handles more than before", handles_after - handles_before, POOL)
    for line in wrong[:20]:
        note(line)
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
