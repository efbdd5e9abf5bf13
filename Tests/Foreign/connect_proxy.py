#!/usr/bin/env python3
"""An HTTP proxy that knows CONNECT alone, on a free port of this machine.

usage: connect_proxy.py [--authorization VALUE] [--silent]

Prints `listening PORT`, then a line for each request: what was asked for, and the answer's status. Without the right
Proxy-Authorization it answers 407; --silent never answers.
"""
import argparse
import asyncio


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def serve(options, reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
    lines = head.split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
    if options.silent:
        return
    if options.authorization and fields.get("proxy-authorization") != options.authorization.lower():
        print(lines[0], 407, flush=True)
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        return
    method, authority, _ = lines[0].split(" ")
    if method != "CONNECT":
        print(lines[0], 405, flush=True)
        writer.write(b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        return
    host, _, port = authority.rpartition(":")
    far_reader, far_writer = await asyncio.open_connection(host.strip("[]"), int(port))
    print(lines[0], 200, flush=True)
    writer.write(b"HTTP/1.1 200 Connection established\r\n")
    # An answer in two pieces is still one.
    await writer.drain()
    await asyncio.sleep(0.02)
    writer.write(b"Via: test\r\n\r\n")
    await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--authorization")
    parser.add_argument("--silent", action="store_true")
    options = parser.parse_args()
    server = await asyncio.start_server(lambda r, w: serve(options, r, w), "127.0.0.1", 0)
    print("listening", server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
