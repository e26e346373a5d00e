// CHAOS=kill and CHAOS=batches: kill -9 of a worker in the midst of its sends, again and again; each time another takes its place.
import { setTimeout as delay } from 'node:timers/promises';
import { acceptMails, createTrigger, drained, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { startRelay } from './relay.ts';

const MAILS = 10_000;
const CONCURRENCY = 10;
const SETTLED_WITHIN_MS = 90_000;

/** One mail a request, which is what a relay with idempotency keys gets unless told otherwise: nothing may be delivered twice. */
export async function kill(): Promise<number> {
  const kills = Number(process.env.KILLS ?? 20);
  const { missing, repeated, doubled, after } = await killWorkers({ kills, delayMs: 10 });
  // What was on its way, and one flush of results.
  const most = kills * (CONCURRENCY + 100);
  console.log(
    `kill -9, ${kills} times in ${MAILS} mails, ${CONCURRENCY} at a time: ${missing} lost, ${repeated} asked for twice (at most ${most}), ` +
      `${doubled} delivered twice by a relay that honours the idempotency key; ${after}`,
  );
  return missing + doubled + Math.max(repeated - most, 0);
}

/** RELAY_BATCH=100: what it costs is a figure, and not a fault. */
export async function batches(): Promise<number> {
  const kills = Number(process.env.KILLS ?? 5);
  const { missing, repeated, doubled, after } = await killWorkers({ kills, delayMs: 100, batch: 100 });
  console.log(
    `kill -9, ${kills} times in ${MAILS} mails in batches of 100: ${missing} lost, ${repeated} asked for twice, ${doubled} delivered twice; ${after}`,
  );
  return missing;
}

async function killWorkers({ kills, delayMs, batch = 1 }: { kills: number; delayMs: number; batch?: number }) {
  const { sql, store, url, close } = await openChaos('chaos_kill');
  const relay = await startRelay({ delayMs });
  const { hash } = await createTrigger(store);
  await acceptMails(store, hash, MAILS);
  const more = batch > 1 ? { RELAY_BATCH: String(batch) } : undefined;
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), RELAY_CONCURRENCY: String(CONCURRENCY), ...more };
  let worker = await startProgram('work', env);
  for (let round = 0; round < kills; round += 1) {
    const before = relay.mails();
    // In the midst of it: some requests after it has begun.
    for (let waited = 0; relay.mails() < before + 100 * Math.sqrt(batch) && waited < 5_000; waited += 10) await delay(10);
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
    missing: MAILS - relay.mails() + (settled ? 0 : 1),
    repeated: relay.repeated(),
    doubled: relay.doubled(),
    after: settled ? `all settled ${seconds} s after the last kill` : 'NOT SETTLED',
  };
}
