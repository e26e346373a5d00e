// This test uses the catalogs, so that it covers tables that a list would miss. A deleted survey or workspace leaves no row in any table,
// and rows of each table are deleted in some way.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { checkLogo } from '../../src/uploads/logo.ts';
import { idsOf, invitationsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { png } from '../fixtures/pictures.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { createTestToken, testClocksOn } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { acceptUploads, createUpload, line } from '../fixtures/uploads.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { sql, store, connect } = await createTestDatabase(t);
/** The columns that name the owner of a row. */
const OWNERS = ['workspace_id', 'survey_id', 'trigger_token_id', 'batch_id', 'invitation_id', 'response_id', 'endpoint_id'];
/** These rows stay after their survey: the entry that it was deleted, and events and webhooks until their retention. They have no address. */
const KEPT = ['audit_log', 'events', 'new_events', 'webhook_deliveries'];

const tables = async () =>
  (
    await sql<{ name: string }[]>`
      select c.relname as name from pg_class as c
      where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  ).map(({ name }) => name);

/** Creates a workspace with a row in every table that can have one for a workspace. */
async function createFull() {
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  const { session, email } = await createMember(store, workspace, 'owner', `owner@${workspace}.example`);
  await store.setWording(workspace, 'de', { submit: 'Los' });
  await store.addLogo(workspace, checkLogo(png(240, 80)));
  await store.setScoreAlert(workspace, email, survey, 'score', 7);
  const { token, hash } = await createToken(store, survey);
  const endpoint = await createWebhook(store, workspace, 'https://example.com');
  const accepted = await acceptTrigger(
    store,
    hash,
    { recipients: [1, 2, 3].map((n) => ({ email: `p${n}@example.com`, name: 'Ada' })), metadata: { shop: 'north' } },
    10_000,
    { key: 'k', payloadHash: Buffer.alloc(32) },
  );
  await store.suppressEmail(workspace, 'p2@example.com');
  const [invited] = await invitationsOf(sql, survey);
  await store.choose(unsubscribeToken(String(invited?.link_token)), 'once_a_month');
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  const [claimed] = await store.claimInvitations((await idsOf(sql, survey)).slice(0, 1), await createWorker(store));
  const { id = '', claimId = '', linkToken = '' } = claimed ?? {};
  await store.settleInvitations([{ id, claim_id: claimId, outcome: 'accepted', relay_message_id: `m-${id}` }]);
  await store.submitResponse(survey, { score: 9 }, linkToken);
  await store.recordRelayEvents('mailpit', [
    {
      event_id: `e-${id}`,
      type: 'hard_bounce',
      occurred_at: '2030-01-31T09:00:00Z',
      invitation_id: id,
      relay_message_id: `m-${id}`,
      email: 'p1@example.com',
    },
  ]);
  await store.recordRejections([{ secret_hash: `\\x${hash.toString('hex')}`, code: 'cooldown', rejected: 1, age_seconds: 0 }]);
  await store.console.requestTestInvitation(session, survey, { tokenId: token, kind: 'invitation' });
  await sql`select invite.upsert_survey(${workspace}, ${survey}, questions => '[{"id": "q", "type": "text", "label": "Why?"}]')`;
  await store.console.saveQuestionDraft(session, survey, {
    questions: [],
    questionsVersion: 2,
    base: null,
    revision: randomUUID(),
  });
  for (let step = 0; step < 2; step += 1) await store.indexRecipients();
  await until('all is published', async () => (await store.publishEvents(1000)) === 0);
  await store.foldResultCounts();
  await store.submitResponse(survey, { q: 'Because', score: 1 }, undefined);
  await store.prepareNotifications();
  await store.submitResponse(survey, { score: 1 }, undefined);
  const upload = await createUpload(store, survey, [line(1, 'p4@example.com'), line(2, undefined)]);
  await store.sendUpload(upload, false);
  await acceptUploads(store);
  await sql`select invite.set_cap(${workspace}, 'workspace', '', 1000, null)`;
  await sql`insert into invite.cap_slots (workspace_id, scope, domain, slot, large, used) values (${workspace}, 'workspace', '', '2030-01-31 09:00Z', 3, 1)`;
  await sql`insert into invite.cap_releases (workspace_id, not_before, recipient_domain, is_small) values (${workspace}, '2030-01-31 09:00Z', 'example.com', true)`;
  const test = await store.createTestWorkspace(workspace, undefined);
  const [{ id: tested } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  const { hash: secret } = await createTestToken(store, tested);
  const request = { recipients: [{ email: 'p1@example.com' }, { email: 'responds@sim.invalid' }] };
  await store.acceptTestTrigger({ secretHash: secret, request }, 100);
  await store.requestTestAdvance(test, { seconds: 10 });
  await testClocksOn(connect(), await createWorker(store)).advance(test);
  return { workspace, survey, token, endpoint: endpoint.id, ids: [workspace, survey, token, accepted.batchId, endpoint.id] };
}

/** Returns for each table how many rows name one of these ids, or belong to an invitation or response that is gone. */
async function rowsOf(ids: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of await tables()) {
    const columns = (
      await sql<{ name: string }[]>`
        select attname as name from pg_attribute
        where attrelid = ${`invite.${table}`}::regclass and attname = any (${OWNERS}) and not attisdropped`
    ).map(({ name }) => name);
    const gone = columns
      .filter((name) => name === 'invitation_id' || name === 'response_id')
      .map(
        (name) =>
          `or r.${name} is not null and not exists (select from invite.${name.replace('_id', 's')} as o where o.id = r.${name})`,
      );
    const [row] = await sql.unsafe(
      `select count(*)::integer as rows from invite.${table} as r
      where exists (select from unnest($1::text[]) as i (id) where position('"' || i.id || '"' in to_jsonb(r)::text) > 0) ${gone.join(' ')}`,
      [ids as string[]],
    );
    if (row?.rows > 0) found[table] = row?.rows;
  }
  return found;
}

t.test(
  'each table with something of a workspace is filled by this test, and none has anything of it once it is deleted',
  async (t) => {
    await createFull();
    const target = await createFull();
    const before = await rowsOf(target.ids);
    for (const table of await tables()) {
      const [row] = await sql`
      select count(*)::integer as columns from pg_attribute
      where attrelid = ${`invite.${table}`}::regclass and attname = any (${OWNERS}) and not attisdropped`;
      const [filled] = await sql.unsafe(`select exists (select from invite.${table}) as filled`);
      // publish_events has moved the rows of new_events, and only cell move writes moved_workspaces.
      if (row?.columns > 0 && !['new_events', 'moved_workspaces'].includes(table)) t.ok(filled?.filled, `${table} has rows`);
    }
    for (const table of ['surveys', 'batches', 'events', 'webhook_deliveries', 'past_questions', 'result_counts'])
      t.ok(before[table], table);

    await until('the workspace is deleted', async () => !(await store.deleteWorkspace(target.workspace)).more);
    await until('all is published', async () => (await store.publishEvents(1000)) === 0);
    t.same(Object.keys(await rowsOf(target.ids)), ['audit_log'], 'nothing is left but that it was deleted');
  },
);

t.test('a deleted survey leaves its audit entries and, until their retention, events; nothing else', async (t) => {
  const target = await createFull();
  await until('the survey is deleted', async () => !(await store.deleteSurvey(target.survey)).more);
  const left = Object.keys(await rowsOf(target.ids.filter((id) => id !== target.workspace && id !== target.endpoint)));
  t.same(
    left.filter((table) => !KEPT.includes(table)),
    [],
  );
});

t.test(
  'each table is in the view of what grows, unless it has as many rows as there are customers, surveys, processes or settings',
  async (t) => {
    const small =
      'caps definitions event_consumers event_progress guard_limits languages logos members migrations moved_workspaces notified_members past_questions plans question_drafts queue_progress relays retention score_alerts ' +
      'search_progress service_words settings shared_caps surveys ' +
      'time_zones trigger_tokens webhook_endpoints wordings workers workspaces';
    const shown = (await store.listGrowth()).map(({ name }) => String(name).replace(/^events_\d+$/, 'events'));
    t.same(
      (await tables()).filter((name) => !shown.includes(name)),
      small.split(' '),
    );
    t.same(
      (await store.listGrowth())
        .filter(({ retention_days }) => retention_days === null)
        .map(({ name }) => name)
        .sort(),
      [
        'addresses',
        'batches',
        'comments',
        'invitation_outcomes',
        'invitations',
        'messages',
        'persons',
        'recipient_choices',
        'responses',
        'result_changes',
        'result_counts',
        'search_terms',
        'suppressions',
        'test_emails',
        'test_plans',
      ],
      'for good, unless it is set',
    );
  },
);
