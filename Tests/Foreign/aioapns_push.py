"""Pushes to a simulator on 127.0.0.1 with aioapns; prints status and reason of each answer as lines.

Arguments: port, authority's file, key's file, key id, team, topic, token, payload's file.
"""
import asyncio
import json
import logging
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol


async def main(port, authority, key, key_id, team, topic, token, payload):
    APNsDevelopmentClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsDevelopmentClientProtocol.APNS_PORT = int(port)
    with open(key) as file:
        secret = file.read()
    with open(payload) as file:
        body = json.load(file)
    client = APNs(
        key=secret,
        key_id=key_id,
        team_id=team,
        topic=topic,
        use_sandbox=True,
        ssl_context=ssl.create_default_context(cafile=authority),
    )

    async def push(token=token, body=body, topic=topic):
        request = NotificationRequest(
            device_token=token,
            message=body,
            time_to_live=60,
            priority=10,
            push_type=PushType.LIVEACTIVITY,
            apns_topic=topic,
        )
        result = await client.send_notification(request)
        print(result.status, result.description or "")

    await push()
    await push(token="0" * 64)
    await push(topic="app.unknown.push-type.liveactivity")
    await push(body={"aps": {}, "filler": "x" * 4096})
    # One after the other: this client does not wait for the first answer of a connection before it opens more streams.
    for _ in range(5):
        await push()
    client.pool.close()


logging.disable()
asyncio.run(main(*sys.argv[1:]))
