#!/usr/bin/env python3
"""An APNs of Python's h2, on a free port of this machine: another reading of HTTP/2, and a judge of what a client sends.

usage: h2_server.py CERTIFICATE KEY

Prints `listening PORT`, `connection N` for each connection, `push STREAM TOKEN` for each request, and `violation WHAT`
for whatever APNs forbids. The token says what becomes of a push:

    dead...   410 Unregistered
    c0de...   its stream is refused the first time
    60a7...   GOAWAY with it as the last stream, once; it is answered
    57e9...   the limit of streams falls to 1 for a while
    others    200
"""
import asyncio
import json
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (ConnectionTerminated, DataReceived, PingReceived, PriorityUpdated, RequestReceived,
                       StreamEnded)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes
from hpack import NeverIndexedHeaderTuple

LIMIT = 100
# What must not stay in anybody's table: secrets, and what never comes back.
SECRET = {"authorization", ":path"}
NAMES = {":method", ":scheme", ":path", ":authority", "authorization", "apns-push-type", "apns-topic", "apns-priority",
         "apns-expiration", "apns-id", "apns-collapse-id"}


def say(*words):
    print(*words, flush=True)


class Peer(asyncio.Protocol):
    count = 0
    refused = set()
    has_gone_away = False

    def connection_made(self, transport):
        Peer.count += 1
        say("connection", Peer.count)
        self.transport = transport
        self.requests = {}
        self.last_stream = None
        # As APNs: one stream until a provider token was accepted.
        self.is_proven = False
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.h2.local_settings = type(self.h2.local_settings)(
            client=False, initial_values={**dict(self.h2.local_settings), SettingCodes.MAX_CONCURRENT_STREAMS: 1})
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        if data := self.h2.data_to_send():
            self.transport.write(data)

    def limit(self, streams):
        if not self.transport.is_closing():
            self.h2.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: streams})
            self.flush()

    def data_received(self, data):
        try:
            for event in self.h2.receive_data(data):
                self.handle(event)
        except ProtocolError as error:
            say("violation", type(error).__name__, error)
            self.flush()
            self.transport.close()
            return
        self.flush()

    def handle(self, event):
        match event:
            case RequestReceived():
                self.judge(event)
                self.requests[event.stream_id] = dict(event.headers)
            case DataReceived():
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case StreamEnded():
                self.answer(event.stream_id, self.requests.pop(event.stream_id))
            case PriorityUpdated():
                say("violation a priority on stream", event.stream_id)
            case PingReceived():
                say("ping")
            case ConnectionTerminated():
                self.flush()
                if not self.requests:
                    self.transport.close()

    def judge(self, event):
        if event.priority_updated:
            say("violation a priority with the fields of stream", event.stream_id)
        names = [name for name, _ in event.headers]
        if len(set(names)) != len(names) or not set(names) <= NAMES:
            say("violation fields", names)
        for header in event.headers:
            if header[0] in SECRET and not isinstance(header, NeverIndexedHeaderTuple):
                say("violation", header[0], "may be indexed")

    def answer(self, stream, fields):
        if self.last_stream is not None and stream > self.last_stream:
            return
        token = fields[":path"].removeprefix("/3/device/")
        say("push", stream, token)
        if token.startswith("c0de") and token not in Peer.refused:
            Peer.refused.add(token)
            self.h2.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
            return
        identity = [("apns-id", fields["apns-id"])]
        if token.startswith("dead"):
            body = json.dumps({"reason": "Unregistered", "timestamp": 1790000000123}).encode()
            self.h2.send_headers(stream, [(":status", "410"), ("content-type", "application/json"), *identity])
            self.h2.send_data(stream, body, end_stream=True)
        else:
            self.h2.send_headers(stream, [(":status", "200"), *identity], end_stream=True)
        if not self.is_proven:
            self.is_proven = True
            self.limit(LIMIT)
        if token.startswith("57e9"):
            self.limit(1)
            asyncio.get_running_loop().call_later(0.05, self.limit, LIMIT)
        if token.startswith("60a7") and not Peer.has_gone_away:
            Peer.has_gone_away = True
            self.last_stream = stream
            self.flush()
            # h2's own close_connection ends the streams that are open as well, so the frame is made by hand.
            debug = b'{"reason":"Shutdown"}'
            payload = stream.to_bytes(4, "big") + (0).to_bytes(4, "big") + debug
            self.transport.write(len(payload).to_bytes(3, "big") + b"\x07\x00" + bytes(4) + payload)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Peer, "127.0.0.1", 0, ssl=context)
    say("listening", server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()


asyncio.run(main())
