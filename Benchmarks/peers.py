"""Single events over HTTP, each with a commit of its own: Doorstep against services that do the same with less."""
import os
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from common import child_pid, doorstep_up, free_port, note, sql
from ingest import api_alone

CONNECTIONS, WORKERS = 64, 2
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
TABLE = """CREATE TABLE IF NOT EXISTS peer_event (source text, id text, subject text NOT NULL, type text NOT NULL,
time timestamptz, received timestamptz NOT NULL DEFAULT now(), data jsonb, PRIMARY KEY (source, id))"""
AIMS = {"FastAPI, asyncpg": 4, "Node, pg": 2}


def measure(doorstep, folder, seconds):
    """Requests per second: {what: rate}."""
    rates = {}
    with doorstep_up(doorstep, folder) as environment:
        sql(environment, TABLE)
        key = f"Bearer {environment['DOORSTEP_INGEST_KEY']}"
        if sql(environment, "SHOW synchronous_commit") != "on":
            raise SystemExit("the server does not commit durably by default")
        parts = urllib.parse.urlsplit(environment["DATABASE_URL"])
        options = dict(urllib.parse.parse_qsl(parts.query))
        database = {"PGHOST": options["host"], "PGUSER": options["user"], "PGDATABASE": parts.path.lstrip("/")}
        modules, python = installed("install-bench-tools.sh"), installed("install-test-tools.sh")
        peer = {**os.environ, **database, "PEER_KEY": key, "NODE_PATH": modules}

        def fastapi(port):
            command = [python, "-m", "uvicorn", "fastapi_service:app", "--port", str(port), "--no-access-log", "--log-level", "error"]
            return subprocess.Popen(command, cwd=FOLDER, env=peer)

        def node(port):
            return subprocess.Popen(["node", f"{FOLDER}/node_service.js", str(port)], env=peer)

        for name, start in (("FastAPI, asyncpg", fastapi), ("Node, pg", node)):
            ports = [free_port() for _ in range(WORKERS)]
            services = [start(port) for port in ports]
            try:
                rates[name] = load([f"http://127.0.0.1:{port}" for port in ports], key, seconds)
            finally:
                for service in services:
                    service.terminate()
                    service.wait()
        serve = child_pid(folder, "serve")
        os.kill(serve, signal.SIGSTOP)
        try:
            with api_alone(doorstep, environment) as first, api_alone(doorstep, environment) as second:
                rates["Doorstep"] = load([first, second], key, seconds)
        finally:
            os.kill(serve, signal.SIGCONT)
    for name, rate in rates.items():
        note(f"{name}: {rate:,.0f} events/s")
    return rates


def installed(script):
    """Where a script of deploy/ has put what it installs."""
    command = f"{FOLDER}/../../deploy/{script}"
    return subprocess.run([command], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def load(urls, key, seconds):
    """Requests per second over all workers, each with its share of the connections."""
    for url in urls:
        wait_for(url)
    share = str(CONNECTIONS // len(urls))
    clients = [
        subprocess.Popen(
            ["wrk", "-t", "1", "-c", share, "-d", f"{seconds}s", "-s", f"{FOLDER}/post.lua", url, "--", key, f"{time.time_ns()}-{number}-"],
            stdout=subprocess.PIPE, text=True)
        for number, url in enumerate(urls)]
    rate = 0
    for client in clients:
        line = next(line for line in client.communicate()[0].splitlines() if line.startswith("RESULT"))
        requests, wrong, microseconds = map(int, line.split()[1:])
        if wrong:
            raise SystemExit(f"{wrong} of {requests} requests to {url} failed")
        rate += requests / (microseconds / 1e6)
    return rate


def wait_for(url):
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing answers at {url}")


def report(rates):
    lines = [
        "## Single events, each with its commit",
        "",
        f"{WORKERS} workers each on the same PostgreSQL, {CONNECTIONS} connections, durable commits, wrk as client. The peers check a "
        "key, parse the event and insert one row with a unique key (Benchmarks/peers); Doorstep checks every rule of its contract and "
        "appends to the log with positions, versions and the retry window. Nothing is folded meanwhile, as the peers do not fold either.",
        "",
        "| | events/s | Doorstep over it | aim |",
        "|---|---|---|---|",
    ]
    for name, rate in rates.items():
        ratio = f"{rates['Doorstep'] / rate:.1f}" if name in AIMS else ""
        aim = f"≥ {AIMS[name]}" if name in AIMS else ""
        lines.append(f"| {name} | {rate:,.0f} | {ratio} | {aim} |")
    return lines + [""]
