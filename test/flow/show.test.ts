// `recipient show` and `invitation show`: what a support person learns of an address and of an invitation.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { invitationsOf } from '../fixtures/inspect.ts';
import { run, runJson } from '../fixtures/program.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

type Row = Record<string, unknown>;
interface Place extends Row {
  readonly newest: readonly Row[];
  readonly choices: readonly Row[];
}
interface Shown {
  readonly invitation: Row;
  readonly messages: readonly Row[];
  readonly suppression: Row | null;
  readonly choices: readonly Row[];
  readonly actions: readonly Row[];
  readonly history: readonly Row[];
}

const database = await createTestDatabase(t);
const { sql, store, urlAs } = database;
/** With the rights of the person who uses the command line, and no more. */
const env = { DATABASE_URL: urlAs('invite_admin'), DATA_DIR: t.testdir({}) };
const recipient = (...args: string[]) => runJson<Place[]>(env, 'recipient', 'show', ...args);
const invitation = (id: string) => runJson<Shown>(env, 'invitation', 'show', id);
const text = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(env, ...args);
  t.strictSame([code, stderr], [0, '']);
  return stdout;
};

const EMAIL = 'ada@example.com';
const NAME = '山田 太郎 Ἀδα 👩🏽‍💻 بسمة';
const SECRET_TEXT = 'Only for you {{survey_link}}';
const first = await createBatch(store, {
  recipients: [{ email: 'Ada@Example.com', name: NAME, metadata: { order: 'A-1 ✓' } }, { email: 'other@example.com' }],
  message: SECRET_TEXT,
  reminders: [3],
});
const second = await createBatch(store, { recipients: [{ email: EMAIL }] }, { state: 'draft' });
const [ada, other] = await invitationsOf(sql, first.survey);
const [second1] = await invitationsOf(sql, second.survey);
const id = ada?.id ?? '';

t.test('an address in two workspaces: each says how often, why not sent, and what the person chose', async (t) => {
  await store.choose(unsubscribeToken(ada?.link_token ?? ''), 'not_this_survey');
  await store.choose(unsubscribeToken(ada?.link_token ?? ''), 'once_a_month');
  const places = await recipient(' ADA@example.com');
  t.equal(places.length, 2);
  const [one, two] = [first, second].map(({ workspace }) => places.find(({ workspace_id }) => workspace_id === workspace));
  t.match(one, {
    ...{ workspace_name: 'Acme', email: EMAIL, invitations: 1, suppressed: null, test_of: null },
    newest: [
      { id, survey_id: first.survey, unsent_reason: 'declined', in_words: 'the recipient wants no email about this survey' },
    ],
  });
  t.match(one?.choices, [
    { choice: 'once_a_month', survey_id: null },
    { choice: 'not_this_survey', survey_id: first.survey },
  ]);
  t.match(two, { invitations: 1, choices: [], newest: [{ id: second1?.id, unsent_reason: 'held' }] });
  t.strictSame(
    (await recipient(EMAIL, '--workspace', second.workspace)).map(({ workspace_id }) => workspace_id),
    [second.workspace],
  );
  const words = await text('recipient', 'show', EMAIL, '--workspace', first.workspace);
  t.match(words, /^Workspace\n\n {2}workspace_id +\S+\n/);
  t.match(words, /^ {2}once_a_month +- +\S+ \S+ UTC$/m);
  t.match(words, 'the recipient wants no email about this survey');
  t.notMatch(words, /suppressed|other@/);
  await store.takeBack(unsubscribeToken(ada?.link_token ?? ''), 'not_this_survey');
  await store.takeBack(unsubscribeToken(ada?.link_token ?? ''), 'once_a_month');
});

t.test('each workspace shows its newest invitations, and a test workspace takes the place of none', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const email = 'often@example.com';
  for (let count = 0; count < 25; count += 1) await acceptTrigger(store, hash, { recipients: [{ email }] }, 10_000);
  const tests = (await store.createTestWorkspace(workspace, undefined)) as string;
  const tested = await store.upsertSurvey({ workspaceId: tests, title: 'Tried', state: 'active' });
  const { hash: secretHash } = await createTestToken(store, tested);
  for (let count = 0; count < 21; count += 1)
    await store.acceptTestTrigger({ secretHash, request: { recipients: [{ email }] } }, 10_000);
  const places = await recipient(email);
  t.match(places, [
    { workspace_id: workspace, test_of: null, invitations: 25 },
    { workspace_id: tests, test_of: workspace, invitations: 21 },
  ]);
  const ids = (await invitationsOf(sql, survey)).map((row) => row.id);
  t.strictSame(
    places[0]?.newest.map((row) => row.id),
    ids.slice(5).reverse(),
  );
  t.equal(places[1]?.newest.length, 20);
  t.match(await text('recipient', 'show', email), /\n {2}5 older invitations\n\nWorkspace\n\n.*\n {2}1 older invitation\n$/s);
  const [newest] = places[1]?.newest ?? [];
  t.match(await invitation(String(newest?.id)), {
    invitation: { test_of: workspace, test_now: /T/ },
    messages: [{ status: 'queued', verdict: 'leave', next_look_at: null }],
  });
});

t.test('an invitation: its emails, why it has not left, who did what, and all that happened', async (t) => {
  t.match(await invitation(id), {
    invitation: {
      ...{ id, email: 'Ada@Example.com', name: NAME, metadata: { order: 'A-1 ✓' }, reminders: [3], batch_id: first.batch },
      ...{ workspace_name: 'Acme', survey_title: 'Customer survey', survey_state: 'active', responded_at: null, erased_at: null },
    },
    messages: [{ number: 0, status: 'queued', unsent_reason: 'no_worker', in_words: 'no worker is running', verdict: 'held' }],
    ...{ suppression: null, choices: [], actions: [] },
    history: [{ event: 'accepted' }, { event: 'invitation_due', detail: 'queued' }],
  });
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations([Number(id)], worker);
  const settle = { id, claim_id: claimed?.claimId ?? '', outcome: 'accepted', relay_message_id: 'relay-1' } as const;
  await store.settleInvitations([settle]);
  await store.setSurveyPaused(first.survey, true);
  await store.cancelInvitation(id);
  await store.cancelBatch(first.batch);
  const shown = await invitation(id);
  t.match(shown.messages, [
    { number: 0, message_kind: 'invitation', status: 'sent', unsent_reason: null, relay_message_id: 'relay-1' },
    { number: 1, message_kind: 'reminder', status: 'cancelled', unsent_reason: 'cancelled' },
  ]);
  t.match(shown.actions, [
    { action: 'invitation_cancelled', actor: 'cli', subject: id },
    { action: 'batch_cancelled', subject: first.batch },
  ]);
  t.equal(shown.actions.length, 2, 'a pause is not something that was done to it');
  t.same(
    shown.history.map(({ event }) => event),
    ['accepted', 'invitation_sent', 'cancelled'],
  );
  const words = await text('invitation', 'show', id);
  for (const part of [NAME, 'Email\n', 'Reminder 1\n', 'relay id relay-1', 'batch_cancelled', 'The address is not on it.'])
    t.match(words, part);
  t.notMatch(words, / -$/m, 'what has no value has no line');
});

t.test("what happened to other invitations and in other workspaces isn't shown", async (t) => {
  // A survey may have the id of an invitation.
  await store.upsertSurvey({ workspaceId: first.workspace, id, title: 'Named like it', state: 'active' });
  const { hash } = await createToken(store, id);
  await acceptTrigger(store, hash, { recipients: [{ email: 'else@example.com' }] }, 10_000);
  const before = (await invitation(id)).actions;
  await store.cancelSurvey(id);
  // What changes a survey is recorded by its title.
  await sql`update invite.surveys set title = id where id = ${first.survey}`;
  await store.setSurveyState(first.survey, 'closed');
  await store.cancelInvitation(second1?.id ?? '');
  t.strictSame((await invitation(id)).actions, before);
  const entries = await sql`select subject from invite.audit_log where action = 'survey_cancelled'`;
  t.equal(entries[0]?.subject, id);
  t.match((await invitation(other?.id ?? '')).actions, [{ action: 'batch_cancelled' }]);

  const { hash: tokenHash } = await createToken(store, second.survey);
  await acceptTrigger(store, tokenHash, { recipients: [{ email: 'earlier@example.com' }] }, 10_000);
  t.match(await store.cancelSurvey(second.survey), { cancelled: 1 });
  await acceptTrigger(store, tokenHash, { recipients: [{ email: 'later@example.com' }] }, 10_000);
  const later = (await invitationsOf(sql, second.survey)).at(-1);
  await acceptTrigger(store, tokenHash, { recipients: [{ email: 'last@example.com' }] }, 10_000);
  await store.cancelSurvey(second.survey);
  const { actions } = await invitation(later?.id ?? '');
  t.match(actions, [{ action: 'survey_cancelled', detail: { messages: 2 } }]);
  t.equal(actions.length, 1, 'only what was done after it was accepted');
});

t.test('a suppressed address says why, in each workspace on its own', async (t) => {
  await store.suppressEmail(second.workspace, EMAIL);
  const places = await recipient(EMAIL);
  t.match(
    places.find(({ workspace_id }) => workspace_id === second.workspace),
    { suppressed: 'manual', suppressed_since: /T/ },
  );
  t.match(
    places.find(({ workspace_id }) => workspace_id === first.workspace),
    { suppressed: null },
  );
  t.match((await invitation(second1?.id ?? '')).suppression, { reason: 'manual' });
  t.match(await text('invitation', 'show', second1?.id ?? ''), /^ {2}reason +manual$/m);
});

t.test('an erased recipient is found by no address, and the invitation says that it was erased', async (t) => {
  await store.eraseEmail(second.workspace, EMAIL, true);
  t.match(await recipient(EMAIL, '--workspace', second.workspace), [
    { suppressed: 'manual', invitations: 0, newest: [], choices: [] },
  ]);
  await store.eraseEmail(first.workspace, EMAIL, false);
  t.strictSame((await recipient(EMAIL)).length, 1, 'nothing is known of it where it is not suppressed');
  const shown = await invitation(id);
  t.match(shown, { invitation: { email: null, name: null, erased_at: /T/ }, suppression: null, choices: [] });
  t.equal(shown.history.at(-1)?.event, 'erased');
  const words = await text('invitation', 'show', id);
  t.match(words, 'The address was erased: what was known of it is gone.');
  t.notMatch(words, /ada@|not on it|山田/i);
});

t.test('no link, secret or text of an email is printed', async (t) => {
  const [row] = await sql`select secret from invite.invitations where id = ${other?.id ?? ''}`;
  const printed = [
    await text('invitation', 'show', other?.id ?? ''),
    await text('invitation', 'show', other?.id ?? '', '--json'),
    await text('recipient', 'show', 'other@example.com'),
    await text('recipient', 'show', 'other@example.com', '--json'),
  ].join('\n');
  t.match(printed, 'other@example.com');
  for (const secret of [row?.secret, other?.link_token, unsubscribeToken(other?.link_token ?? ''), 'Only for you', first.secret])
    t.notOk(printed.includes(String(secret)), String(secret));
});

t.test('what is unknown, and what is no id, is one clear sentence and exit code 3', async (t) => {
  for (const [args, stderr] of [
    [['invitation', 'show', '999999999'], 'There is no invitation 999999999.\n'],
    [['invitation', 'show', 'x1'], 'This is not an id: "x1".\n'],
    [['invitation', 'show', ''], 'This is not an id: "".\n'],
    [['invitation', 'show', '1.5'], 'This is not an id: "1.5".\n'],
    [['invitation', 'show', '9'.repeat(30)], `This is not an id: "${'9'.repeat(30)}".\n`],
    [['recipient', 'show', 'nobody@example.com'], 'There is no recipient nobody@example.com.\n'],
    [['recipient', 'show', EMAIL, '--workspace', 'nowhere'], 'There is no workspace nowhere.\n'],
  ] as const) {
    const { code, stdout, stderr: said } = await run(env, ...args);
    t.strictSame([code, stdout, said], [3, '', stderr], args.join(' '));
  }
});
