// Deleting and pruning while everything else continues: first interleaved by hand where they meet, then all at once. No transaction ends in
// a deadlock, and no row is left behind.
import t from 'tap';
import { createStore, type Store } from '../../src/database/store.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { clearJobs, idsOf, invitationsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
type Session = Awaited<ReturnType<typeof openSession>>;

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    email: `person${n}@example.com`,
    name: `Person ${n}`,
    metadata: { order: `order${n}` },
  }));
const IN_DAYS = (days: number) => new Date(Date.now() + days * 86_400_000);

/** Creates a batch that has been sent, with the link of one invitation and three sessions. */
async function setup(recipients = 3) {
  const fixture = await createBatch(store, { recipients: people(recipients) });
  const claimed = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  await store.settleInvitations(
    claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted', relay_message_id: `relay-${id}` })),
  );
  const rows = await invitationsOf(sql, fixture.survey);
  const [first, second, third] = [await openSession(database), await openSession(database), await openSession(database)];
  const row = rows[0];
  return { ...fixture, rows, first, second, third, id: row?.id ?? '', email: row?.email ?? '', linkToken: row?.link_token ?? '' };
}

const deleteSurvey = ({ sql }: Session, survey: string) => sql`select * from invite.delete_survey(${survey})`.execute();
const deleteWorkspace = ({ sql }: Session, workspace: string) =>
  sql`select * from invite.delete_workspace(${workspace})`.execute();
const bounce = (id: string, email: string) => ({
  event_id: `bounce-${id}`,
  type: 'hard_bounce' as const,
  occurred_at: '2030-01-01T10:00:00Z',
  invitation_id: id,
  email,
});
const record = ({ sql }: Session, event: object) =>
  sql`select invite.record_relay_events('resend', ${sql.json([event as never])}) as recorded`.execute();

t.test('a step of deleting a workspace ends with the survey of which it has deleted something', async (t) => {
  const { workspace, survey } = await setup(1);
  const other = await store.upsertSurvey({ workspaceId: workspace, title: 'Other', state: 'active' });
  const { hash } = await createToken(store, other);
  await acceptTrigger(store, hash, { recipients: people(1) }, 100);
  await sql`update invite.workspaces set suspended_at = now() where id = ${workspace}`;
  await sql`select invite.delete_workspace(${workspace})`;
  const counts = await sql`
    select survey_id from invite.invitations where survey_id in (${survey}, ${other})`;
  t.equal(counts.length, 1);
});

t.test('a response that is being recorded ends before its survey is deleted', async (t) => {
  const { survey, linkToken, first, second, third } = await setup();
  // This lock stops the response after it has locked the invitation and before it is inserted.
  await first.sql`begin`;
  await first.sql`lock table invite.responses in share mode`;
  const responded = second.sql`select outcome from invite.record_response(${survey}, '{"score": 9}', ${linkToken})`.execute();
  await second.untilBlocked();
  const deleted = deleteSurvey(third, survey);
  await third.untilBlocked();
  await first.sql`commit`;
  t.match(await responded, [{ outcome: 'recorded' }]);
  t.match(await deleted, [{ deleted: 4, more: false }]);
});

t.test('a response that waits for the deletion of its survey is told that there is none', async (t) => {
  const { survey, linkToken, first, second, third } = await setup();
  await first.sql`begin`;
  await deleteSurvey(first, survey);
  const submitted = second.sql`select outcome from invite.submit_response(${survey}, '{"score": 9}', ${linkToken})`.execute();
  await second.untilBlocked();
  const recorded = sqlstate(third.sql`select outcome from invite.record_response(${survey}, '{"score": 9}')`);
  await third.untilBlocked();
  await first.sql`commit`;
  t.match(await submitted, [{ outcome: 'unknown_survey' }]);
  t.equal(await recorded, 'P0002');
});

t.test('an email that a worker is just claiming is left until it is settled', async (t) => {
  const { survey, hash, first, second } = await setup();
  await acceptTrigger(store, hash, { recipients: people(1) }, 10_000);
  const ids = await idsOf(sql, survey);
  await first.sql`begin`;
  const worker = await createWorker(store);
  const [claimed] = await first.sql`select id, claim_id from invite.claim_invitations(${ids}::bigint[], ${worker})`;
  const deleted = deleteSurvey(second, survey);
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await deleted, [{ deleted: 3, sending: 1, more: true }]);
  await store.settleInvitations([{ id: claimed?.id, claim_id: claimed?.claim_id, outcome: 'accepted' }]);
  t.match(await deleteSurvey(second, survey), [{ deleted: 1, more: false }]);
});

t.test('relay events that wait for the deletion of their invitation are kept without it', async (t) => {
  const { survey, id, email, first, second, third } = await setup();
  await store.recordRelayEvents('resend', [{ ...bounce(id, 'other'), event_id: `early-${id}`, relay_message_id: `later-${id}` }]);
  await sql`update invite.messages set relay_message_id = ${`later-${id}`} where invitation_id = ${id}`;
  await first.sql`begin`;
  await deleteSurvey(first, survey);
  const recorded = record(second, bounce(id, email));
  await second.untilBlocked();
  const matched = third.sql`select invite.match_relay_events() as matched`.execute();
  await third.untilBlocked();
  await first.sql`commit`;
  t.match(await recorded, [{ recorded: 1 }]);
  t.match(await matched, [{ matched: 0 }]);
  t.match(await sql`select invitation_id from invite.relay_events where given_invitation_id = ${id}`, [
    { invitation_id: null },
    { invitation_id: null },
  ]);
});

t.test('what finds recipients goes with them, and with their erasure, while it is being added', async (t) => {
  const terms = async (id: string) => (await sql`select from invite.search_terms where invitation_id = ${id}`).length;
  for (const [what, end, left] of [
    ['deleted', ({ first }: Fixture, survey: string) => deleteSurvey(first, survey), 0],
    [
      'erased',
      ({ first, workspace, email }: Fixture) => first.sql`select invite.erase_email(${workspace}, ${email})`.execute(),
      1,
    ],
  ] as const) {
    const fixture = await setup();
    await sql`select invite.index_recipients()`;
    await fixture.second.sql`begin`;
    await fixture.second.sql`select invite.index_recipients()`;
    const ended = end(fixture, fixture.survey);
    await fixture.first.untilBlocked();
    await fixture.second.sql`commit`;
    await ended;
    t.equal(await terms(fixture.id), left, what);
    await sql`select invite.index_recipients()`;
    t.equal(await terms(fixture.id), left, `${what}: nor are they added later`);
  }
});
type Fixture = Awaited<ReturnType<typeof setup>>;

for (const [what, lock] of [
  ['an invitation', ({ sql }: Session, id: string) => sql`select from invite.invitations where id = ${id} for update`],
  ['a message', ({ sql }: Session, id: string) => sql`select from invite.messages where invitation_id = ${id} for update`],
  [
    'a reminder',
    async ({ sql: session }: Session, id: string) => {
      await sql`update invite.messages set is_last = false where invitation_id = ${id}`;
      await sql`
        insert into invite.messages (invitation_id, number, survey_id, status, due_at, sent_at)
        select invitation_id, 1, survey_id, 'sent', now(), now() from invite.messages where invitation_id = ${id}`;
      await session`select from invite.messages where invitation_id = ${id} and number = 1 for update`;
    },
  ],
] as const) {
  t.test(`pruning leaves alone ${what} that somebody else has locked, and its batch`, async (t) => {
    const { survey, rows, token, hash, first, second } = await setup();
    await acceptTrigger(store, hash, { recipients: people(1) }, 10_000);
    await first.sql`begin`;
    await lock(first, rows[1]?.id ?? '');
    await second.sql`set lock_timeout = '10s'`;
    await second.sql`select invite.prune_batches(${IN_DAYS(1)}, 100)`;
    t.same((await idsOf(sql, survey)).slice(0, -1), [Number(rows[1]?.id)]);
    await first.sql`commit`;
    await second.sql`select invite.prune_batches(${IN_DAYS(1)}, 100)`;
    t.equal((await sql`select from invite.batches where trigger_token_id = ${token}`).length, 1, 'the newest');
  });
}

t.test('deleting a workspace waits for no survey while it holds the workspace', async (t) => {
  const { workspace, survey, first, second } = await setup();
  await first.sql`begin`;
  await first.sql`select invite.set_survey_state(${survey}, 'closed')`;
  await second.sql`set lock_timeout = '10s'`;
  t.match(await deleteWorkspace(second, workspace), [{ deleted: 0, more: true }]);
  await first.sql`select invite.set_workspace_paused(${workspace}, true)`;
  await first.sql`commit`;
});

t.test('someone who subscribes again, and a workspace that is being deleted, do not wait for each other', async (t) => {
  const { workspace, linkToken, first, second } = await setup();
  const link = unsubscribeToken(linkToken);
  await store.unsubscribe(link);
  await deleteWorkspace(second, workspace);
  await second.sql`begin`;
  await first.sql`begin`;
  await first.sql`select from invite.suppressions where workspace_id = ${workspace} for update`;
  await second.sql`set lock_timeout = '10s'`;
  t.match(await deleteWorkspace(second, workspace), [{ deleted: 3, more: true }]);
  const resubscribed = first.sql`select invite.resubscribe(${link})`.execute();
  await first.untilBlocked();
  await second.sql`commit`;
  await resubscribed;
  await first.sql`commit`;
});

t.test('a survey that is created in the last step is deleted by another', async (t) => {
  const { workspace, survey, first, second } = await setup();
  await deleteWorkspace(second, workspace);
  await deleteWorkspace(second, workspace);
  t.equal((await sql`select from invite.surveys where id = ${survey}`).length, 0);
  await sql`delete from invite.audit_log where workspace_id = ${workspace}`;
  await first.sql`begin`;
  await first.sql`insert into invite.surveys (workspace_id, title) values (${workspace}, 'New')`;
  const step = deleteWorkspace(second, workspace);
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await step, [{ more: true }]);
  while ((await deleteWorkspace(second, workspace))[0]?.more === true);
  t.equal((await sql`select from invite.workspaces where id = ${workspace}`).length, 0);
});

t.test('events that are published in the last step are deleted by another', async (t) => {
  const { workspace, survey, first, second } = await setup();
  await store.setWorkspaceEvents(workspace, true);
  await store.publishEvents(1000);
  await store.submitResponse(survey, { score: 9 }, undefined);
  await first.sql`begin`;
  t.match(await first.sql`select invite.publish_events() as published`, [{ published: 1 }]);
  await deleteWorkspace(second, workspace);
  await deleteWorkspace(second, workspace);
  await sql`delete from invite.audit_log where workspace_id = ${workspace}`;
  const step = deleteWorkspace(second, workspace);
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await step, [{ more: true }]);
  while ((await deleteWorkspace(second, workspace))[0]?.more === true);
  t.equal((await sql`select from invite.events where workspace_id = ${workspace}`).length, 0);
});

t.test('a workspace is deleted to its last row while it is used in every way, beside one that goes on', async (t) => {
  const gone = await setup(40);
  const other = await setup(40);
  await store.setRetention('batches', 1);
  t.teardown(() => store.setRetention('batches', null));
  for (const { workspace } of [gone, other]) await store.setWorkspaceEvents(workspace, true);
  const owner = await createMember(store, gone.workspace, 'owner', 'gone@example.com');
  for (const fixture of [gone, other]) {
    for (let survey = 0; survey < 2; survey += 1) {
      const id = await store.upsertSurvey({ workspaceId: fixture.workspace, title: 'Another', state: 'active' });
      const { hash } = await createToken(store, id);
      await acceptTrigger(store, hash, { recipients: people(20) }, 10_000);
    }
    for (let batch = 0; batch < 10; batch += 1) await acceptTrigger(store, fixture.hash, { recipients: people(3) }, 10_000);
  }
  let deleting = true;
  /** Repeats a step until the workspace is gone. */
  const go = async (step: (store: Store, fixture: Fixture, round: number, sql: Session['sql']) => PromiseLike<unknown>) => {
    const session = database.connect();
    const ownStore = createStore(session);
    let rounds = 0;
    for (; deleting; rounds += 1) await step(ownStore, rounds % 2 === 0 ? gone : other, rounds, session);
    return rounds;
  };
  const anyInvitation = async (survey: string) => {
    const rows = await invitationsOf(sql, survey);
    return rows[Math.floor(Math.random() * rows.length)];
  };
  const sender = async (ownStore: Store, { survey }: Fixture) => {
    const worker = await createWorker(ownStore);
    const claimed = await ownStore.claimInvitations(await idsOf(sql, survey), worker);
    let results = claimed.map(
      ({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted', relay_message_id: `relay-${id}` }) as const,
    );
    while (results.length > 0) {
      const { locked } = await ownStore.settleInvitations(results);
      results = results.filter(({ id }) => locked.includes(id));
    }
  };
  const work = [
    go((ownStore, { hash }, round) =>
      ownStore.acceptTriggers(
        [
          {
            secretHash: hash,
            // Every other request of each has reminders, which are queued while invitations are deleted.
            request: { recipients: people(3), reminders: Math.floor(round / 2) % 2 === 0 ? [] : [1] },
            idempotency: { key: `key-${round % 5}`, payloadHash: Buffer.alloc(32) },
          },
        ],
        100_000,
      ),
    ),
    go(sender),
    go(sender),
    go(async (ownStore, { survey }) => ownStore.submitResponse(survey, { score: 9 }, (await anyInvitation(survey))?.link_token)),
    go((ownStore, { survey }) => ownStore.submitResponse(survey, { score: 9 }, undefined)),
    go(async (ownStore, { survey }) => {
      const row = await anyInvitation(survey);
      if (row !== undefined) await ownStore.recordRelayEvents('resend', [bounce(row.id, row.email)]);
      await ownStore.matchRelayEvents();
    }),
    go(async (ownStore, { survey }) => {
      const row = await anyInvitation(survey);
      if (row === undefined) return;
      await ownStore.unsubscribe(unsubscribeToken(row.link_token));
      await ownStore.resubscribe(unsubscribeToken(row.link_token));
      await ownStore.choose(unsubscribeToken(row.link_token), 'not_this_survey');
    }),
    go((_, __, round, session) => session`select test.prune_expired(20, ${IN_DAYS(round % 2 === 0 ? 40 : 0)})`),
    go((ownStore) => ownStore.indexRecipients()),
    go((ownStore) => ownStore.publishEvents(50)),
    go((ownStore) => ownStore.foldResultCounts()),
    go((ownStore) => ownStore.healInvitations()),
  ];
  const steps = async () => {
    const { sql: deleter } = await openSession(database);
    for (let count = 1; ; count += 1)
      if ((await deleter`select * from invite.delete_workspace(${gone.workspace}, 10)`)[0]?.more !== true) return count;
  };
  const [count] = await Promise.all([
    steps().finally(() => {
      deleting = false;
    }),
    ...work,
  ]);
  t.ok(count > 5);
  for (const rounds of await Promise.all(work)) t.ok(rounds > 0);

  const left = await sql`
    select 'workspaces' as name from invite.workspaces where id = ${gone.workspace}
    union all select 'surveys' from invite.surveys where workspace_id = ${gone.workspace}
    union all select 'batches' from invite.batches where workspace_id = ${gone.workspace}
    union all select 'members' from invite.members where workspace_id = ${gone.workspace}
    union all select 'suppressions' from invite.suppressions where workspace_id = ${gone.workspace}
    union all select 'events' from invite.events where workspace_id = ${gone.workspace}
    union all select 'audit_log' from invite.audit_log where workspace_id = ${gone.workspace}
    union all select 'sessions' from invite.sessions where email = 'gone@example.com'
    union all select 'invitations' from invite.invitations as i where not exists (select from invite.surveys as s where s.id = i.survey_id)
    union all select 'messages' from invite.messages as m where not exists (select from invite.invitations as i where i.id = m.invitation_id)
    union all select 'no messages' from invite.invitations as i where not exists (select from invite.messages as m where m.invitation_id = i.id)
    union all select 'addresses' from invite.addresses as a where not exists (select from invite.invitations as i where i.id = a.invitation_id)
    union all select 'outcomes' from invite.invitation_outcomes as o where not exists (select from invite.surveys as s where s.id = o.survey_id)
    union all select 'responses' from invite.responses as r where not exists (select from invite.surveys as s where s.id = r.survey_id)
    union all select 'result_counts' from invite.result_counts as c where not exists (select from invite.surveys as s where s.id = c.survey_id)
    union all select 'result_changes' from invite.result_changes as c where not exists (select from invite.surveys as s where s.id = c.survey_id)
    union all select 'search_terms' from invite.search_terms as x where not exists (select from invite.invitations as i where i.id = x.invitation_id)
    union all select 'empty batches' from invite.batches as b where not exists (select from invite.invitations as i where i.batch_id = b.id)`;
  t.same([...left], []);
  t.ok(owner.session.length > 0);
  t.equal((await acceptTrigger(store, other.hash, { recipients: people(1) }, 100_000)).outcome, 'accepted');
  await clearJobs(sql);
});
