// Measures a workspace with 2,000,000 invitations (BENCH_SCALE=5: 10,000,000): how much each statement of the endpoint, worker, pages and
// views reads, and how long it takes. Then it compares accepting, delivering and lists with a database without history.
import { createHistory, type Reading, read, readsTooMuch } from '../fixtures/history.ts';
import { createMember } from '../fixtures/members.ts';
import { listStatements, type Statement } from '../fixtures/statements.ts';
import { offer } from './accept.ts';
import { queueEmails } from './emails.ts';
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
  until,
  VOLUME,
} from './harness.ts';
import { inRounds, percentile, type Result, ratios } from './result.ts';

const INVITATIONS = 2_000_000;
const LIMIT_MS = 20;
const CLIENTS = 32;
const SECONDS = 3;
const EMAILS = 20_000;
const LISTS = 200;

export async function scale(bench: Bench): Promise<Result[]> {
  const invitations = INVITATIONS * bench.scale;
  const history = await bench.database('scale');
  await createHistory(history.sql, invitations);
  const size = `${invitations.toLocaleString('en')} invitations`;
  return [await statements(history, size), ...(await beside(history, await bench.database('scale_empty'), size))];
}

/** Prints each statement. The result has the slowest statement of each room. */
async function statements({ sql }: Database, size: string): Promise<Result> {
  const found: (Reading & { statement: Statement })[] = [];
  const connection = await sql.reserve();
  for (const statement of await listStatements(sql))
    for (const mode of ['custom', 'generic'] as const) found.push({ statement, ...(await read(connection, statement, mode)) });
  connection.release();
  const bad = (reading: Reading & { statement: Statement }) =>
    readsTooMuch(reading) || (reading.milliseconds > LIMIT_MS && !reading.statement.long);
  for (const reading of found) {
    const { statement, shown, rows, buffers, milliseconds } = reading;
    const name = `${statement.room}: ${statement.name}`.slice(0, 68);
    const figures = [shown, rows, buffers].map((number) => String(number).padStart(8)).join('');
    console.log(`${bad(reading) ? '!' : ' '} ${name.padEnd(70)}${figures} ${milliseconds.toFixed(1).padStart(7)} ms`);
  }
  const rooms = [...new Set(found.map(({ statement }) => statement.room))];
  return {
    part: 'scale',
    title: `Each statement beside ${size} in one workspace`,
    used: `${found.length} plans; shown, rows and pages read in the output; ${found.filter(bad).length} read too much or took over ${LIMIT_MS} ms`,
    series: rooms.map((room) => {
      const times = found
        .filter(({ statement }) => statement.room === room && !statement.long)
        .map(({ milliseconds }) => milliseconds);
      return { name: `${room}, median and slowest`, unit: 'ms' as const, values: [percentile(times, 0.5), Math.max(...times)] };
    }),
  };
}

async function beside(history: Database, empty: Database, size: string): Promise<Result[]> {
  const listing = async (database: Database) => {
    const trigger = await createTrigger(database);
    const { session } = await createMember(database.store, trigger.workspaceId, 'owner');
    for (let batch = 0; batch < 5; batch += 1)
      await database.store.acceptTriggers(
        [
          {
            secretHash: trigger.hash,
            request: { recipients: Array.from({ length: 50 }, (_, n) => ({ email: `p${n}@example.com` })) },
          },
        ],
        VOLUME,
      );
    return async () => {
      const began = performance.now();
      for (let list = 0; list < LISTS; list += 1) {
        await database.store.console.listInvitations(session, trigger.surveyId, {}, 50);
        await database.store.console.listBatches(session, trigger.surveyId, undefined, 20);
      }
      return (performance.now() - began) / LISTS;
    };
  };
  const listed = await inRounds({ history: await listing(history), empty: await listing(empty) }, 5);

  const load = await startLoad();
  const running: Running[] = [];
  const accepting = async (database: Database) => {
    const server = await startServer(database);
    running.push(server);
    const secrets = (await createTriggers(database, CLIENTS)).map(({ secret }) => secret);
    return async (warmUp: boolean) =>
      (await offer(load, server, { clients: CLIENTS, secrets, seconds: warmUp ? 1 : SECONDS })).perSecond;
  };
  const accepted = await inRounds({ history: await accepting(history), empty: await accepting(empty) });
  for (const server of running) await server.end();

  const relay = await startRelay();
  const delivering = async (database: Database) => {
    const trigger = await createTrigger(database);
    return async (warmUp: boolean) => {
      const worker = await startWorker(database, relay);
      const emails = warmUp ? EMAILS / 10 : EMAILS;
      await relay.ask('reset');
      await queueEmails(database, trigger, emails, { reminders: [7] });
      await until('all emails are settled', async () => {
        const open = await database.sql`
          select from invite.messages
          where survey_id = ${trigger.surveyId} and is_last and status = 'queued' and status <> 'sending' and number = 0
          union all
          select from invite.messages where survey_id = ${trigger.surveyId} and status = 'sending'
          limit 1`;
        return open.length === 0;
      });
      const { first } = await relay.ask('count');
      const rate = emails / ((Date.now() - first) / 1000);
      await worker.end();
      return rate;
    };
  };
  const delivered = await inRounds({ history: await delivering(history), empty: await delivering(empty) });

  for (const process of [load, relay]) await process.end();

  const result = (
    part: string,
    title: string,
    used: string,
    unit: 'requests/s' | 'emails/s' | 'ms',
    found: typeof listed,
  ): Result => ({
    part,
    title: `${title}, beside ${size}`,
    used: `${found.empty.length} rounds of ${used}`,
    series: [
      { name: 'with this history', unit, values: found.history },
      { name: 'without', unit, values: found.empty, ratio: ratios(found.history, found.empty) },
    ],
  });
  return [
    result('scale-accept', `Accept one recipient, ${CLIENTS} clients`, `${SECONDS} s`, 'requests/s', accepted),
    result('scale-deliver', 'Deliver to a relay that responds at once', `${EMAILS} emails`, 'emails/s', delivered),
    result('scale-lists', 'A list of invitations and one of batches', `${LISTS} of each`, 'ms', listed),
  ];
}
