"""The APNs client against h2load: the same server, streams, headers and payload; processor time per request."""
from apns_server import PAYLOAD_BYTES, STREAMS, h2load, microseconds, nghttpd, ours, span
from common import note

AIM = 0.75
CONNECTIONS = [1, 2]


def measure(bench, files, short):
    """For each number of connections rows of microseconds a request: ours, h2load, h2load without a header table."""
    requests, runs = (10_000, 3) if short else (60_000, 5)
    rows = {connections: [] for connections in CONNECTIONS}
    with nghttpd(files) as port:
        for number in range(runs):
            for connections in CONNECTIONS:
                commands = [
                    ours(bench, port, files, requests, connections),
                    h2load(port, files, requests, connections),
                    h2load(port, files, requests, connections, ["--encoder-header-table-size=0"]),
                ]
                rows[connections].append([microseconds(command, requests) for command in commands])
                us, them, without = rows[connections][-1]
                note(f"APNs client, run {number + 1} of {runs}, {connections} × {STREAMS}: {us:.1f} µs a request, "
                     f"h2load {them:.1f}, without a table {without:.1f}")
    return rows


def report(rows):
    lines = [
        "## The APNs client against h2load",
        "",
        f"Processor time of the client's process, user and system, per request: {PAYLOAD_BYTES} bytes, the same headers, "
        f"nghttpd as the server in a process of its own, {len(rows[1])} runs in turn. The ratio is h2load's time over "
        f"ours, run by run: 1 is as cheap, aim ≥ {AIM}. h2load sends its headers as indexes after the first request; ours "
        "never indexes the authorization, the path and the id, which differ or are secret, and so sends some 250 bytes "
        "more each time. What that costs h2load itself shows the row without a header table.",
        "",
        "| connections × streams | | min | median | max |",
        "|---|---|---|---|---|",
    ]
    for connections, runs in rows.items():
        us, them, without = zip(*runs)
        name = f"{connections} × {STREAMS}"
        lines += [
            f"| {name} | doorstep's APNs client, µs | {span(us, '.1f')} |",
            f"| {name} | h2load, µs | {span(them, '.1f')} |",
            f"| {name} | h2load without a header table, µs | {span(without, '.1f')} |",
            f"| {name} | **ratio to h2load** | {span(ratios(them, us), '.2f')} |",
            f"| {name} | ratio to h2load without a table | {span(ratios(without, us), '.2f')} |",
        ]
    return lines + [""]


def ratios(dividends, divisors):
    return [dividend / divisor for dividend, divisor in zip(dividends, divisors)]
