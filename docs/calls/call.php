<?php // PHP 8, without packages
$request = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer YOUR_SECRET',
        'Content-Type: application/json',
        // The event's id. It makes retries safe.
        'Idempotency-Key: order-A-1001',
    ],
    'content' => json_encode(['email' => 'ada@example.com', 'name' => 'Ada Lovelace', 'metadata' => ['order_id' => 'A-1001']]),
    'ignore_errors' => true, // so that a refusal can be read
]]);
$result = json_decode(file_get_contents('https://invite.example.com/api/invitation-trigger', false, $request));
if (!$result->ok) throw new RuntimeException("{$result->error->code}: {$result->message}");
echo $result->batch->uuid, "\n";
