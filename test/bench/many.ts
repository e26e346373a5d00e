// Compares many recipients in one request with a bare `insert … select` of the same rows into the same tables.

import { acceptTrigger } from '../fixtures/trigger.ts';
import { offer } from './accept.ts';
import { type Bench, createTrigger, type Database, startLoad, startServer } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const REQUESTS = 10;

export async function many(bench: Bench): Promise<Result[]> {
  const database = await bench.database('many');
  const server = await startServer(database, { MAX_RECIPIENTS: '10000', MAX_BODY_BYTES: '67108864' });
  const load = await startLoad();
  const { secret } = await createTrigger(database);
  const results: Result[] = [];
  for (const recipients of [1_000, 10_000]) {
    await prepareRows(database, recipients);
    const found = await inRounds<number, 'ours' | 'bare'>({
      ours: async () => {
        const { mean } = await offer(load, server, { clients: 1, secrets: [secret], recipients, requests: REQUESTS });
        return mean;
      },
      bare: async () => {
        const began = performance.now();
        for (let index = 0; index < REQUESTS; index += 1) await insertBare(database);
        return (performance.now() - began) / REQUESTS;
      },
    });
    results.push({
      part: `many-${recipients}`,
      title: `Accept ${recipients.toLocaleString('en')} recipients in one request`,
      used: `${found.ours.length} rounds of ${REQUESTS} requests, one after the other`,
      series: [
        { name: 'ours, from request to response', unit: 'ms', values: found.ours },
        {
          name: 'a bare insert … select of the rows',
          unit: 'ms',
          values: found.bare,
          ratio: ratios(found.ours, found.bare),
        },
      ],
    });
  }
  await load.end();
  await server.end();
  return results;
}

/** Writes the rows of one request into another table, which the bare insert reads. Their batch is already accepted. */
async function prepareRows(database: Database, recipients: number): Promise<void> {
  const { sql } = database;
  const trigger = await createTrigger(database);
  const people = [{ email: 'first@example.com' }];
  await acceptTrigger(database.store, trigger.hash, { recipients: people }, recipients);
  await sql`drop table if exists public.bench_rows`;
  await sql`
    create table public.bench_rows as
    select i.batch_id, i.workspace_id, i.survey_id, 'person.' || n || '@example.com' as email, 'Ada' as name, i.metadata
    from invite.invitations as i, generate_series(1, ${recipients}) as n
    where i.survey_id = ${trigger.surveyId}`;
}

const insertBare = ({ sql }: Database) => sql`
  with invited as (
    insert into invite.invitations (batch_id, workspace_id, survey_id, email, name, metadata)
    select batch_id, workspace_id, survey_id, email, name, metadata from public.bench_rows
    returning id, workspace_id, survey_id, email
  ),
  addressed as (
    insert into invite.addresses (workspace_id, email, invitation_id)
    select workspace_id, email, id from invited
  )
  insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
  select id, survey_id, now(), now(), now() + interval '30 seconds' from invited`;
