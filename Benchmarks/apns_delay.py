"""The APNs client over a long way: how much of what the streams allow it reaches, and how much h2load does."""
import os
import statistics
import sys

from apns_server import PAYLOAD_BYTES, STREAMS, echo_server, h2load, ours, printing_port, rate, span
from common import note

AIM = 0.9
HERE = os.path.dirname(os.path.abspath(__file__))
DELAYS = [20, 50]


def measure(bench, files, short):
    """For each delay in milliseconds rows of pushes a second: ours, h2load's, those of one stream alone."""
    seconds, runs = (1.5, 3) if short else (4, 5)
    rows = {delay: [] for delay in DELAYS}
    with echo_server(bench, files) as port:
        for delay in DELAYS:
            with printing_port([sys.executable, f"{HERE}/delay_proxy.py", str(port), str(delay)]) as far:
                pushes = int(seconds * limit(delay))
                for number in range(runs):
                    rows[delay].append((
                        rate(ours(bench, far, files, pushes), pushes),
                        rate(h2load(far, files, pushes), pushes),
                        rate(ours(bench, far, files, 10, streams=1), 10),
                    ))
                    us, them, alone = rows[delay][-1]
                    note(f"APNs client, {delay} ms each way, run {number + 1} of {runs}: {us:,.0f} of {limit(delay):,.0f} "
                         f"pushes/s, h2load {them:,.0f}, a push alone takes {1000 / alone:.1f} ms")
    return rows


def limit(delay):
    """Pushes a second that the streams allow."""
    return STREAMS / (2 * delay / 1000)


def report(rows):
    lines = [
        "## The APNs client over a long way",
        "",
        f"One connection of {STREAMS} streams, {PAYLOAD_BYTES} bytes, the plain server behind a proxy that keeps everything "
        f"back, each way; {len(rows[DELAYS[0]])} runs in turn, counted once connected. The streams allow their number over "
        f"the round trip; aim ≥ {AIM} of that. The round trip in practice is that of a push alone: it has in it what "
        "client, proxy and server need.",
        "",
        "| each way | pushes/s | min | median | max | share of what streams allow | share by the round trip in practice |",
        "|---|---|---|---|---|---|---|",
    ]
    for delay, runs in rows.items():
        us, them, alone = zip(*runs)
        for name, reached in (("doorstep's APNs client", us), ("h2load", them)):
            share = statistics.median(reached) / limit(delay)
            in_practice = statistics.median(speed / (STREAMS * one) for speed, one in zip(reached, alone))
            lines.append(
                f"| {delay} ms | {name} | {span(reached, ',.0f')} | {share:.2f} of {limit(delay):,.0f} | {in_practice:.2f} |")
    return lines + [""]
