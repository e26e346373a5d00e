// make chaos: what is lost and what is repeated when workers are killed and PostgreSQL crashes. Prints figures; exits 1 if anything is lost.
// CHAOS=kill, crash or migrate runs one part.
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/migrate.ts';
import { crashPostgres, createTrigger, drained, end, openChaos, startProgram, startRelay } from './harness.ts';

const KILLS = Number(process.env.KILLS ?? 20);
const MAILS = 10_000;
const CONCURRENCY = 10;
const CRASHES = Number(process.env.CRASHES ?? 10);
const SETTLED_WITHIN_MS = 90_000;

const parts: Record<string, () => Promise<number>> = { kill, crash, migrations };
let lost = 0;
for (const [name, part] of Object.entries(parts)) {
  if (process.env.CHAOS === undefined || name.startsWith(process.env.CHAOS)) lost += await part();
}
process.exitCode = lost === 0 ? 0 : 1;

/** kill -9 of a worker in the midst of 10,000 sends, twenty times; each time another worker takes its place. */
async function kill(): Promise<number> {
  const { sql, functions, url, close } = await openChaos('chaos_kill');
  const relay = await startRelay(10);
  const { hash } = await createTrigger(functions);
  for (let sent = 0; sent < MAILS; sent += 1000) {
    const recipients = Array.from({ length: 1000 }, (_, index) => ({ email: `person${sent + index}@example.com` }));
    await functions.acceptTrigger(hash, { recipients }, 100_000_000);
  }
  const env = { DATABASE_URL: url, RELAY: 'mailpit', RELAY_URL: relay.url, RELAY_CONCURRENCY: String(CONCURRENCY) };
  let worker = await startProgram('work', env);
  for (let round = 0; round < KILLS; round += 1) {
    const before = relay.mails();
    // In the midst of it: some mails after it has begun.
    for (let waited = 0; relay.mails() < before + 100 && waited < 5_000; waited += 10) await delay(10);
    await end(worker, 'SIGKILL');
    worker = await startProgram('work', env);
  }
  const killedAt = Date.now();
  const settled = await drained(sql, SETTLED_WITHIN_MS);
  const missing = MAILS - relay.mails();
  console.log(
    `kill -9, ${KILLS} rounds in ${MAILS} sends, ${CONCURRENCY} at a time: ${missing} lost, ${relay.repeated()} repeated ` +
      `(at most ${KILLS * (CONCURRENCY + 100)}; 0 where the relay honours the idempotency key), ` +
      `${settled ? `all settled ${Math.round((Date.now() - killedAt) / 1000)} s after the last kill` : 'NOT SETTLED'}`,
  );
  await end(worker, 'SIGTERM');
  relay.close();
  await close();
  return missing + (settled ? 0 : 1);
}

/** Ten crashes of PostgreSQL under trigger load: whatever was answered 200 is mailed. */
async function crash(): Promise<number> {
  const { sql, functions, url, close } = await openChaos('chaos_crash');
  const relay = await startRelay(1);
  const { secret } = await createTrigger(functions);
  const port = '39471';
  const env = { DATABASE_URL: url, RELAY: 'mailpit', RELAY_URL: relay.url, PORT: port };
  const limits = { FLOOD_REQUESTS_PER_MINUTE: '1000000', FLOOD_RECIPIENTS_PER_HOUR: '100000000' };
  const server = await startProgram('serve', { ...env, ...limits });
  const worker = await startProgram('work', env);
  const accepted = new Set<string>();
  const answers = new Map<number, number>();
  let going = true;
  const client = async (_: unknown, index: number) => {
    while (going) {
      const response = await fetch(`http://127.0.0.1:${port}/api/invitation-trigger`, {
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
  const mailed = new Set(rows.map((row) => row.batch_id));
  const missing = [...accepted].filter((batch) => !mailed.has(batch)).length;
  console.log(
    `pg_ctl stop -m immediate, ${CRASHES} times under load: ${accepted.size} answered 200 (answers: ${JSON.stringify(Object.fromEntries(answers))}), ` +
      `${missing} of them not mailed, ${relay.repeated()} mails repeated, ${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  await end(server, 'SIGTERM');
  await end(worker, 'SIGTERM');
  relay.close();
  await close();
  return missing + (settled ? 0 : 1);
}

/** Twenty migrations of one empty database at once, then twenty of a migrated one beside each other. */
async function migrations(): Promise<number> {
  const { sql, url, close } = await openChaos('chaos_migrate');
  await sql.unsafe('drop schema invite cascade; drop schema graphile_worker cascade');
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => migrate(url)));
  const failed = results.filter((result) => result.status === 'rejected').length;
  console.log(`20 migrations of one empty database at once: ${failed} failed`);
  await close();
  return failed;
}
