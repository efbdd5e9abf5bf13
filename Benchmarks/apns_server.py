"""Servers for the APNs client and those beside it, what is sent, and a run of a client."""
import contextlib
import os
import re
import statistics
import subprocess
import time

from common import free_port

TOKEN = "8" * 160
PAYLOAD_BYTES = 600
STREAMS = 500
HEADERS = {
    "authorization": "bearer " + "a" * 190,
    "apns-push-type": "liveactivity",
    "apns-topic": "com.example.doorstep.push-type.liveactivity",
    "apns-priority": "10",
    "apns-expiration": "1800000000",
    "apns-id": "00000000-0000-4000-8000-000000000000",
}


class Files:
    """A certificate and its key, a payload, and a file where pushes are sent to: nghttpd answers 200 for it."""

    def __init__(self, folder):
        self.root = f"{folder}/files"
        self.key, self.certificate, self.payload = (f"{folder}/{name}" for name in ("key.pem", "cert.pem", "payload"))
        os.makedirs(f"{self.root}/3/device")
        open(f"{self.root}/3/device/{TOKEN}", "w").close()
        with open(self.payload, "w") as payload:
            payload.write("x" * PAYLOAD_BYTES)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.key, "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def nghttpd(files):
    """Gives the port of an nghttpd."""
    port = free_port()
    process = subprocess.Popen(
        ["nghttpd", "-d", files.root, "-m", str(STREAMS), str(port), files.key, files.certificate],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        yield port
    finally:
        end(process)


def echo_server(bench, files):
    """Gives the port of a server on Doorstep's own HTTP/2."""
    with open(files.certificate) as certificate, open(files.key) as key:
        return printing_port([bench, "serve", str(STREAMS)], certificate.read() + key.read())


@contextlib.contextmanager
def printing_port(command, text=""):
    """Gives the port that a server prints once it listens."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdin.write(text)
        process.stdin.close()
        yield int(process.stdout.readline())
    finally:
        end(process)


def end(process):
    process.terminate()
    process.wait()


def ours(bench, port, files, requests, connections=1, streams=STREAMS):
    words = [port, files.certificate, TOKEN, requests, connections, streams, PAYLOAD_BYTES]
    return [bench, *map(str, words)]


def h2load(port, files, requests, connections=1, options=()):
    command = ["h2load", "-n", str(requests), "-c", str(connections), "-t", "1", "-m", str(STREAMS), "-d", files.payload]
    for name, value in HEADERS.items():
        command += ["-H", f"{name}: {value}"]
    return [*command, *options, f"https://127.0.0.1:{port}/3/device/{TOKEN}"]


def microseconds(command, requests):
    """Runs a client; microseconds of its own processor time per request."""
    _, usage = run(command, requests)
    return (usage.ru_utime + usage.ru_stime) * 1e6 / requests


def rate(command, requests):
    """Runs a client; requests a second once it was connected."""
    output, _ = run(command, requests)
    if told := re.search(r"accepted in (\S+) s$", output, re.MULTILINE):
        # The first push is not in the time.
        return (requests - 1) / float(told[1])
    total = re.search(r"^finished in ([\d.]+)(us|ms|s)", output, re.MULTILINE)
    connecting = re.search(r"^time for connect: +([\d.]+)(us|ms|s)", output, re.MULTILINE)
    return requests / (seconds(*total.groups()) - seconds(*connecting.groups()))


def seconds(number, unit):
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def run(command, requests):
    """Runs a client; what it printed and what it used."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or not re.search(rf"\b{requests} (accepted|succeeded)\b", output):
        raise SystemExit(f"{command[0]} failed: {output}")
    return output, usage


def span(values, form):
    """Smallest, median and largest as cells of a table."""
    return " | ".join(format(value, form) for value in (min(values), statistics.median(values), max(values)))
