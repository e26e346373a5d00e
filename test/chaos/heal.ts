// CHAOS=heal: everything that wakes the workers gets lost. For a minute, jobs are deleted at random, surveys and plans are activated
// without triggers, not_before is moved by hand, and rows are set back to an earlier state. Then every email must be sent within two minutes,
// without anyone's help.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/database/pool.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createTrigger, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { createRandom } from './random.ts';
import { startRelay } from './relay.ts';

const CUSTOMERS = 8;
const DAMAGE_MS = 60_000;
const HEALED_WITHIN_MS = 120_000;

export async function heal(): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_heal');
  // This connection runs no triggers, as in a restore or a replication.
  const bare = openDatabase(url, { applicationName: 'chaos', transactions: true });
  await bare`set session_replication_role = replica`;
  const relay = await startRelay({ delayMs: 2 });
  const worker = await startProgram('work', { DATABASE_URL: url, ...relaySettings(relay.url) });
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => createTrigger(store)));
  const random = createRandom(0);
  let accepted = 0;

  const accept = async (sendAt?: Date) => {
    const recipients = Array.from({ length: 1 + random.below(200) }, (_, index) => ({
      email: `person${accepted + index}@example.com`,
    }));
    const { outcome } = await acceptTrigger(store, random.pick(customers).hash, { recipients, sendAt }, 100_000_000);
    if (outcome !== 'accepted') throw new Error(`the request was rejected: ${outcome}`);
    accepted += recipients.length;
  };
  const survey = () => random.pick(customers).survey;
  const damages: Record<string, () => PromiseLike<unknown>> = {
    accept: () => accept(),
    schedule: () => accept(new Date(Date.now() + 3_600_000)),
    close: () => store.setSurveyState(survey(), random.pick(['closed', 'draft'])),
    activate: () => bare`update invite.surveys set state = 'active' where id = ${survey()}`,
    plan: () => bare`update invite.plans set api_trigger = ${random.below(2) === 0} where id = 'pro'`,
    deleteJobs: () => sql`delete from graphile_worker._private_jobs where locked_at is null and random() < 0.3`,
    pullForward: () => sql`
      update invite.messages set not_before = now()
      where (invitation_id, number) in (
        select invitation_id, number from invite.messages where status = 'queued' and not_before > now() order by random() limit 200 for update skip locked)`,
    putOff: () => sql`
      update invite.messages set sweep_at = now() + interval '1 hour'
      where (invitation_id, number) in (
        select invitation_id, number from invite.messages where status = 'queued' order by random() limit 50 for update skip locked)`,
    sentByNobody: () => sql`
      update invite.messages
      set status = 'sending', sweep_at = null, not_before = least(not_before, now()), worker_id = gen_random_uuid(), claim_id = gen_random_uuid()
      where (invitation_id, number) in (
        select invitation_id, number from invite.messages where status = 'queued' order by random() limit 50 for update skip locked)`,
  };

  let steps = 0;
  for (const until = Date.now() + DAMAGE_MS; Date.now() < until; steps += 1) {
    const [name, damage] = random.pick(Object.entries(damages));
    // A plan without the API trigger rejects requests, so it is enabled first.
    if (name === 'accept' || name === 'schedule') await bare`update invite.plans set api_trigger = true where id = 'pro'`;
    await damage();
    await delay(random.below(100));
  }
  await bare`update invite.plans set api_trigger = true where id = 'pro'`;
  await bare`update invite.surveys set state = 'active'`;
  await sql`update invite.messages set not_before = now() where status = 'queued' and not_before > now()`;
  await sql`delete from graphile_worker._private_jobs where locked_at is null`;

  const began = Date.now();
  let left = -1;
  for (const until = began + HEALED_WITHIN_MS; left !== 0 && Date.now() < until; await delay(500)) {
    const [row] =
      await sql`select count(*)::integer as open from invite.messages where status in ('queued', 'sending', 'waiting')`;
    left = row?.open as number;
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  const broken = await sql`select code, count(*)::integer as emails from invite.broken_invariants group by code`;
  const missing = accepted - relay.emails();
  await end(worker, 'SIGTERM');
  relay.close();
  await bare.end();
  await close();
  console.log(
    `${steps} random losses in a minute, ${accepted} emails: ${missing} not sent, ${left} open after ${seconds} s, ` +
      `${relay.doubled()} delivered twice, ${broken.length === 0 ? 'no broken invariant' : `BROKEN ${JSON.stringify(broken)}`}`,
  );
  return Math.max(missing, left, broken.length, relay.doubled());
}
