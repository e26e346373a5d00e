// Measures the SQL of accepting, without HTTP: calls of 64 requests with one recipient each, and their jobs. It is compared with bare
// inserts of the same rows and jobs into the same tables. There is one connection, and one commit per call.
import type { Sql } from '../../src/database/pool.ts';
import { createStore, type TriggerCall } from '../../src/database/store.ts';
import { type Bench, createTriggers, type Database, type Trigger, VOLUME } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const REQUESTS = 64;
const CALLS = 160;
/** The number of calls whose requests share jobs. A busy server makes about this many calls in 50 ms. */
const CALLS_PER_JOBS = 8;

export async function acceptSql(bench: Bench): Promise<Result[]> {
  const database = await bench.database('accept_sql');
  const triggers = await createTriggers(database, REQUESTS);
  const contenders = { ours: await openOurs(database, triggers), bare: await openBare(database, triggers) };
  const timed = (accept: Accept) => async (warmUp: boolean) => {
    const calls = warmUp ? CALLS / 4 : CALLS;
    await database.sql`vacuum analyze`;
    // After an analyze, PostgreSQL plans each statement again. This call does that before the clock starts.
    await accept(1);
    const began = performance.now();
    await accept(calls);
    return ((performance.now() - began) * 1000) / (calls * REQUESTS);
  };
  const found = await inRounds({ bare: timed(contenders.bare), ours: timed(contenders.ours) }, 5);
  return [
    {
      part: 'accept-sql',
      title: `The SQL of accepting, ${REQUESTS} requests a call`,
      used: `${found.ours.length} rounds of ${CALLS} calls on one connection; a request, with its share of the jobs`,
      series: [
        { name: 'ours', unit: 'µs', values: found.ours },
        { name: 'bare inserts of the same rows', unit: 'µs', values: found.bare, ratio: ratios(found.bare, found.ours) },
      ],
    },
  ];
}

type Accept = (calls: number) => Promise<void>;

async function openOurs({ sql }: Database, triggers: readonly Trigger[]): Promise<Accept> {
  const store = createStore((await sql.reserve()) as unknown as Sql);
  const requests: TriggerCall[] = triggers.map(({ hash }, index) => ({
    secretHash: hash,
    request: { recipients: [{ email: `person${index}@example.com`, name: 'Ada' }] },
  }));
  return async (calls) => {
    const batches: string[] = [];
    for (let call = 1; call <= calls; call += 1) {
      for (const result of await store.acceptTriggers(requests, VOLUME, { defer: true })) {
        if (result?.outcome !== 'accepted') throw new Error('a request was not accepted');
        batches.push(result.batchId);
      }
      if (call % CALLS_PER_JOBS === 0) await store.queueAccepted(batches.splice(0), 'home0000');
    }
  };
}

/** Opens the bare inserts. They are given tokens, surveys, texts and totals, and check nothing. */
async function openBare({ sql }: Database, triggers: readonly Trigger[]): Promise<Accept> {
  const connection = await sql.reserve();
  const workspaces = triggers.map(({ workspaceId }) => workspaceId);
  const surveys = triggers.map(({ surveyId }) => surveyId);
  const emails = triggers.map((_, index) => `person${index}@example.com`);
  const tokens = (
    await connection`
      select t.id from unnest(${surveys}::text[]) with ordinality as s (id, place)
      join invite.trigger_tokens as t on t.survey_id = s.id order by s.place`
  ).map(({ id }) => id as string);
  const [{ subject, message } = {}] = await connection`
    select default_subject as subject, default_message as message from invite.trigger_tokens limit 1`;
  return async (calls) => {
    const [{ total = 0 } = {}] = await connection`select max(workspace_total)::integer as total from invite.batches`;
    const invitations: string[] = [];
    for (let call = 1; call <= calls; call += 1) {
      const rows = await connection`
        with rows as (
          select r.*, invite.uuidv7(clock_timestamp()) as batch_id
          from unnest(${workspaces}::text[], ${surveys}::text[], ${tokens}::uuid[], ${emails}::text[])
            as r (workspace_id, survey_id, token_id, email)
        ),
        batch as (
          insert into invite.batches (
            id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at,
            accepted_at)
          select batch_id, workspace_id, survey_id, token_id, ${subject}, ${message}, 1, ${total + call}, now(), now() from rows
        ),
        invited as (
          insert into invite.invitations (batch_id, workspace_id, survey_id, email, name)
          select batch_id, workspace_id, survey_id, email, 'Ada' from rows
          returning id, workspace_id, survey_id, email
        ),
        addressed as (
          insert into invite.addresses (workspace_id, email, invitation_id)
          select workspace_id, email, id from invited
        )
        insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
        select id, survey_id, now(), now(), now() + interval '30 seconds' from invited
        returning invitation_id as id`;
      for (const { id } of rows) invitations.push(id as string);
      if (call % CALLS_PER_JOBS === 0) await addJobs(connection as unknown as Sql, invitations.splice(0));
    }
  };
}

async function addJobs(sql: Sql, invitations: readonly string[]): Promise<void> {
  const payloads: string[] = [];
  for (let start = 0; start < invitations.length; start += 100)
    payloads.push(JSON.stringify({ invitation_ids: invitations.slice(start, start + 100).map(Number) }));
  await sql`
    select graphile_worker.add_jobs(
      array_agg(row('send_invitations', p.payload, null, now(), null, null, null, null)::graphile_worker.job_spec))
    from unnest(${payloads}::json[]) as p (payload)`;
}
