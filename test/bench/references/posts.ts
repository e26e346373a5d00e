// Only undici POSTs, without a database: the limit of the relay, the client and this machine. When asked for a number of emails, it posts
// that many.
import { Pool } from 'undici';
import { answer } from '../child.ts';

const connections = Number(process.env.RELAY_CONCURRENCY);
const pool = new Pool(process.env.RELAY_URL ?? '', { connections });
/** This is as large as one of the product's emails. */
const body = JSON.stringify({ Subject: 'x'.repeat(50), Text: 'x'.repeat(300), HTML: 'x'.repeat(900), Headers: 'x'.repeat(350) });
const request = { method: 'POST', path: '/api/v1/send', headers: { 'content-type': 'application/json' }, body } as const;

answer('', async (emails: number): Promise<boolean> => {
  let left = emails;
  const client = async () => {
    while (left-- > 0) await (await pool.request(request)).body.text();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return true;
});
