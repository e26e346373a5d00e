// Deleting a survey or a workspace in bounded steps, to the last row, whatever happens meanwhile. The rows of other workspaces stay.
import t from 'tap';
import { clearJobs, idsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { SEALED } from '../fixtures/webhooks.ts';

const { sql, store } = await createTestDatabase(t);
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** Creates a survey with rows in many tables. */
async function createFull() {
  const fixture = await createBatch(store, { recipients: people(5) });
  const [row] = await sql`select id, link_token from test.invitations where survey_id = ${fixture.survey} order by id limit 1`;
  await store.submitResponse(fixture.survey, { score: 9 }, row?.link_token);
  await store.submitResponse(fixture.survey, { score: 1 }, undefined);
  await sql`
    insert into invite.idempotency_keys (trigger_token_id, key, payload_hash, batch_id, created_at)
    values (${fixture.token}, 'k', ${Buffer.alloc(32)}, ${fixture.batch}, now())`;
  await store.recordRelayEvents('resend', [{ event_id: `e-${row?.id}`, type: 'delivered', occurred_at: '2030-01-31T09:00:00Z' }]);
  await sql`update invite.relay_events set invitation_id = ${row?.id} where event_id = ${`e-${row?.id}`}`;
  await sql`insert into invite.rejections (trigger_token_id, hour, code, rejected, last_at) values (${fixture.token}, now(), 'cooldown', 1, now())`;
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${fixture.workspace}, 'no@example.com', 'manual')`;
  await createMember(store, fixture.workspace, 'owner', `owner-${fixture.survey}@example.com`);
  return fixture;
}

/** Tables whose rows are counted in total. Tables with rows that belong to no workspace are left out. */
const COUNTED = [
  'surveys',
  'trigger_tokens',
  'batches',
  'invitations',
  'messages',
  'responses',
  'relay_events',
  'rejections',
  'idempotency_keys',
];
const counts = async (extraTables: readonly string[] = []) => {
  const all: Record<string, number> = {};
  for (const name of [...COUNTED, ...extraTables]) {
    const [row] = await sql`select count(*)::integer as rows from ${sql(`invite.${name}`)}`;
    all[name] = row?.rows;
  }
  return all;
};

async function steps(step: () => PromiseLike<readonly { deleted?: number; more?: boolean }[]>) {
  const deleted: number[] = [];
  for (let more = true; more && deleted.length < 50; ) {
    const [row] = await step();
    deleted.push(row?.deleted ?? 0);
    more = row?.more ?? false;
  }
  return deleted;
}

t.test('a survey is deleted in bounded steps with all that is its own, and nothing else; the audit log says so', async (t) => {
  const other = await createFull();
  const before = await counts();
  const target = await createFull();
  const deleted = await steps(() => sql`select * from invite.delete_survey(${target.survey}, 2)`);
  t.ok(deleted.every((rows) => rows <= 2));
  t.equal(
    deleted.reduce((sum, rows) => sum + rows, 0),
    7,
    '5 invitations and 2 responses',
  );
  t.same(await counts(), before);
  t.match(
    await sql`select action, detail, subject from invite.audit_log where workspace_id = ${target.workspace} and action::text ~ 'delet' order by id`,
    [
      { action: 'deletion_started', detail: { survey: target.survey, batches: 1, invitations: 5, responses: 2 } },
      { action: 'survey_deleted', subject: 'Customer survey' },
    ],
  );
  t.equal(await sqlstate(store.deleteSurvey(target.survey)), 'P0002');
  t.equal((await acceptTrigger(store, other.hash, { recipients: people(1) }, 10_000)).outcome, 'accepted');
});

t.test('what each deletion of a workspace with the same id began with is recorded', async (t) => {
  const { workspace } = await createFull();
  const remove = () => steps(() => sql`select * from invite.delete_workspace(${workspace}, 1000)`);
  await remove();
  await sql`select invite.upsert_workspace(${workspace}, 'Again')`;
  await store.upsertSurvey({ workspaceId: workspace, title: 'Another' });
  await remove();
  t.match(await sql`select action, detail from invite.audit_log where subject = ${workspace} order by id`, [
    { action: 'deletion_started', detail: { surveys: 1, invitations: 5 } },
    { action: 'workspace_deleted' },
    { action: 'deletion_started', detail: { surveys: 1, invitations: 0 } },
    { action: 'workspace_deleted' },
  ]);
});

t.test(
  'after the first step nothing is accepted, sent or answered; what a worker has is deleted once it is settled',
  async (t) => {
    const target = await createFull();
    const ids = await idsOf(sql, target.survey);
    const worker = await createWorker(store);
    const [claimed] = await store.claimInvitations(ids.slice(-1), worker);
    await sql`select invite.delete_survey(${target.survey}, 1)`;
    t.equal((await acceptTrigger(store, target.hash, { recipients: people(1) }, 10_000)).outcome, 'unknown_token');
    t.same(await store.claimInvitations(ids, worker), []);
    t.match(await store.submitResponse(target.survey, { score: 1 }, undefined), { outcome: 'survey_closed' });

    await store.deleteSurvey(target.survey);
    t.match(await store.deleteSurvey(target.survey), { deleted: 0, sending: 1, more: true });
    await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
    t.match(await store.deleteSurvey(target.survey), { deleted: 1, sending: 0, more: false });
    await clearJobs(sql);
  },
);

t.test('a batch whose invitations are gone does not keep its survey', async (t) => {
  const target = await createBatch(store);
  await sql`delete from invite.invitations where batch_id = ${target.batch}`;
  t.match(await store.deleteSurvey(target.survey), { deleted: 0, more: false });
});

t.test(
  'a workspace is deleted in bounded steps, its members and audit log with it; what stays is that it was deleted',
  async (t) => {
    const tables = ['workspaces', 'members', 'suppressions', 'sessions'];
    await createFull();
    const before = await counts(tables);
    const target = await createFull();
    await store.upsertSurvey({ workspaceId: target.workspace, title: 'Another' });
    await sql`
      insert into invite.suppressions (workspace_id, email, reason)
      select ${target.workspace}, 'no' || n || '@example.com', 'manual' from generate_series(1, 10) as n`;
    await sql`
      with endpoint as (
        insert into invite.webhook_endpoints (workspace_id, url, secret)
        values (${target.workspace}, 'https://example.com', ${SEALED})
        returning id
      )
      insert into invite.webhook_deliveries (endpoint_id, event_id, due_at)
      select e.id, gen_random_uuid(), now() from endpoint as e, generate_series(1, 10)`;
    const deleted = await steps(() => sql`select * from invite.delete_workspace(${target.workspace}, 3)`);
    t.ok(deleted.length > 3);
    t.ok(deleted.every((rows) => rows <= 3));
    t.ok(deleted.reduce((sum, rows) => sum + rows) >= 5 + 11 + 10, 'invitations, suppressions and webhooks among them');
    t.same(await counts(tables), before);
    t.same(await sql`select from invite.audit_log where workspace_id = ${target.workspace}`, []);
    const log = await sql`select action, detail from invite.audit_log where subject = ${target.workspace} order by id`;
    t.match(log, [
      { action: 'deletion_started', detail: { surveys: 2, members: 1, batches: 1, invitations: 5 } },
      { action: 'workspace_deleted' },
    ]);
    t.notMatch(JSON.stringify(log), '@');
    t.equal(await sqlstate(store.deleteWorkspace(target.workspace)), 'P0002');
  },
);
