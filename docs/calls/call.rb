# Ruby 3, without gems
require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI('https://invite.example.com/api/invitation-trigger'),
  JSON.generate({ 'email' => 'ada@example.com', 'name' => 'Ada Lovelace', 'metadata' => { 'order_id' => 'A-1001' } }),
  'Authorization' => 'Bearer YOUR_SECRET',
  'Content-Type' => 'application/json',
  # The event's id. It makes retries safe.
  'Idempotency-Key' => 'order-A-1001'
)
result = JSON.parse(response.body)
abort "#{result['error']['code']}: #{result['message']}" unless result['ok']
puts result['batch']['uuid']
