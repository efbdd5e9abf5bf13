"""What chaos.py asks the simulated APNs and Doorstep, and what it makes of the answers."""
import collections
import json
import urllib.request

APP = "demo-early"  # Cards start when an order is accepted: four pushes an order instead of two.
EXPIRED = "ExpiredToken"
TRY_AGAIN = {"TooManyRequests", "ServiceUnavailable"}


def ask(url, method="GET", body=None, key=None):
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, method=method)
    request.add_header("Content-Type", "application/json")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


class Simulator:
    """The control interface of the simulated APNs."""

    def __init__(self, url):
        self.url = url

    def get(self, path):
        return json.loads(ask(f"{self.url}/{path}"))

    def change(self, method, path, body=None):
        ask(f"{self.url}/{path}", method, body)

    def items(self, path, member="items", limit=10_000):
        after = "0"
        while after is not None:
            page = self.get(f"{path}?after={after}&limit={limit}")
            yield from page[member]
            after = page["next"]


def open_connections(simulator):
    connections = list(simulator.items("connections"))
    return len(connections), sum(connection["closedAt"] is None for connection in connections)


def pushes(simulator):
    """Every push in order: its order, kind of token, and the reason if it was refused."""
    # A phone is of one order, and a start that was refused names no other.
    return [(item["phone"].split("/")[2], item["tokenKind"], item["reason"]) for item in simulator.items("requests")]


def why_no_card(environment, order):
    """The state of the order's card by Doorstep, and the reason of its last decision."""
    url = f"{environment['DOORSTEP_URL']}/v1/orders/{order}/explanation?app={APP}"
    phones = json.loads(ask(url, key=environment["DOORSTEP_SUPPORT_KEY"]))["phones"]
    states = [card["state"] for phone in phones for card in phone["cards"]]
    reasons = [decision["reason"] for phone in phones for decision in phone["decisions"]]
    return (states or ["no card"])[-1], (reasons or ["no decision"])[-1]


def judge_cards(environment, simulator, phases, sent):
    """What became of each order's card, counted, and what is wrong in words."""
    expired = {order for order, _, reason in sent if reason == EXPIRED}
    updated = {order for order, kind, _ in sent if kind == "update"}
    refusals = collections.Counter(order for order, kind, reason in sent if kind == "start" and reason in TRY_AGAIN)
    cards = {item["order"]: item["cards"] for item in simulator.items("summary")}
    found, wrong = collections.Counter(), []
    for order, phase in phases.items():
        newest = max(cards.get(order, []), key=lambda card: card["incarnation"] or 0, default=None)
        # A card that ended as failed is not touched again when the order is returned.
        wanted = {phase, "failed"} if phase == "returned" else {phase}
        if newest and newest["ended"] and newest["phase"] in wanted:
            found["right"] += 1
        elif order in expired:
            found["expired"] += 1
        elif not newest and phase == "cancelled":
            found["cancelled"] += 1
        elif not newest and refusals[order] >= 2:
            found["refused"] += 1  # A start is sent twice, not more often.
        elif not newest:
            state, reason = why_no_card(environment, order)
            # The start left and no answer came: it is never repeated.
            found["unanswered" if state == "maybeStarted" else "none"] += 1
            if state != "maybeStarted":
                wrong.append(f"{order}: no card, {state}, {reason}")
        elif order not in updated:
            found["tokenless"] += 1
        else:
            found["wrong"] += 1
            wrong.append(f"{order}: {newest['phase']}, ended {newest['ended']}, instead of {phase}")
    return found, wrong


def older_after_newer(simulator):
    """Accepted pushes that show an older state than one that the same card was sent before."""
    newest, older = {}, 0
    for _, _, phone, order, incarnation, _, revision in simulator.items("accepted", "rows", 50_000):
        if revision is None:
            continue
        card = (phone, order, incarnation)
        older += revision < newest.get(card, revision)
        newest[card] = max(revision, newest.get(card, revision))
    return older


def used_when_dead(sent):
    """How many tokens got a push after APNs had called them dead."""
    dead, used = set(), set()
    for order, kind, reason in sent:
        if (order, kind) in dead:
            used.add((order, kind))
        if reason == EXPIRED:
            dead.add((order, kind))
    return len(used)


class Table:
    """Figures with what is allowed."""

    def __init__(self):
        self.failures = []
        print("| | found | allowed |\n|---|---|---|")

    def tell(self, name, value):
        print(f"| {name} | {value} | |", flush=True)

    def check(self, name, value, limit=0, unit=""):
        """A figure that must not exceed its limit."""
        shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        print(f"| {name} | {shown}{unit} | ≤ {limit:,}{unit} |", flush=True)
        if value > limit:
            self.failures.append(f"{name}: {shown}{unit} instead of at most {limit:,}{unit}")
