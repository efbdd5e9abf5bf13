"""The APNs client against aioapns: the same server and payload; pushes a second."""
import os
import subprocess

from apns_server import PAYLOAD_BYTES, STREAMS, TOKEN, echo_server, ours, rate, span
from common import note

AIM = 8
HERE = os.path.dirname(os.path.abspath(__file__))
# aioapns' number of connections, 0 for its own, and of pushes that wait for an answer at once.
DEFAULTS = (0, STREAMS)
OTHERS = [(1, 1), (1, 20), (1, 100), (1, STREAMS), (2, 2 * STREAMS)]


def measure(bench, files, short):
    """Pushes a second: ours and aioapns' with its defaults and the best of its settings; with those settings."""
    python = subprocess.run([f"{HERE}/../deploy/install-test-tools.sh"], check=True, stdout=subprocess.PIPE, text=True)
    requests, pushes, runs = (20_000, 1_000, 3) if short else (100_000, 5_000, 5)

    def theirs(connections, callers):
        words = [port, files.certificate, files.key, TOKEN, pushes, connections, callers, PAYLOAD_BYTES]
        command = [python.stdout.strip(), f"{HERE}/aioapns_rate.py", *map(str, words)]
        return rate(command, pushes)

    rows = []
    with echo_server(bench, files) as port:
        tried = {settings: theirs(*settings) for settings in OTHERS}
        best = max(tried, key=tried.get)
        note("aioapns, connections and callers: " + ", ".join(f"{key} {value:,.0f}/s" for key, value in tried.items()))
        for number in range(runs):
            rows.append((rate(ours(bench, port, files, requests), requests), theirs(*DEFAULTS), theirs(*best)))
            us, by_default, at_best = rows[-1]
            note(f"APNs client, run {number + 1} of {runs}: {us:,.0f} pushes/s, aioapns {by_default:,.0f}, {at_best:,.0f}")
    return rows, best


def report(measured):
    rows, (connections, callers) = measured
    us, by_default, at_best = zip(*rows)
    times = [one / max(others) for one, *others in rows]
    return [
        "## The APNs client against aioapns",
        "",
        f"Pushes a second over a connection of {STREAMS} streams, {PAYLOAD_BYTES} bytes each, counted from the first "
        f"answer on; {len(rows)} runs in turn. The server is a plain one on Doorstep's own HTTP/2, because aioapns tells "
        f"answers apart by the `apns-id`, which nghttpd does not send. aioapns once as it comes, with {STREAMS} pushes "
        f"under way, and once with the fastest of {len(OTHERS)} settings, here {connections} "
        f"connection{'s' * (connections > 1)} and {callers} pushes under way. Aim ≥ {AIM} times.",
        "",
        "| pushes/s | min | median | max |",
        "|---|---|---|---|",
        f"| doorstep's APNs client | {span(us, ',.0f')} |",
        f"| aioapns, defaults | {span(by_default, ',.0f')} |",
        f"| aioapns, best settings | {span(at_best, ',.0f')} |",
        f"| **times aioapns' better** | {span(times, '.1f')} |",
        "",
    ]
