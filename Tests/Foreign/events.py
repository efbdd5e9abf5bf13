#!/usr/bin/env python3
"""Sends one event as others' libraries make it: the CloudEvents SDK in its three modes with a key, then signed with
standardwebhooks. usage: events.py URL KEY SECRET ORDER

Standard output is a JSON array of the answers, each with a name, the status and the body.
"""
import json
import sys
from datetime import datetime, timezone

import httpx
from cloudevents.core.bindings.http import to_binary, to_structured
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from standardwebhooks.webhooks import Webhook

URL, KEY, SECRET, ORDER = sys.argv[1:]


def event(identity):
    attributes = {
        "specversion": "1.0",
        "id": identity,
        "source": "demo",
        "type": "order.on_the_way",
        "subject": ORDER,
        "time": datetime.now(tz=timezone.utc).replace(microsecond=0),
        "datacontenttype": "application/json",
    }
    return CloudEvent(attributes=attributes, data={"customer": "c", "courier": {"id": "7", "name": "Zoë 🛵"}})


def send(client, name, headers, body):
    answer = client.post(f"{URL}/v1/events?app=demo", headers=headers, content=body)
    return {"name": name, "status": answer.status_code, "body": answer.json()}


def signed(body):
    now = datetime.now(tz=timezone.utc)
    signature = Webhook(SECRET).sign(msg_id="msg-1", timestamp=now, data=body.decode())
    return {
        "webhook-id": "msg-1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
        "content-type": "application/cloudevents+json",
    }


def main():
    key = {"authorization": f"Bearer {KEY}"}
    one = event("1")
    structured, binary = to_structured(one, JSONFormat()), to_binary(one, JSONFormat())
    batch = b"[" + structured.body + b"," + to_structured(event("2"), JSONFormat()).body + b"]"
    other = to_structured(event("3"), JSONFormat()).body
    with httpx.Client() as client:
        answers = [
            send(client, "structured", {**structured.headers, **key}, structured.body),
            send(client, "binary", {**binary.headers, **key}, binary.body),
            send(client, "batch", {"content-type": "application/cloudevents-batch+json", **key}, batch),
            send(client, "signed", signed(other), other),
            send(client, "changed", signed(other), other + b" "),
        ]
    print(json.dumps(answers))


main()
