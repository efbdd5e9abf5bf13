"""Pushes, makes channels and broadcasts with httpx; prints status and reason of each answer as lines.

Arguments: port, management port, authority's file, authorization, topic, bundle id, token, payload's file.
"""
import sys

import httpx


def main(port, management, authority, authorization, topic, bundle, token, payload):
    with open(payload, "rb") as file:
        body = file.read()
    apns = f"https://127.0.0.1:{port}"
    manage = f"https://127.0.0.1:{management}/1/apps/{bundle}"
    signed = {"authorization": authorization}
    live = signed | {"apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": "0"}

    with httpx.Client(http2=True, verify=authority) as client:

        def show(response):
            reason = response.json().get("reason", "") if response.content else ""
            print(response.status_code, reason)
            return response

        def push(token=token, **changed):
            headers = live | {"apns-topic": topic} | {name.replace("_", "-"): value for name, value in changed.items()}
            return show(client.post(f"{apns}/3/device/{token}", headers=headers, content=body))

        answer = push()
        assert answer.http_version == "HTTP/2" and answer.headers["apns-id"] and answer.headers["apns-unique-id"]
        push(token="0" * 64)
        push(apns_priority="7")
        push(authorization="bearer a.b.c")
        push(apns_topic=bundle)
        show(client.get(f"{apns}/3/device/{token}", headers=live))

        wanted = {"message-storage-policy": 0, "push-type": "LiveActivity"}
        channel = show(client.post(f"{manage}/channels", headers=signed, json=wanted)).headers["apns-channel-id"]
        named = {"apns-channel-id": channel}
        show(client.get(f"{manage}/channels", headers=signed | named))
        assert channel in client.get(f"{manage}/all-channels", headers=signed).json()["channels"]
        broadcast = f"{apns}/4/broadcasts/apps/{bundle}"
        show(client.post(broadcast, headers=live | named, content=body))
        show(client.delete(f"{manage}/channels", headers=signed | named))
        show(client.post(broadcast, headers=live | named, content=body))


main(*sys.argv[1:])
