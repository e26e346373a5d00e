// Nothing but undici POSTs: the limit of the relay, the client and this machine. Asked for a number of emails, it posts them.
import { Pool } from 'undici';
import { answer } from '../child.ts';

const connections = Number(process.env.RELAY_CONCURRENCY);
const pool = new Pool(process.env.RELAY_URL ?? '', { connections });
/** As large as one of our emails. */
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
