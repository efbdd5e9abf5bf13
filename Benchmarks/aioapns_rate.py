"""Pushes as fast as aioapns can; prints how many were accepted and how long it took once it was connected.

usage: aioapns_rate.py PORT CA.pem KEY.pem TOKEN REQUESTS CONNECTIONS CALLERS PAYLOAD-BYTES

0 connections leave the number to aioapns, which opens up to ten.
"""
import asyncio
import logging
import ssl
import sys
import time

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol


async def main(port, authority, key, token, requests, connections, callers, payload_bytes):
    APNsDevelopmentClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsDevelopmentClientProtocol.APNS_PORT = int(port)
    with open(key) as file:
        secret = file.read()
    client = APNs(
        key=secret,
        key_id="BENCHKEY01",
        team_id="BENCHTEAM1",
        topic="com.example.doorstep.push-type.liveactivity",
        use_sandbox=True,
        ssl_context=ssl.create_default_context(cafile=authority),
        **({"max_connections": int(connections)} if int(connections) else {}),
    )
    message = {"x": "x" * (int(payload_bytes) - len('{"x": ""}'))}

    async def push(count):
        accepted = 0
        for _ in range(count):
            # It makes the push's id itself.
            request = NotificationRequest(
                device_token=token, message=message, time_to_live=60, priority=10, push_type=PushType.LIVEACTIVITY)
            accepted += (await client.send_notification(request)).is_successful
        return accepted

    accepted = await push(1)
    start = time.monotonic()
    rest, callers = int(requests) - 1, int(callers)
    shares = [rest // callers + (caller < rest % callers) for caller in range(callers)]
    accepted += sum(await asyncio.gather(*map(push, shares)))
    seconds = time.monotonic() - start
    print(f"{accepted} accepted in {seconds} s")
    client.pool.close()


logging.disable()
asyncio.run(main(*sys.argv[1:]))
