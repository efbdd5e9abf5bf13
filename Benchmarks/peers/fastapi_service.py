"""The peer in Python: one event a request, stored once, answered after its commit. uvicorn runs it."""
import contextlib
import datetime
import json
import os

import asyncpg
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

INSERT = """INSERT INTO doorstep.peer_event (source, id, subject, type, time, data) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING"""



@contextlib.asynccontextmanager
async def connected(app):
    async with asyncpg.create_pool(min_size=8, max_size=8) as app.state.pool:
        yield


app = FastAPI(lifespan=connected)


@app.post("/v1/events")
async def post(request: Request):
    if request.headers.get("authorization") != os.environ["PEER_KEY"]:
        return JSONResponse({"title": "A valid key is needed"}, 401)
    event = await request.json()
    time = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00"))
    row = (event["source"], event["id"], event["subject"], event["type"], time, json.dumps(event.get("data", {})))
    done = await app.state.pool.execute(INSERT, *row)
    return JSONResponse({"id": event["id"], "duplicate": done == "INSERT 0 0"}, 202 if done == "INSERT 0 1" else 200)
