# Python 3, without packages: python3 -m unittest test_invitations
import json
import os
import time
import unittest
import urllib.request

URL = os.environ.get("INVITATION_URL", "http://127.0.0.1:3000")
HEADERS = {"Authorization": "Bearer " + os.environ["INVITATION_TEST_SECRET"], "Content-Type": "application/json"}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, HEADERS)) as response:
        return json.load(response)


class Invitations(unittest.TestCase):
    def test_a_bounce_is_not_reminded(self):
        # Your code makes this call. Here it stands for it. The address is new in each run, so that runs don't meet.
        address = f"bounces+{time.time_ns()}@sim.invalid"
        batch = call("/api/invitation-trigger", {"email": address, "reminders": [3]})["batch"]

        counts = call("/api/v1/test/advance", {"by": "P7D"})["counts"]
        self.assertEqual(counts["invitation.bounced"], 1)
        self.assertNotIn("invitation.reminded", counts)

        emails = call("/api/v1/test/emails?batch=" + batch["uuid"])["emails"]
        self.assertEqual([email["to"]["email"] for email in emails], [address])


if __name__ == "__main__":
    unittest.main()
