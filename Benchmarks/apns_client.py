"""The APNs client alone against h2load: the same server, streams, headers and payload; processor time per request."""
import os
import statistics
import subprocess
import time

from common import free_port, note

TOKEN = "8" * 160
PAYLOAD_BYTES = 600
STREAMS = 100


def measure(bench, folder, requests, pairs):
    """Rows of (ours, theirs): microseconds of processor time per request, in pairs one after the other."""
    port, ca = serve_files(folder)
    server = subprocess.Popen(
        ["nghttpd", "-d", f"{folder}/files", "-m", str(STREAMS), str(port), f"{folder}/key.pem", f"{folder}/cert.pem"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        ours = [bench, str(port), ca, TOKEN, str(requests), str(STREAMS), str(PAYLOAD_BYTES)]
        rows = []
        for number in range(pairs):
            rows.append((cost(ours, requests), cost(h2load(port, folder, requests), requests)))
            note(f"APNs client, pair {number + 1} of {pairs}: {rows[-1][0]:.1f} and {rows[-1][1]:.1f} µs a request")
        return rows
    finally:
        server.terminate()
        server.wait()


def serve_files(folder):
    """A certificate, and a file where the push is sent to: nghttpd answers 200 for it."""
    os.makedirs(f"{folder}/files/3/device")
    open(f"{folder}/files/3/device/{TOKEN}", "w").close()
    with open(f"{folder}/payload", "w") as payload:
        payload.write("x" * PAYLOAD_BYTES)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
        check=True, stderr=subprocess.DEVNULL)
    return free_port(), f"{folder}/cert.pem"


def h2load(port, folder, requests):
    headers = {
        "authorization": "bearer " + "a" * 190,
        "apns-push-type": "liveactivity",
        "apns-topic": "com.example.doorstep.push-type.liveactivity",
        "apns-priority": "10",
        "apns-expiration": "1800000000",
        "apns-id": "00000000-0000-4000-8000-000000000000",
    }
    command = ["h2load", "-n", str(requests), "-c", "1", "-t", "1", "-m", str(STREAMS), "-d", f"{folder}/payload"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    return command + [f"https://127.0.0.1:{port}/3/device/{TOKEN}"]


def cost(command, requests):
    """Runs it; microseconds of its own processor time per request."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    succeeded = f"{requests} accepted" in output or f"{requests} succeeded" in output
    if process.returncode != 0 or not succeeded:
        raise SystemExit(f"{command[0]} failed: {output}")
    return (usage.ru_utime + usage.ru_stime) * 1e6 / requests


def report(rows):
    ours, theirs = (statistics.median(column) for column in zip(*rows))
    ratio = statistics.median(them / us for us, them in rows)
    return [
        "## The APNs client against h2load",
        "",
        f"One connection, {STREAMS} streams, {PAYLOAD_BYTES} bytes, the same headers, nghttpd as the server; median of "
        f"{len(rows)} pairs. The ratio is h2load's processor time per request over ours: 1 is as cheap, aim ≥ 0.7. h2load "
        "sends its headers as indexes after the first request; ours never indexes the authorization and the id, which "
        "differ or are secret, and so sends some 250 bytes more each time.",
        "",
        "| | µs of processor time a request |",
        "|---|---|",
        f"| doorstep's APNs client | {ours:.1f} |",
        f"| h2load | {theirs:.1f} |",
        f"| **ratio** | **{ratio:.2f}** |",
        "",
        "Raw pairs: " + ", ".join(f"{us:.1f}/{them:.1f}" for us, them in rows) + ".",
        "",
    ]
