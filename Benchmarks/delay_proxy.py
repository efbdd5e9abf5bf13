#!/usr/bin/env python3
"""Carries TCP to a port of 127.0.0.1 and keeps everything back for a while, each way; there is no other limit.

usage: delay_proxy.py PORT MILLISECONDS

Prints its own port; runs until it is killed.
"""
import asyncio
import collections
import selectors
import sys


class Side(asyncio.Protocol):
    """One end of a carried connection. What it receives leaves at the other end when it is due, in order."""

    def __init__(self, delay, on_connected):
        self.delay = delay
        self.on_connected = on_connected
        self.waiting = collections.deque()
        self.other = None
        self.transport = None

    def connection_made(self, transport):
        self.transport = transport
        self.on_connected(self)

    def data_received(self, data):
        self.keep(data)

    def connection_lost(self, _):
        self.keep(None)

    def keep(self, data):
        """None stands for the end."""
        loop = asyncio.get_running_loop()
        self.waiting.append((loop.time() + self.delay, data))
        if len(self.waiting) == 1:
            loop.call_at(self.waiting[0][0], self.release)

    def release(self):
        """Passes on what is due; waits for the other end to be connected."""
        loop = asyncio.get_running_loop()
        while self.waiting and self.waiting[0][0] <= loop.time() and self.other:
            _, data = self.waiting.popleft()
            if data is None:
                self.other.transport.close()
            else:
                self.other.transport.write(data)
        if self.waiting:
            loop.call_at(max(self.waiting[0][0], loop.time() + 0.0005), self.release)


async def main(port, delay):
    loop = asyncio.get_running_loop()
    connecting = set()

    async def connect(near):
        def join(far):
            near.other, far.other = far, near

        await loop.create_connection(lambda: Side(delay, join), "127.0.0.1", port)

    def accept(near):
        task = loop.create_task(connect(near))
        connecting.add(task)
        task.add_done_callback(connecting.discard)

    server = await loop.create_server(lambda: Side(delay, accept), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# select() waits to the microsecond, epoll to the millisecond.
runner = asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector()))
runner.run(main(int(sys.argv[1]), float(sys.argv[2]) / 1000))
