"""What the benchmarks share: a Doorstep of their own, PostgreSQL's clients, and figures."""
import contextlib
import json
import os
import socket
import subprocess
import sys


def note(text):
    print(text, file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def quantile(values, q):
    """The smallest value that at least this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(q * 1000) * len(ordered) // 1000) - 1))]


@contextlib.contextmanager
def doorstep_up(doorstep, folder):
    """A running `doorstep up` in a folder; gives its environment."""
    process = subprocess.Popen(
        [doorstep, "up", "--data", folder, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        if not process.stdout.readline().startswith("ready"):
            raise SystemExit(f"doorstep up did not start; see {folder}/log")
        environment = dict(os.environ)
        with open(f"{folder}/doorstep.env") as lines:
            environment.update(line.rstrip("\n").replace("'", "").split("=", 1) for line in lines)
        yield environment
    finally:
        process.terminate()
        process.wait()


def child_pid(folder, name):
    with open(f"{folder}/run/{name}.pid") as file:
        return int(file.read())


def sql(environment, text):
    """Runs SQL; its unaligned output."""
    done = subprocess.run(
        ["psql", environment["DATABASE_URL"], "-qAt", "-v", "ON_ERROR_STOP=1", "-c", "SET search_path = doorstep", "-c", text],
        check=True, capture_output=True, text=True)
    return done.stdout.strip()


def pgbench(environment, folder, script, *options):
    """Runs a pgbench script; its report."""
    with open(f"{folder}/script.sql", "w") as file:
        file.write(script)
    done = subprocess.run(
        ["pgbench", "-n", "-f", f"{folder}/script.sql", *options, environment["DATABASE_URL"]],
        cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"pgbench failed: {done.stderr}")
    return done.stdout


def replay(doorstep, environment, *arguments):
    """The report of a replay; it may have found mistakes."""
    done = subprocess.run([doorstep, "replay", *arguments, "--json"], env=environment, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"doorstep replay failed: {done.stderr}")
    return json.loads(done.stdout)
