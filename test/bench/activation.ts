// Activates a survey with a large number of waiting emails. Measures the update itself, the time to the first email, the requeueing, and
// the requests that arrive meanwhile.
import { offer } from './accept.ts';
import { seedInvitations } from './emails.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  type Running,
  startLoad,
  startRelay,
  startServer,
  startWorker,
  type Trigger,
  until,
} from './harness.ts';
import { median, type Result, ratios } from './result.ts';

const WAITING = 100_000;
const ROUNDS = 3;
const UPDATES = 10;
/** Requests per second during the activation, and for how many seconds. */
const RATE = 100;
const SECONDS = 5;
const LOOK_MS = 50;

interface Found {
  readonly alone: number;
  readonly waiting: number;
  readonly first: number;
  readonly rate: number;
  readonly quiet: number;
  readonly meanwhile: number;
}

export async function activation(bench: Bench): Promise<Result[]> {
  const waiting = WAITING * bench.scale;
  const rounds = bench.scale > 1 ? 1 : ROUNDS;
  const found: Found[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await activate(await bench.database('activation'), waiting));
  const all = (pick: (run: Found) => number) => found.map(pick);
  return [
    {
      part: 'activation',
      title: `Activate a survey with ${waiting.toLocaleString('en')} emails waiting`,
      used: `${rounds} round(s); ${UPDATES} updates each; ${RATE} requests/s for ${SECONDS} s`,
      series: [
        { name: 'the update', unit: 'ms', values: all((run) => run.waiting) },
        {
          name: 'the update, with none waiting',
          unit: 'ms',
          values: all((run) => run.alone),
          ratio: ratios(
            all((run) => run.waiting),
            all((run) => run.alone),
          ),
        },
        { name: 'from the update to the first email', unit: 's', values: all((run) => run.first) },
        { name: 'requeued', unit: 'rows/s', values: all((run) => run.rate) },
        { name: 'p99 of accepting, from the update on', unit: 'ms', values: all((run) => run.meanwhile) },
        {
          name: 'p99 of accepting, before',
          unit: 'ms',
          values: all((run) => run.quiet),
          ratio: ratios(
            all((run) => run.meanwhile),
            all((run) => run.quiet),
          ),
        },
      ],
    },
  ];
}

async function activate(database: Database, waiting: number): Promise<Found> {
  const { sql } = database;
  const empty = await createTrigger(database);
  const full = await createTrigger(database);
  await seedInvitations(database, full, waiting, 'waiting');
  // The two updates take turns. No worker runs yet, so nothing is requeued.
  const alone: number[] = [];
  const beside: number[] = [];
  for (let update = 0; update <= UPDATES; update += 1) {
    alone.push(await timeUpdate(database, empty));
    beside.push(await timeUpdate(database, full));
  }
  await sql`update invite.surveys set state = 'closed' where id = ${full.surveyId}`;
  await sql`delete from graphile_worker._private_jobs`;

  const relay = await startRelay();
  const server = await startServer(database);
  const worker = await startWorker(database, relay);
  const load = await startLoad();
  const secrets = (await createTriggers(database, 32)).map(({ secret }) => secret);
  const trigger = (server: Running, seconds: number) => offer(load, server, { clients: 32, secrets, seconds, rate: RATE });
  await trigger(server, 2);
  const quiet = await trigger(server, SECONDS);
  const meanwhile = trigger(server, SECONDS);
  const updated = Date.now();
  await sql`update invite.surveys set state = 'active' where id = ${full.surveyId}`;
  let first = Number.NaN;
  await until(
    'all emails are requeued',
    async () => {
      if (Number.isNaN(first) && (await firstSent(database, full))) first = (Date.now() - updated) / 1000;
      const left = await sql`select from invite.messages where survey_id = ${full.surveyId} and status = 'waiting' limit 1`;
      return left.length === 0;
    },
    LOOK_MS,
  );
  const rate = waiting / ((Date.now() - updated) / 1000);
  await until('the first email is sent', async () => {
    if (Number.isNaN(first) && (await firstSent(database, full))) first = (Date.now() - updated) / 1000;
    return !Number.isNaN(first);
  });
  const { p99 } = await meanwhile;
  for (const process of [load, worker, server, relay]) await process.end();
  // The first pair is the warm-up.
  return { alone: median(alone.slice(1)), waiting: median(beside.slice(1)), first, rate, quiet: quiet.p99, meanwhile: p99 };
}

async function timeUpdate({ sql }: Database, { surveyId }: Trigger): Promise<number> {
  await sql`update invite.surveys set state = 'closed' where id = ${surveyId}`;
  const began = performance.now();
  await sql`update invite.surveys set state = 'active' where id = ${surveyId}`;
  return performance.now() - began;
}

/** Returns whether the first waiting email was sent. Requeueing starts with the first rows. */
const firstSent = async ({ sql }: Database, { surveyId }: Trigger): Promise<boolean> => {
  const rows = await sql<{ sent: boolean }[]>`
    select sent_at is not null as sent from invite.messages where survey_id = ${surveyId} order by invitation_id, number limit 1`;
  return rows[0]?.sent === true;
};
