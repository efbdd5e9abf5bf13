"""What chaos.py asks the simulated APNs and Doorstep, and what it makes of the answers."""
import collections
import json
import urllib.parse
import urllib.request

APP = "demo-early"  # Cards start when an order is accepted: four pushes an order instead of two.
EXPIRED = "ExpiredToken"


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

    def act(self, phone, action, **options):
        self.change("POST", f"phones/{urllib.parse.quote(phone, safe='')}/{action}", options)

    def items(self, path, member="items", limit=10_000):
        after = "0"
        while after is not None:
            page = self.get(f"{path}?after={after}&limit={limit}")
            yield from page[member]
            after = page["next"]


def open_connections(simulator):
    connections = list(simulator.items("connections"))
    return len(connections), sum(connection["closedAt"] is None for connection in connections)


Push = collections.namedtuple("Push", "sequence order kind event reason apns_id")


def as_push(item):
    # A phone is of one order, and a start that was refused names no other.
    return Push(item["sequence"], item["phone"].split("/")[2], item["tokenKind"], item["event"], item["reason"], item["apnsId"])


def pushes(simulator):
    """Every push by its order, in the order of arrival."""
    sent = collections.defaultdict(list)
    for item in simulator.items("requests"):
        push = as_push(item)
        sent[push.order].append(push)
    return sent


class Judge:
    """What became of each order's card."""

    def __init__(self, environment, simulator, phases, sent, owners, preset):
        self.environment, self.simulator, self.phases = environment, simulator, phases
        self.sent, self.renewed, self.opened, self.preset = sent, owners.renewed, owners.opened, preset
        self.found, self.wrong, self.held = collections.Counter(), {}, set()

    def run(self, orders):
        """Judges these orders; those that are not as they must be are `wrong` afterwards, with why, and those of them that
        have a push held back, `held`."""
        cards = {item["order"]: item["cards"] for item in self.simulator.items("summary")}
        self.wrong, self.held = {}, set()
        for order in orders:
            newest = max(cards.get(order, []), key=lambda card: card["incarnation"] or 0, default=None)
            phase = self.phases[order]
            # A card that ended as failed is not touched again when the order is returned.
            wanted = {phase, "failed"} if phase == "returned" else {phase}
            if newest and newest["ended"] and newest["phase"] in wanted:
                self.found["right"] += 1
                continue
            state, reason, is_held = self.by_doorstep(order)
            excuse = self.excuse(order, newest, state, reason)
            if excuse:
                self.found[excuse] += 1
            else:
                shown = f"{newest['phase']}, {'over' if newest['ended'] else 'running'}" if newest else "no card"
                self.wrong[order] = f"{order}: {shown} instead of {phase}; by Doorstep {state}, {reason}"
                if is_held:
                    self.held.add(order)

    def account(self, order):
        """What is wrong with an order's card, the pushes that reached APNs for it, and the facts about its cards."""
        lines = [self.wrong[order]] + [f"  {push.event}: {push.reason or 'accepted'}" for push in self.sent.get(order, [])]
        for phone in self.explanation(order):
            lines += [f"  {fact['at']} {json.dumps(fact)}" for fact in phone["answers"]]
        if order in self.opened:
            lines.append("  its owner opened the app")
        return "\n".join(lines)

    def by_doorstep(self, order):
        """The state of the order's newest card, the reason of its end or last decision, and whether a push waits."""
        cards = [card for phone in self.explanation(order) for card in phone["cards"]]
        if not cards:
            return "none", "noCard", False
        card = max(cards, key=lambda card: card["incarnation"])
        return card["state"], card["reason"] or card["decision"], bool((card["pending"] or {}).get("dueAt"))

    def explanation(self, order):
        url = f"{self.environment['DOORSTEP_URL']}/v1/orders/{order}/explanation?app={APP}"
        return json.loads(ask(url, key=self.environment["DOORSTEP_SUPPORT_KEY"]))["phones"]

    def lost_starts(self, order):
        """How many starts Doorstep got no answer to."""
        answers = [answer for phone in self.explanation(order) for answer in phone["answers"]]
        return sum(answer["event"] == "start" and answer["result"] == "lost" for answer in answers)

    def used_when_dead(self):
        """How many tokens got a push after Doorstep had heard that they are dead; on a closed connection it hears nothing."""
        used = 0
        for order in self.sent.keys() - self.renewed:
            for kind in ("start", "update"):
                earlier = [push for push in self.sent[order] if push.kind == kind][:-1]
                dead = {push.apns_id for push in earlier if push.reason == EXPIRED}
                if dead:
                    answers = [answer for phone in self.explanation(order) for answer in phone["answers"]]
                    used += any(answer["apnsId"] in dead and answer["result"] == "refused" for answer in answers)
        return used

    def excuse(self, order, card, state, reason):
        """Why the phone could not be reached: by Doorstep, and only if that is what happened to its pushes."""
        sent = self.sent.get(order, [])
        starts = [push for push in sent if push.kind == "start"]
        updates = [push for push in sent if push.kind == "update"]
        dead = {push.event for push in sent if push.reason == EXPIRED}
        if state == "ended" and reason == "unconfirmed":
            return "the end met a dead token" if card and "end" in dead else None
        if not card and (state, reason) == ("none", "finishedBeforeStart"):
            return "the order ended before its card could start"
        if not card and state == "none" and reason in ("noStartToken", "refusedByDevice"):
            return "the start token is dead" if "start" in dead and order not in self.renewed else None
        if not card and state == "none" and reason in ("startRefused", "refusedForGood"):
            return "the start was refused twice" if len(starts) >= 2 else None
        if not card and state in ("maybeStarted", "unreachable", "ending"):
            # An app that is opened has the start repeated, once.
            needed = 2 if order in self.opened else 1
            reached = any(push.reason is None for push in starts) or self.lost_starts(order) < needed
            return None if reached else "the start was lost with its connection"
        if card and state == "unreachable" and "update" in dead:
            return "the update token is dead" if order not in self.renewed else None
        if card and not updates and self.preset == "field":
            return "the token never came"
        return None


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
