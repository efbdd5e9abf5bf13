"""The sign-in of an app, made with PyJWT: serves its key set and signs what it is asked to.

Arguments: the file of the secret for HS256. GET /keys is the JWK Set; POST /token/ALGORITHM has the claims and is answered with a
token; POST /rotate makes new keys, with new names; POST /away makes the key set fail.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

SECRET = open(sys.argv[1], "rb").read()


class Issuer:
    def __init__(self):
        self.generation = 0
        self.away = False
        self.rotate()

    def rotate(self):
        self.generation += 1
        self.keys = {
            "ES256": (ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
            "RS256": (rsa.generate_private_key(65537, 2048), RSAAlgorithm),
            "EdDSA": (ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm),
        }

    def name(self, algorithm):
        return f"{algorithm}-{self.generation}"

    def key_set(self):
        keys = []
        for algorithm, (key, kind) in self.keys.items():
            public = kind.to_jwk(key.public_key(), as_dict=True)
            keys.append({**public, "kid": self.name(algorithm), "alg": algorithm, "use": "sig"})
        return {"keys": keys}

    def token(self, algorithm, claims):
        if algorithm == "HS256":
            return jwt.encode(claims, SECRET, algorithm=algorithm)
        headers = {"kid": self.name(algorithm)}
        return jwt.encode(claims, self.keys[algorithm][0], algorithm=algorithm, headers=headers)


issuer = Issuer()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, text, status=200):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "public, max-age=3600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(json.dumps(issuer.key_set()), 503 if issuer.away else 200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/rotate":
            issuer.rotate()
            self.answer("{}")
        elif self.path == "/away":
            issuer.away = True
            self.answer("{}")
        else:
            self.answer(issuer.token(self.path.rsplit("/", 1)[1], json.loads(body)))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
