// Compares a workspace with every rule set with one that has none: emails delivered to a relay that responds at once, and the activation of
// a survey with many emails waiting. All recipients have one of twelve time zones.
import { delivered, queueEmails, seedInvitations } from './emails.ts';
import { type Bench, createTrigger, type Database, type Relay, startRelay, startWorker, until } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const EMAILS = 30_000;
const WARM_UP = 5_000;
const WAITING = 100_000;
const ZONES = [
  ...['Pacific/Auckland', 'Australia/Lord_Howe', 'Asia/Tokyo', 'Asia/Kathmandu', 'Asia/Dubai', 'Europe/Berlin', 'Europe/London'],
  ...['Atlantic/Azores', 'America/Sao_Paulo', 'America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu'],
];
const WEEK = 7 * 1440;

/** Hours that are open in all zones for the next day: a quarter of an hour is closed, half a week from now. */
function openNow(): string {
  const now = Math.floor(Date.now() / 900_000) * 15;
  // January 1, 1970 was a Thursday.
  const closed = (now + 3 * 1440 + WEEK / 2) % WEEK;
  return closed === 0 ? `{[15,${WEEK})}` : closed + 15 === WEEK ? `{[0,${closed})}` : `{[0,${closed}),[${closed + 15},${WEEK})}`;
}

async function setRules({ sql }: Database, survey: string, hours: string): Promise<void> {
  await sql`
    update invite.workspaces
    set rest_days = 30, max_delay_hours = 168, time_zone = 'Asia/Tokyo', open_hours = ${hours}::int4multirange,
      closed_days = '{[2020-12-24,2020-12-27)}'`;
  await sql`
    update invite.surveys
    set link_days = 60, closes_at = now() + interval '1 year', response_limit = 1000000
    where id = ${survey}`;
}

export async function rules(bench: Bench): Promise<Result[]> {
  const relay = await startRelay();
  const delivering = await deliverings(bench, relay);
  const activating = await inRounds({
    none: (warmUp) => activate(bench, relay, warmUp ? WARM_UP : WAITING * bench.scale),
    open: (warmUp) => activate(bench, relay, warmUp ? WARM_UP : WAITING * bench.scale, openNow()),
  });
  await relay.end();
  return [
    {
      part: 'rules',
      title: 'Deliver with every rule set',
      used: `${delivering.none.length} rounds of ${EMAILS} emails in ${ZONES.length} time zones`,
      series: [
        { name: 'all rules', unit: 'emails/s', values: delivering.all },
        { name: 'none', unit: 'emails/s', values: delivering.none, ratio: ratios(delivering.all, delivering.none) },
      ],
    },
    {
      part: 'rules',
      title: `Activate a survey with ${(WAITING * bench.scale).toLocaleString('en')} emails waiting, until all are sent`,
      used: `${activating.none.length} rounds, ${ZONES.length} time zones`,
      series: [
        { name: 'all rules', unit: 's', values: activating.open },
        { name: 'none', unit: 's', values: activating.none, ratio: ratios(activating.open, activating.none) },
      ],
    },
  ];
}

async function deliverings(bench: Bench, relay: Relay) {
  const contender = async (name: string) => {
    const database = await bench.database(name);
    return { database, trigger: await createTrigger(database), worker: await startWorker(database, relay) };
  };
  const [none, all] = [await contender('rules_none'), await contender('rules_all')];
  await setRules(all.database, all.trigger.surveyId, openNow());
  const run =
    ({ database, trigger }: typeof none) =>
    (warmUp: boolean) => {
      const emails = warmUp ? WARM_UP : EMAILS;
      return delivered(database, relay, emails, () => queueEmails(database, trigger, emails, { reminders: [7], zones: ZONES }));
    };
  const found = await inRounds({ none: run(none), all: run(all) });
  for (const { worker } of [none, all]) await worker.end();
  return found;
}

/** Returns the seconds from the activation until all are settled. @param hours Undefined: no rule is set. */
async function activate(bench: Bench, relay: Relay, waiting: number, hours?: string): Promise<number> {
  const database = await bench.database('rules_activation');
  const { sql } = database;
  const trigger = await createTrigger(database);
  if (hours !== undefined) await setRules(database, trigger.surveyId, hours);
  await sql`update invite.surveys set state = 'closed' where id = ${trigger.surveyId}`;
  await seedInvitations(database, trigger, waiting, 'waiting');
  await sql`update invite.invitations set time_zone = (${ZONES as string[]}::text[])[1 + id % ${ZONES.length}]`;
  await sql`vacuum analyze invite.invitations`;
  await sql`delete from graphile_worker._private_jobs`;
  await relay.ask('reset');
  const worker = await startWorker(database, relay);
  const began = Date.now();
  await sql`update invite.surveys set state = 'active' where id = ${trigger.surveyId}`;
  await until('all emails are relayed', async () => (await relay.ask('count')).emails >= waiting);
  await until('all emails are settled', async () => {
    const open = await sql`select from invite.messages where status in ('waiting', 'queued', 'sending') limit 1`;
    return open.length === 0;
  });
  const seconds = (Date.now() - began) / 1000;
  await worker.end();
  return seconds;
}
