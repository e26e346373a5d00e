// The recipients of a workspace over all surveys, found by address, name, metadata or batch, and the workspace's do-not-email list.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { constraint, idsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Indexes the recipients. It takes two runs: the first sees an invitation, and the next indexes it. */
async function index() {
  await store.indexRecipients();
  await store.indexRecipients();
}

type Recipient = { email: string; name?: string; metadata?: Record<string, unknown> };

/** Creates a workspace with two surveys, and an editor. */
async function setup() {
  const { workspace, survey } = await createSurvey(store);
  const second = await store.upsertSurvey({ workspaceId: workspace, title: 'Second survey', state: 'active' });
  const hashes = [(await createToken(store, survey)).hash, (await createToken(store, second)).hash];
  const member = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  const { session } = member;
  const invite = async (recipients: Recipient[], options: { metadata?: Record<string, unknown> } = {}, to = 0) => {
    const answer = await acceptTrigger(store, hashes[to] as Buffer, { recipients, ...options }, 10_000);
    return answer.outcome === 'accepted' ? answer.batchId : t.fail(answer.outcome);
  };
  const lines = (filter: Parameters<typeof store.console.listRecipients>[2], rows = 50) =>
    store.console.listRecipients(session, workspace, filter, rows);
  const find = async (filter: Parameters<typeof lines>[0], rows?: number) =>
    (await lines(filter, rows)).map(({ email }) => email?.split('@')[0]);
  return { workspace, survey, second, session, member, invite, lines, find };
}

t.test('recipients of all surveys are listed newest first, page by page, and those of a batch', async (t) => {
  const { survey, invite, lines, find } = await setup();
  await (await setup()).invite([{ email: 'foreign@example.com' }]);
  const batch = await invite([{ email: 'a@example.com', name: 'Ada' }, { email: 'b@example.com' }, { email: 'c@example.com' }]);
  await invite([{ email: 'd@example.com' }], {}, 1);
  t.strictSame(await find({}), ['d', 'c', 'b', 'a']);
  const page = await lines({}, 2);
  t.match(page, [{ surveyTitle: 'Second survey' }, { surveyTitle: 'Customer survey', surveyId: survey }]);
  t.strictSame(await find({ before: page.at(-1)?.id }, 2), ['b', 'a']);
  t.strictSame(await find({ before: page[0]?.id }, 1), ['c'], 'the page goes on in the middle of a batch');
  t.strictSame(await find({ batch: batch as string }), ['c', 'b', 'a']);
  t.strictSame(await find({ batch: batch as string, before: page.at(-1)?.id }), ['b', 'a']);
});

t.test('a batch or a page of another workspace shows nothing of it', async (t) => {
  const own = await setup();
  const other = await setup();
  await own.invite([{ email: 'mine@example.com' }]);
  const batch = await other.invite([{ email: 'foreign@example.com', name: 'Foreign', metadata: { order: 'f-1' } }]);
  await index();
  t.strictSame(await own.find({ batch: batch as string }), []);
  for (const search of ['foreign', 'foreign@example.com', 'f-1']) t.strictSame(await own.find({ search }), [], search);
  const [id] = await idsOf(sql, other.survey);
  t.strictSame(await own.find({ before: String(id) }), ['mine'], 'where the page begins tells nothing');
});

t.test('a search finds the beginning of an address in any case, each address once with its newest invitation', async (t) => {
  const { invite, lines, find, second } = await setup();
  await invite([{ email: 'Ann.b@example.com' }, { email: 'anna@example.com' }, { email: 'bob@example.com' }]);
  await invite([{ email: 'ANNA@example.com' }], {}, 1);
  t.strictSame(await find({ search: 'ann' }), ['Ann.b', 'ANNA']);
  t.strictSame(await find({ search: 'ann' }, 1), ['Ann.b']);
  t.match(await lines({ search: 'Anna@example.com' }), [{ surveyId: second }]);
  t.strictSame(await find({ search: 'an%' }), []);
});

t.test('a search finds a part of a name, a whole name, and a value of the metadata of recipient or batch', async (t) => {
  const { invite, find } = await setup();
  await invite(
    [
      { email: 'x1@example.com', name: 'Ada Lovelace', metadata: { order: 'A-17', vip: true } },
      { email: 'x2@example.com', name: 'Ada  Byron', metadata: { order: 18 } },
      { email: 'x3@example.com' },
    ],
    { metadata: { campaign: 'Spring 2030' } },
  );
  t.strictSame(await find({ search: 'lovelace' }), [], 'not in the same moment');
  await index();
  t.strictSame(await find({ search: 'LOVELACE' }), ['x1']);
  t.strictSame(await find({ search: 'ada' }), ['x2', 'x1']);
  t.strictSame(await find({ search: 'byron ada' }), ['x2']);
  t.strictSame(await find({ search: 'ada babbage' }), []);
  t.strictSame(await find({ search: 'a-17' }), ['x1']);
  t.strictSame(await find({ search: '18' }), ['x2']);
  t.strictSame(await find({ search: 'spring 2030' }), ['x3', 'x2', 'x1']);
  t.strictSame(await find({ search: 'spring 2030' }, 2), ['x3', 'x2']);
  t.strictSame(await find({ search: 'true' }), [], 'every second row would have it');
  t.strictSame(await find({ search: '  ' }), []);
});

t.test('the index takes a step at a time, and queues the next one', async (t) => {
  const { invite, find, survey } = await setup();
  await index();
  await invite(['p', 'q', 'r'].map((name) => ({ email: `${name}@example.com`, name: `step-${survey}` })));
  const step = async () => (await sql`select invite.index_recipients(2) as count`)[0]?.count;
  t.equal(await step(), 0, 'what was accepted since the last run waits for the next');
  await sql`delete from graphile_worker._private_jobs`;
  t.equal(await step(), 2);
  const [job] = await sql`select task_identifier from graphile_worker.jobs`;
  t.match(job, { task_identifier: 'index_recipients' });
  t.strictSame(await find({ search: `step-${survey}` }), ['q', 'p']);
  t.equal(await step(), 1);
  t.strictSame(await find({ search: `step-${survey}` }), ['r', 'q', 'p']);
  t.equal(await step(), 0);
});

t.test('a recipient whose transaction stays open for long is found after it, and holds up nobody', async (t) => {
  const { workspace, invite, find, survey } = await setup();
  await index();
  const { token } = await createToken(store, survey);
  const product = database.connect();
  await product`begin`;
  await product`select invite.trigger(${token}, '[{"email": "late@example.com", "name": "Late Lovelace"}]')`;
  for (let run = 0; run < 3; run += 1) {
    await invite([{ email: `prompt${run}@example.com`, name: 'Prompt Lovelace' }]);
    await index();
  }
  t.equal((await find({ search: 'lovelace' })).length, 3);
  await product`commit`;
  await index();
  t.equal((await find({ search: 'lovelace' })).length, 4);
  t.equal((await find({ search: 'late lovelace' })).length, 1);
  t.equal((await sql`select invite.index_recipients() as count`)[0]?.count, 0, 'and all is read once');
  await store.eraseEmail(workspace, 'late@example.com', false);
});

t.test('an erased name is found no more, and neither it nor a deleted invitation leaves a term', async (t) => {
  const { workspace, invite, find, survey } = await setup();
  await invite([{ email: 'gone@example.com', name: 'Gone Girl', metadata: { order: 'g-1' } }]);
  await index();
  const terms = async () => {
    const ids = await idsOf(sql, survey);
    return (await sql`select from invite.search_terms where invitation_id = any (${ids})`).length;
  };
  t.equal(await terms(), 1);
  await store.eraseEmail(workspace, 'gone@example.com', false);
  t.strictSame(await find({ search: 'girl' }), []);
  t.equal((await find({ search: 'g-1' })).length, 1, 'the metadata stays');
  t.equal(await terms(), 1);
  const [before] = await sql`select count(*)::integer as count from invite.search_terms`;
  await sql`delete from invite.invitations where survey_id = ${survey}`;
  const [after] = await sql`select count(*)::integer as count from invite.search_terms`;
  t.equal(after?.count, before?.count - 1);
});

t.test('a recipient has everything that happened to the address over all surveys, newest first', async (t) => {
  const { workspace, survey, second, session, invite } = await setup();
  await invite([{ email: 'all@example.com', name: 'All' }]);
  await invite([{ email: 'ALL@example.com' }], {}, 1);
  await (await setup()).invite([{ email: 'all@example.com' }]);
  const [first] = await idsOf(sql, survey);
  await sql`
    update invite.messages set status = 'sent', not_before = null, sweep_at = null, attempts = 1, sent_at = '2040-01-01 10:00Z'
    where invitation_id = ${first ?? 0}`;
  await store.recordRelayEvents('resend', [
    {
      event_id: 'all-1',
      type: 'hard_bounce',
      occurred_at: '2040-01-01T11:00:00Z',
      invitation_id: String(first),
      email: 'all@example.com',
      detail: '550 no such user',
    },
  ]);
  const [invitation] = await sql`select link_token from test.invitations where id = ${first ?? 0}`;
  await store.submitResponse(survey, {}, invitation?.link_token);
  const lines = await store.console.recipientInvitations(session, workspace, String(first));
  t.match(lines, [
    { surveyId: second, outcome: null },
    { surveyId: survey, outcome: 'responded', name: 'All', listedReason: 'hard_bounce' },
  ]);
  const events = await store.console.recipientEvents(session, workspace, String(first), 50);
  t.match(events.slice(0, 2), [
    { event: 'relay_hard_bounce', detail: '550 no such user', surveyTitle: 'Customer survey' },
    { event: 'invitation_sent' },
  ]);
  t.strictSame(events.map(({ event }) => event).sort(), [
    'accepted',
    'accepted',
    'invitation_due',
    'invitation_sent',
    'relay_hard_bounce',
    'response_recorded',
  ]);
  t.strictSame(
    events.map(({ at }) => at.getTime()),
    events.map(({ at }) => at.getTime()).toSorted((a, b) => b - a),
  );
});

t.test('of an erased recipient there is this one invitation', async (t) => {
  const { workspace, survey, session, invite } = await setup();
  await invite([{ email: 'erased@example.com' }]);
  await invite([{ email: 'erased@example.com' }]);
  await store.eraseEmail(workspace, 'erased@example.com', false);
  const [id] = await idsOf(sql, survey);
  t.match(await store.console.recipientInvitations(session, workspace, String(id)), [{ id: String(id), email: null }]);
});

t.test('the do-not-email list is newest first, page by page, and found by the beginning of an address', async (t) => {
  const { workspace, session, invite, survey } = await setup();
  await invite([{ email: 'B@example.com' }]);
  const [invitation] = await idsOf(sql, survey);
  for (const [email, reason] of [
    ['a', 'manual'],
    ['b', 'hard_bounce'],
    ['b2', 'complaint'],
    ['c', 'unsubscribe'],
  ] as const)
    await sql`
      insert into invite.suppressions (workspace_id, email, reason)
      values (${workspace}, ${`${email}@example.com`}, ${reason}::invite.suppression_reason)`;
  const list = async (search?: string, before?: string, rows = 50) =>
    (await store.console.listSuppressions(session, workspace, search, before && `${before}@example.com`, rows)).map(
      ({ email }) => email.split('@')[0],
    );
  t.strictSame(await list(), ['c', 'b2', 'b', 'a']);
  t.strictSame(await list(undefined, 'b2', 1), ['b']);
  t.strictSame(await list('B'), ['b2', 'b'], 'in the order of the bytes');
  t.strictSame(await list('b', 'b2', 1), ['b']);
  const [line] = await store.console.listSuppressions(session, workspace, 'b@', undefined, 1);
  t.match(line, { reason: 'hard_bounce', invitationId: String(invitation), addedBy: null });
});

t.test('addresses of one moment have their pages, too', async (t) => {
  const { workspace, session } = await setup();
  await sql`
    insert into invite.suppressions (workspace_id, email, reason, created_at)
    select ${workspace}, n || '@example.com', 'manual', '2030-01-01' from generate_series(1, 5) as n`;
  const first = await store.console.listSuppressions(session, workspace, undefined, undefined, 3);
  const rest = await store.console.listSuppressions(session, workspace, undefined, first.at(-1)?.email, 3);
  t.strictSame(
    [...first, ...rest].map(({ email }) => email[0]),
    ['5', '4', '3', '2', '1'],
  );
});

t.test('an editor adds an address, once; the entry says who, and the audit log says it without the address', async (t) => {
  const { workspace, session, member } = await setup();
  t.equal(await store.console.addSuppression(session, workspace, 'No@Example.com'), true);
  t.equal(await store.console.addSuppression(session, workspace, 'no@example.com'), false);
  t.match(await store.console.listSuppressions(session, workspace, undefined, undefined, 9), [
    { email: 'no@example.com', reason: 'manual', addedBy: member.email },
  ]);
  t.equal(await store.console.removeSuppression(session, workspace, 'NO@example.com'), true);
  t.equal(await store.console.removeSuppression(session, workspace, 'no@example.com'), null);
  const log = await sql`
    select action, subject, actor from invite.audit_log where workspace_id = ${workspace} and action::text like 'address_%' order by id`;
  t.match(log, [
    { action: 'address_blocked', subject: 'manual', actor: member.email },
    { action: 'address_unblocked', subject: 'manual', actor: member.email },
  ]);
  t.equal(log.length, 2, 'what changed nothing is not in it');
  t.notMatch(JSON.stringify(log), /no@/i);
});

t.test('who takes off an address that has also unsubscribed is recorded, although it stays on the list', async (t) => {
  const { workspace, survey } = await createBatch(store);
  const { session, email: actor } = await createMember(store, workspace, 'editor', `editor-${workspace}@example.com`);
  const [invitation] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await store.unsubscribe(unsubscribeToken(invitation?.link_token));
  await sql`update invite.suppressions set reason = 'manual', added_by = 'legal@example.com' where workspace_id = ${workspace}`;
  t.equal(await store.console.removeSuppression(session, workspace, 'ada@example.com'), false);
  t.match(await store.console.listSuppressions(session, workspace, undefined, undefined, 9), [{ reason: 'unsubscribe' }]);
  t.match(
    await sql`select action, subject, actor, detail from invite.audit_log where workspace_id = ${workspace} order by id desc limit 1`,
    [{ action: 'address_unblocked', subject: 'manual', actor, detail: { still_unsubscribed: true } }],
  );
});

t.test('a bounce can be taken off the list; a complaint and an unsubscription cannot', async (t) => {
  const { workspace, session } = await setup();
  for (const reason of ['hard_bounce', 'complaint', 'unsubscribe'])
    await sql`
      insert into invite.suppressions (workspace_id, email, reason)
      values (${workspace}, ${`${reason}@example.com`}, ${reason}::invite.suppression_reason)`;
  t.equal(await store.console.removeSuppression(session, workspace, 'hard_bounce@example.com'), true);
  for (const reason of ['complaint', 'unsubscribe'])
    t.equal(
      await constraint(sql`select console.remove_suppression(${session}, ${workspace}, ${`${reason}@example.com`})`),
      'suppressions_of_recipient',
    );
  t.equal((await store.console.listSuppressions(session, workspace, undefined, undefined, 9)).length, 2);
});

t.test('a person sees their own sessions, this one first, and signs out of all of them', async (t) => {
  const { workspace } = await createSurvey(store);
  const email = `person-${workspace}@example.com`;
  const one = await createMember(store, workspace, 'viewer', email);
  const two = await createMember(store, workspace, 'viewer', email);
  const other = await createMember(store, workspace, 'viewer', `other-${workspace}@example.com`);
  t.match(await store.console.listSessions(one.session), [{ current: true, clientAddress: '192.0.2.1' }, { current: false }]);
  t.equal((await store.console.listSessions(one.session)).length, 2);
  t.equal(await store.console.signOutEverywhere(one.session), 2);
  for (const { session } of [one, two]) t.equal(await store.console.authenticate(session), null);
  t.not(await store.console.authenticate(other.session), null);
  t.equal(await store.console.signOutEverywhere(one.session), 0, 'nobody is signed in by it');
  t.strictSame(await store.console.listSessions(one.session), []);
});
