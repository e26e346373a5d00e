# Python 3, without packages
import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "https://invite.example.com/api/invitation-trigger",
    method="POST",
    headers={
        "Authorization": "Bearer YOUR_SECRET",
        "Content-Type": "application/json",
        # The event's id. It makes retries safe.
        "Idempotency-Key": "order-A-1001",
    },
    data=json.dumps({
        "email": "ada@example.com",
        "name": "Ada Lovelace",
        "metadata": {
            "order_id": "A-1001"
        }
    }).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["batch"]["uuid"])
except urllib.error.HTTPError as error:
    result = json.load(error)
    raise SystemExit(result["error"]["code"] + ": " + result["message"])
