# Receives webhooks: python3 receiver.py. WEBHOOK_SECRET is what `webhook create` printed.
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def verify(headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in headers.get("webhook-signature", "").split())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not verify(self.headers, body):
            self.send_response(400)
        else:
            event = json.loads(body)
            # The same id may come twice: keep it where you keep what follows, and skip what you have.
            print(event["id"], event["type"], (event["data"].get("metadata") or {}).get("order_id", ""), flush=True)
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
