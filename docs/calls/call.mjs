// Node 18 or later, as an ES module
const response = await fetch("https://invite.example.com/api/invitation-trigger", {
  method: 'POST',
  headers: {
    authorization: "Bearer YOUR_SECRET",
    'content-type': 'application/json',
    // The event's id. It makes retries safe.
    'idempotency-key': 'order-A-1001',
  },
  body: JSON.stringify({
    "email": "ada@example.com",
    "name": "Ada Lovelace",
    "metadata": {
      "order_id": "A-1001"
    }
  }),
});
const result = await response.json();
if (!result.ok) throw new Error(`${result.error.code}: ${result.message}`);
console.log(result.batch.uuid);
