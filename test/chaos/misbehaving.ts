// CHAOS=relay: under load, a relay misbehaves at random for a minute and then recovers. Every email must be delivered exactly once.
import { setTimeout as delay } from 'node:timers/promises';
import { acceptEmails, createTrigger, end, openChaos, relaySettings, retryNow, startProgram } from './harness.ts';
import { createMisbehaviour } from './misbehaviour.ts';
import { createRandom } from './random.ts';
import { startRelay } from './relay.ts';

const SECONDS = Number(process.env.RELAY_SECONDS ?? 60);
const EMAILS_PER_SECOND = 50;
const SETTLED_WITHIN_MS = 60_000;

export async function misbehaving(): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_relay');
  const misbehaviour = createMisbehaviour(createRandom(0));
  const relay = await startRelay({ delayMs: 5, fault: misbehaviour.fault });
  const { hash } = await createTrigger(store);
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), RELAY_TIMEOUT_SECONDS: '1', RELAY_CONCURRENCY: '20' };
  const workers = [await startProgram('work', env), await startProgram('work', env)];
  for (let second = 0; second < SECONDS; second += 1) {
    await acceptEmails(store, hash, EMAILS_PER_SECOND, second * EMAILS_PER_SECOND);
    await delay(1000);
  }
  const emails = SECONDS * EMAILS_PER_SECOND;
  const before = relay.emails();
  misbehaviour.heal();
  const healedAt = Date.now();
  const settled = await retryNow(sql, SETTLED_WITHIN_MS);
  const seconds = ((Date.now() - healedAt) / 1000).toFixed(1);
  const [row] = await sql`select count(*)::integer as sent from invite.messages where status = 'sent'`;
  const missing = emails - Math.min(relay.emails(), row?.sent);
  console.log(
    `a relay that misbehaves at random for ${SECONDS} s (${misbehaviour.faults()} faults, ${before} of ${emails} emails delivered meanwhile), and recovers: ` +
      `${missing} lost, ${relay.repeated()} sent to the relay twice (${relay.needless()} of them needlessly), ${relay.doubled()} delivered twice; ` +
      `${settled ? `all settled ${seconds} s later` : 'NOT SETTLED'}`,
  );
  for (const worker of workers) await end(worker, 'SIGTERM');
  relay.close();
  await close();
  return missing + relay.needless() + relay.doubled() + (settled ? 0 : 1);
}
