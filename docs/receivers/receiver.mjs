// Receives webhooks: node receiver.mjs. WEBHOOK_SECRET is what `webhook create` printed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function verify(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!verify(request.headers, body)) return response.writeHead(400).end();
  const { id, type, data } = JSON.parse(body);
  // The same id may come twice: keep it where you keep what follows, and skip what you have.
  console.log(id, type, data.metadata?.order_id ?? '');
  response.writeHead(204).end();
});
server.listen(process.env.PORT ?? 8080, () => console.log(`port ${server.address().port}`));
