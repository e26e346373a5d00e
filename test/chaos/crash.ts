// CHAOS=crash: ten crashes of PostgreSQL under load. Every request that got a 200 must be emailed.
import { setTimeout as delay } from 'node:timers/promises';
import { crashPostgres, createTrigger, drained, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { startRelay } from './relay.ts';

const CRASHES = Number(process.env.CRASHES ?? 10);
const SETTLED_WITHIN_MS = 90_000;
const PORT = '39471';

export async function crash(): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_crash');
  const relay = await startRelay({ delayMs: 1 });
  const { secret } = await createTrigger(store);
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), PORT };
  const limits = { FLOOD_REQUESTS_PER_MINUTE: '1000000', FLOOD_RECIPIENTS_PER_HOUR: '100000000' };
  const server = await startProgram('serve', { ...env, ...limits });
  const worker = await startProgram('work', env);
  const accepted = new Set<string>();
  const answers = new Map<number, number>();
  let going = true;
  const client = async (_: unknown, index: number) => {
    while (going) {
      const response = await fetch(`http://127.0.0.1:${PORT}/api/invitation-trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `client${index}@example.com` }),
      });
      const body = (await response.json()) as { batch?: { uuid: string } };
      answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
      if (body.batch !== undefined) accepted.add(body.batch.uuid);
      await delay(response.status === 200 ? 5 : 50);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  for (let round = 0; round < CRASHES; round += 1) {
    await delay(1500);
    await crashPostgres();
  }
  await delay(1500);
  going = false;
  await clients;
  const settled = await drained(sql, SETTLED_WITHIN_MS);
  const rows = await sql<{ batch_id: string }[]>`select distinct batch_id from invite.invitations where sent_at is not null`;
  const emailed = new Set(rows.map((row) => row.batch_id));
  const missing = [...accepted].filter((batch) => !emailed.has(batch)).length;
  console.log(
    `pg_ctl stop -m immediate, ${CRASHES} times under load: ${accepted.size} responses of 200 (all: ${JSON.stringify(Object.fromEntries(answers))}), ` +
      `${missing} of them lost, ${relay.repeated()} sent to the relay twice, ${relay.doubled()} delivered twice; ${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  await end(server, 'SIGTERM');
  await end(worker, 'SIGTERM');
  relay.close();
  await close();
  return missing + relay.doubled() + (settled ? 0 : 1);
}
