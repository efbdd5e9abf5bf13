// The peer in JavaScript: one event a request, stored once, answered after its commit.
"use strict";
const http = require("http");
const { Pool } = require("pg");

const pool = new Pool({ max: 8 });
const insert = {
  name: "insert",
  text: "INSERT INTO doorstep.peer_event (source, id, subject, type, time, data) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
};

async function store(event) {
  const values = [event.source, event.id, event.subject, event.type, event.time, JSON.stringify(event.data ?? {})];
  const done = await pool.query({ ...insert, values });
  return { id: event.id, duplicate: done.rowCount === 0 };
}

function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

http.createServer((request, response) => {
  if (request.headers.authorization !== process.env.PEER_KEY) return answer(response, 401, { title: "A valid key is needed" });
  const pieces = [];
  request.on("data", piece => pieces.push(piece));
  request.on("end", () => {
    store(JSON.parse(Buffer.concat(pieces)))
      .then(stored => answer(response, stored.duplicate ? 200 : 202, stored))
      .catch(error => answer(response, 500, { title: String(error) }));
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
