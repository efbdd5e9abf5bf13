"""Events into the log: batches of 500 over HTTP against pgbench calling the same SQL function on the same server."""
import http.client
import json
import os
import signal
import subprocess
import threading
import time
import urllib.parse

from common import child_pid, doorstep_up, free_port, note, pgbench, sql

BATCH = 500
CONNECTIONS = 4


def measure(doorstep, folder, batches):
    """Events per second: {what: rate}."""
    rates = {}
    with doorstep_up(doorstep, folder) as environment:
        generated = events(doorstep, 3 * batches)
        warm, alone, whole = (generated[part * batches:(part + 1) * batches] for part in range(3))
        serve = child_pid(folder, "serve")
        post(environment["DOORSTEP_URL"], environment, warm)
        os.kill(serve, signal.SIGSTOP)
        try:
            with api_alone(doorstep, environment) as url:
                rates["HTTP, the API alone"] = post(url, environment, alone)
            rates["pgbench, the same lanes"] = append_with_pgbench(environment, folder, batches)
        finally:
            os.kill(serve, signal.SIGCONT)
        rates["HTTP, API and worker"] = post(environment["DOORSTEP_URL"], environment, whole)
    for name, rate in rates.items():
        note(f"{name}: {rate:,.0f} events/s")
    return rates


def events(doorstep, batches):
    """Bodies of 500 invented events each, in order of time."""
    orders = batches * BATCH // 6
    done = subprocess.run(
        [doorstep, "generate", "--orders", str(orders), "--seed", "1"], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()[:batches * BATCH]
    if len(lines) < batches * BATCH:
        raise SystemExit("too few events were generated")
    return [f"[{','.join(lines[at:at + BATCH])}]".encode() for at in range(0, len(lines), BATCH)]


class api_alone:
    """A second process that only takes events in, as the one that also folds them is stopped."""

    def __init__(self, doorstep, environment):
        self.port = free_port()
        self.command = [doorstep, "serve", "--services", "api", "--listen", f"127.0.0.1:{self.port}"]
        self.environment = environment

    def __enter__(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return f"http://127.0.0.1:{self.port}"
            except OSError:
                pass
            time.sleep(0.1)
        raise SystemExit("doorstep serve --services api did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def post(url, environment, bodies):
    """Posts batches over four connections; events per second, from the first byte to the last answer."""
    headers = {
        "Authorization": f"Bearer {environment['DOORSTEP_INGEST_KEY']}",
        "Content-Type": "application/cloudevents-batch+json",
    }
    rest, lock, failures = list(reversed(bodies)), threading.Lock(), []

    def work():
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
        while True:
            with lock:
                if not rest:
                    return
                body = rest.pop()
            connection.request("POST", "/v1/events", body, headers)
            answer = connection.getresponse()
            results = json.loads(answer.read())
            if answer.status != 202:
                failures.append((answer.status, results))

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"batches were refused: {str(failures[0])[:500]}")
    return len(bodies) * BATCH / (time.monotonic() - start)


def groups(environment):
    """Connections that Doorstep writes over; each serves the lanes that leave its number as remainder."""
    lanes = int(sql(environment, "SELECT lanes FROM installation"))
    return min(8, max(2, lanes // 4), lanes)


# The arguments of `append` for facts like those that came over HTTP, under new keys: 500 a transaction, over the lanes
# that one writing connection of Doorstep serves, so that both sides make the same calls.
PREPARE = """
DROP TABLE IF EXISTS bench_batch;
CREATE UNLOGGED TABLE bench_batch AS
WITH fact AS (
  SELECT e.*, e.lane % :groups AS g, (row_number() OVER (PARTITION BY e.lane % :groups ORDER BY e.pos) - 1) / :size AS batch
  FROM event e WHERE e.kind = 'o' AND e.source IN (SELECT source FROM source WHERE name = 'generator'))
SELECT g, batch, lane, count(*)::int AS facts,
  array_agg(md5('key' || lane || '/' || pos)::uuid) AS key, array_agg(md5('print' || lane || '/' || pos)::uuid) AS print,
  array_agg(NULL::int) AS expect, array_agg(0) AS zero, array_agg(md5('stream' || stream)::uuid) AS skey,
  array_agg(app) AS app, array_agg(source) AS source, array_agg(kind) AS kind, array_agg('bench ' || stream) AS stream,
  array_agg(type) AS type, array_agg(source_event_id) AS id, array_agg(occurred_at) AS occurred,
  array_agg(body) AS body, array_agg(NULL::bytea) AS none, array_agg(actor) AS actor
FROM fact GROUP BY g, batch, lane;
CREATE INDEX ON bench_batch (g, batch);
ANALYZE bench_batch;
SELECT min(batches) FROM (SELECT max(batch) AS batches FROM bench_batch GROUP BY g) b;
"""

APPEND = """
\\set batch :batch + 1
SELECT count(*) FROM (SELECT * FROM doorstep.bench_batch WHERE g = :client_id AND batch = :batch ORDER BY lane OFFSET 0) b,
  doorstep.append(b.lane, 0, (extract(epoch FROM now()) / 86400)::int, now(), b.key, b.print, b.expect, b.zero, b.skey, b.app,
    b.source, b.kind, b.stream, b.type, b.id, b.occurred, b.zero, b.body, b.none, b.none, b.actor);
"""


def append_with_pgbench(environment, folder, batches):
    clients = groups(environment)
    full = int(sql(environment, PREPARE.replace(":groups", str(clients)).replace(":size", str(BATCH))))
    transactions = min(full, batches // clients)
    before = int(sql(environment, "SELECT count(*) FROM event"))
    options = ["-M", "prepared", "-c", str(clients), "-j", "1", "-t", str(transactions), "-D", "batch=-1"]
    output = pgbench(environment, folder, APPEND, *options)
    appended = int(sql(environment, "SELECT count(*) FROM event")) - before
    if appended != clients * transactions * BATCH:
        raise SystemExit(f"pgbench appended {appended} facts: {output}")
    rate = next(float(line.split()[2]) for line in output.splitlines() if line.startswith("tps"))
    sql(environment, "DROP TABLE bench_batch")
    return rate * BATCH


def report(rates):
    base = rates["pgbench, the same lanes"]
    lines = [
        "## Events into the log",
        "",
        f"Batches of {BATCH} over {CONNECTIONS} connections, against pgbench with as many clients as Doorstep has "
        f"writing connections, which call the SQL function `append` with {BATCH} facts a transaction, spread over the same lanes, on the same server. The API "
        "alone is what compares (aim ≥ 0.5); with the worker the same processors also fold and decide.",
        "",
        "| | events/s | over pgbench |",
        "|---|---|---|",
    ]
    return lines + [f"| {name} | {rate:,.0f} | {rate / base:.2f} |" for name, rate in rates.items()] + [""]
