// CHAOS=rules: a workspace with a rest, hours and a deadline invites the same people to three surveys at once, while workers are killed,
// PostgreSQL crashes, its clock jumps and the hours open and close. Each person must get exactly one invitation, and none while it is closed; the others are
// skipped, because the rest lasts longer than they may wait.
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../src/database/pool.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { crashPostgres, createTrigger, drained, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { createRandom } from './random.ts';
import { startRelay } from './relay.ts';
import { fakeClock } from './surroundings.ts';

const PEOPLE = 1_500;
const FAULTS = Number(process.env.FAULTS ?? 12);
const SETTLED_WITHIN_MS = 120_000;
/** What was claimed before it closed may arrive this long after. */
const UNDER_WAY_MS = 3_000;
const OPEN = '{[0,10080)}';
/** A quarter of an hour three days from now. */
const closed = () => {
  const start = ((((new Date().getUTCDay() + 6) % 7) + 3) % 7) * 1440;
  return `{[${start},${start + 15})}`;
};

export async function rules(run: number): Promise<number> {
  const random = createRandom(run);
  const clock = fakeClock('rules');
  clock?.set('+0');
  Object.assign(process.env, clock?.env);
  const { sql, store, url, close } = await openChaos('chaos_rules');
  for (const name of Object.keys(clock?.env ?? {})) delete process.env[name];
  const arrived: { address: string; at: number }[] = [];
  const relay = await startRelay({
    delayMs: 5,
    onEmail: (address) => arrived.push({ address: address.toLowerCase(), at: Date.now() }),
  });
  const first = await createTrigger(store);
  const others = await Promise.all([1, 2].map(() => createTrigger(store, first.workspace)));
  const setHours = (hours: string) => sql`update invite.workspaces set open_hours = ${hours} where id = ${first.workspace}`;
  await sql`update invite.workspaces set rest_days = 30, max_delay_hours = 240, time_zone = 'Pacific/Chatham' where id = ${first.workspace}`;
  await setHours(OPEN);
  for (const [index, { hash }] of [first, ...others].entries()) {
    const recipients = Array.from({ length: PEOPLE }, (_, n) => ({
      email: index === 1 ? `PERSON${n}@Example.com` : `person${n}@example.com`,
    }));
    for (let from = 0; from < PEOPLE; from += 500)
      await acceptTrigger(store, hash, { recipients: recipients.slice(from, from + 500) }, 100_000_000);
  }

  const env = { DATABASE_URL: url, ...relaySettings(relay.url), RELAY_CONCURRENCY: '10' };
  const workers = [await startProgram('work', env), await startProgram('work', env)];
  const closings: { from: number; to: number }[] = [];
  let closedSince: number | undefined;
  const faults = {
    async kill() {
      const index = random.below(workers.length);
      const worker = workers[index];
      if (worker !== undefined) await end(worker, 'SIGKILL');
      workers[index] = await startProgram('work', env);
    },
    async crash() {
      await crashPostgres();
      await untilUp(sql);
      for (const [index, worker] of workers.entries())
        if (worker.exitCode !== null || worker.signalCode !== null) workers[index] = await startProgram('work', env);
    },
    jump: async () => clock?.set(random.pick(['+3600', '-3600', '+0'])),
    async hours() {
      if (closedSince === undefined) {
        await setHours(closed());
        closedSince = Date.now();
        await delay(2 * UNDER_WAY_MS);
      } else {
        closings.push({ from: closedSince, to: Date.now() });
        closedSince = undefined;
        await setHours(OPEN);
      }
    },
  };
  const kinds = Object.keys(faults) as (keyof typeof faults)[];
  for (let round = 0; round < FAULTS; round += 1) {
    await delay(random.below(2_000));
    // Each kind in turn first, then any.
    await faults[kinds[round] ?? random.pick(kinds)]();
  }
  clock?.set('+0');
  if (closedSince !== undefined) await faults.hours();
  await setHours(OPEN);
  const settled = await drained(sql, SETTLED_WITHIN_MS);
  for (const [index, worker] of workers.entries())
    if (worker.exitCode === null && worker.signalCode === null) await end(worker, index === 0 ? 'SIGTERM' : 'SIGKILL');

  const [stored] = await sql<{ people: number; strange: number }[]>`
    select
      (count(distinct lower(i.email)) filter (where m.status = 'sent'))::integer as people,
      (count(*) filter (where m.status <> 'sent' and (m.rule is distinct from 'rests_too_long' or m.status <> 'skipped')))::integer as strange
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id`;
  const addresses = new Map<string, number>();
  for (const { address } of arrived) addresses.set(address, (addresses.get(address) ?? 0) + 1);
  const lost = PEOPLE - Math.min(addresses.size, stored?.people ?? 0);
  const twice = [...addresses.values()].filter((times) => times > 1).length + relay.doubled();
  const outside = arrived.filter(({ at }) => closings.some(({ from, to }) => at > from + UNDER_WAY_MS && at < to)).length;
  console.log(
    `${PEOPLE} people invited to three surveys, with rest, hours and a deadline, ${FAULTS} kills, crashes, ` +
      `${clock === undefined ? '(no libfaketime: no jumps of the clock)' : 'jumps of the clock'} and changes of hours: ${lost} lost, ` +
      `${twice} invited twice, ${outside} outside hours, ${stored?.strange} neither sent nor skipped for the rest; ` +
      `${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  relay.close();
  await close();
  return lost + twice + outside + (stored?.strange ?? 0) + (settled ? 0 : 1);
}

async function untilUp(sql: Sql): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await sql`select 1`.then(
        () => true,
        () => false,
      )
    )
      return;
    await delay(100);
  }
}
