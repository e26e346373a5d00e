curl -sS 'https://invite.example.com/api/invitation-trigger' \
  -H 'Authorization: Bearer YOUR_SECRET' \
  -H 'Content-Type: application/json' \
  -d '{"email":"ada@example.com","name":"Ada Lovelace","metadata":{"order_id":"A-1001"}}'
