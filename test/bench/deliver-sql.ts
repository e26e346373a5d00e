// Measures the SQL of delivering, without a relay: the claim and the settle of 100 emails. They are compared with two bare updates of the
// same columns by primary key. There is one connection, with two commits per 100 emails.
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { queueEmails } from './emails.ts';
import { type Bench, createTrigger } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const EMAILS = 100;
const CALLS = 100;
const RELAY = { name: 'bench', rate: undefined };

export async function deliverSql(bench: Bench): Promise<Result[]> {
  const database = await bench.database('deliver_sql');
  const { sql } = database;
  const trigger = await createTrigger(database);
  const connection = (await sql.reserve()) as unknown as Sql;
  const store = createStore(connection);
  const worker = randomUUID();
  await store.recordHeartbeat(worker, 'bench', 'bench', 1, 0, { relay: RELAY });

  const ours = async (ids: readonly number[]) => {
    const claimed = await store.claimInvitations(ids, worker, randomUUID());
    const { settled } = await store.settleInvitations(
      claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted', relay_message_id: `<${id}@example.com>` })),
      RELAY,
    );
    return settled;
  };
  /** The bare claim returns the data of each message, and checks nothing. */
  const bare = async (ids: readonly number[]) => {
    const claim = randomUUID();
    const claimed = await connection<{ id: string }[]>`
      update invite.messages as m
      set status = 'sending', sweep_at = null, attempts = m.attempts + 1, claim_id = ${claim}, worker_id = ${worker}
      from invite.invitations as i
      where m.invitation_id = any (${ids as number[]}::bigint[]) and m.number = 0 and i.id = m.invitation_id
      returning i.id, m.claim_id, m.number, m.attempts, i.email, i.name, i.secret, i.batch_id, m.survey_id, m.unconfirmed_since`;
    const messageIds = claimed.map(({ id }) => `<${id}@example.com>`);
    const settled = await connection`
      update invite.messages as m
      set status = 'sent', not_before = null, claim_id = null, worker_id = null, sent_at = now(), last_error_code = null, last_error = null,
        unconfirmed_since = null, relay_message_id = r.message_id
      from unnest(${claimed.map(({ id }) => id)}::bigint[], ${messageIds}::text[]) as r (id, message_id)
      where m.invitation_id = r.id and m.number = 0`;
    return settled.count;
  };

  const timed = (send: (ids: readonly number[]) => Promise<number>) => async (warmUp: boolean) => {
    const emails = EMAILS * (warmUp ? CALLS / 4 : CALLS);
    await sql`truncate invite.invitations, invite.messages, invite.addresses, invite.batches cascade`;
    await queueEmails(database, trigger, emails + EMAILS, { withoutJobs: true });
    await sql`vacuum analyze invite.invitations, invite.messages, invite.batches`;
    const ids = (await sql`select id from invite.invitations order by id`).map(({ id }) => Number(id));
    // After an analyze, PostgreSQL plans each statement again. These emails do that before the clock starts.
    await send(ids.splice(0, EMAILS));
    const began = performance.now();
    while (ids.length > 0) if ((await send(ids.splice(0, EMAILS))) !== EMAILS) throw new Error('an email was not settled');
    return ((performance.now() - began) * 1000) / emails;
  };
  const found = await inRounds({ bare: timed(bare), ours: timed(ours) }, 5);
  return [
    {
      part: 'deliver-sql',
      title: `The SQL of claiming and settling, ${EMAILS} emails a call`,
      used: `${found.ours.length} rounds of ${CALLS} claims and settles on one connection; an email`,
      series: [
        { name: 'ours', unit: 'µs', values: found.ours },
        { name: 'bare updates of the same columns', unit: 'µs', values: found.bare, ratio: ratios(found.bare, found.ours) },
      ],
    },
  ];
}
