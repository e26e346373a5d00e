// CHAOS=kill and CHAOS=batches: a worker is killed repeatedly with kill -9 while it is sending. Each time another worker takes over.
import { setTimeout as delay } from 'node:timers/promises';
import { acceptEmails, createTrigger, drained, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { startRelay } from './relay.ts';

const EMAILS = 10_000;
const CONCURRENCY = 10;
const SETTLED_WITHIN_MS = 90_000;

/** One email per request, the default where the relay has idempotency keys: nothing may be delivered twice. */
export async function kill(): Promise<number> {
  const kills = Number(process.env.KILLS ?? 20);
  const { missing, repeated, doubled, after } = await killWorkers({ kills, delayMs: 10 });
  // A kill can repeat the requests in flight and the results of one write.
  const max = kills * (CONCURRENCY + 100);
  console.log(
    `kill -9, ${kills} times in ${EMAILS} emails, ${CONCURRENCY} at a time: ${missing} lost, ${repeated} sent to the relay twice (at most ${max}), ` +
      `${doubled} delivered twice by a relay that honors the idempotency key; ${after}`,
  );
  return missing + doubled + Math.max(repeated - max, 0);
}

/** With RELAY_BATCH=100, emails may be delivered twice. They are counted. */
export async function batches(): Promise<number> {
  const kills = Number(process.env.KILLS ?? 5);
  const { missing, repeated, doubled, after } = await killWorkers({ kills, delayMs: 100, batch: 100 });
  console.log(
    `kill -9, ${kills} times in ${EMAILS} emails in batches of 100: ${missing} lost, ${repeated} sent to the relay twice, ${doubled} delivered twice; ${after}`,
  );
  return missing;
}

async function killWorkers({ kills, delayMs, batch = 1 }: { kills: number; delayMs: number; batch?: number }) {
  const { sql, store, url, close } = await openChaos('chaos_kill');
  const relay = await startRelay({ delayMs });
  const { hash } = await createTrigger(store);
  await acceptEmails(store, hash, EMAILS);
  const batching = batch > 1 ? { RELAY_BATCH: String(batch) } : undefined;
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), RELAY_CONCURRENCY: String(CONCURRENCY), ...batching };
  let worker = await startProgram('work', env);
  for (let round = 0; round < kills; round += 1) {
    const before = relay.emails();
    // Waits until the worker has sent some requests.
    for (let waited = 0; relay.emails() < before + 100 * Math.sqrt(batch) && waited < 5_000; waited += 10) await delay(10);
    await end(worker, 'SIGKILL');
    worker = await startProgram('work', env);
  }
  const killedAt = Date.now();
  const settled = await drained(sql, SETTLED_WITHIN_MS);
  const seconds = Math.round((Date.now() - killedAt) / 1000);
  await end(worker, 'SIGTERM');
  relay.close();
  await close();
  return {
    missing: EMAILS - relay.emails() + (settled ? 0 : 1),
    repeated: relay.repeated(),
    doubled: relay.doubled(),
    after: settled ? `all settled ${seconds} s after the last kill` : 'NOT SETTLED',
  };
}
