// What recipients chose instead of unsubscribing: who can choose for whom, and when a choice is forgotten.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf, invitationsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Creates a survey with an invitation to each address, and an unsubscribe token for each. */
async function setup(...emails: string[]) {
  const recipients = (emails.length === 0 ? ['Ada@example.com'] : emails).map((email) => ({ email }));
  const fixture = await createBatch(store, { recipients });
  const tokens = async () => (await invitationsOf(sql, fixture.survey)).map((row) => unsubscribeToken(row.link_token));
  const [link = ''] = await tokens();
  /** Invites the first address to another survey of the workspace. */
  const again = async () => {
    const survey = await store.upsertSurvey({ workspaceId: fixture.workspace, title: 'Second', state: 'active' });
    const { hash } = await createToken(store, survey);
    await acceptTrigger(store, hash, { recipients: recipients.slice(0, 1) }, 100);
    return survey;
  };
  const chosen = async () =>
    (
      await sql`select email, survey_id from invite.recipient_choices where workspace_id = ${fixture.workspace} order by 1, 2`
    ).map((row) => [row.email, row.survey_id]);
  return { ...fixture, link, tokens, again, chosen };
}

const settle = (survey: string) =>
  sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;

t.test('each choice is written once, with its time, in any order, and taken back by itself', async (t) => {
  const { link, survey, chosen } = await setup();
  for (const at of ['2030-01-31', '2031-01-31'])
    t.match(await sql`select * from invite.choose(${link}, 'not_this_survey', ${at})`, [{ email: 'Ada@example.com' }]);
  t.match(await sql`select chosen_at from invite.recipient_choices where survey_id = ${survey}`, [
    { chosen_at: new Date('2030-01-31T00:00:00Z') },
  ]);
  t.match(await store.choose(link, 'once_a_month'), { choices: ['once_a_month', 'not_this_survey'], title: 'Customer survey' });
  t.strictSame(await chosen(), [
    ['ada@example.com', ''],
    ['ada@example.com', survey],
  ]);
  t.match(await store.takeBack(link, 'not_this_survey'), { choices: ['once_a_month'] });
  t.match(await store.takeBack(link, 'not_this_survey'), { choices: ['once_a_month'] });
  t.match(await store.takeBack(link, 'once_a_month'), { choices: [] });
  t.equal((await sql`select from invite.suppressions where email = 'ada@example.com'`).length, 0, 'nobody is unsubscribed');
  t.equal((await sql`select from invite.invitation_outcomes`).length, 0);
});

t.test('a choice is of the address: each of its links shows it, and the one about a survey only where it belongs', async (t) => {
  const { link, again, chosen } = await setup('ada@example.com', 'bob@example.com');
  const second = await again();
  const [other] = await invitationsOf(sql, second);
  const ofOther = unsubscribeToken(other?.link_token ?? '');
  await store.choose(link, 'once_a_month');
  await store.choose(link, 'not_this_survey');
  t.match(await store.unsubscribePage(ofOther), { choices: ['once_a_month'], title: 'Second' });
  t.match(await store.takeBack(ofOther, 'not_this_survey'), { choices: ['once_a_month'] });
  t.match(await store.takeBack(ofOther, 'once_a_month'), { choices: [] });
  t.equal((await chosen()).length, 1, 'about the first survey');
});

t.test("no other workspace's link, no tracked link and no guess chooses or takes back", async (t) => {
  const own = await setup();
  const other = await setup();
  await store.choose(own.link, 'once_a_month');
  await store.choose(other.link, 'not_this_survey');
  await store.takeBack(other.link, 'once_a_month');
  t.strictSame(await own.chosen(), [['ada@example.com', '']]);
  t.strictSame(await other.chosen(), [['ada@example.com', other.survey]]);
  const [row] = await invitationsOf(sql, own.survey);
  const mixed = own.link.slice(0, 19) + other.link.slice(19);
  for (const wrong of [row?.link_token ?? '', mixed, 'x'.repeat(37), '']) {
    t.equal(await store.choose(wrong, 'not_this_survey'), null, wrong);
    t.equal(await store.takeBack(wrong, 'once_a_month'), null, wrong);
  }
  t.strictSame(await own.chosen(), [['ada@example.com', '']]);
  t.equal(await sqlstate(sql`select invite.choose(${own.link}, 'never')`), '22P02');
});

t.test('unsubscribing leaves the choices as they are, and resubscribing finds them', async (t) => {
  const { link } = await setup();
  await store.choose(link, 'once_a_month');
  t.match(await store.unsubscribe(link), { unsubscribed: true, choices: ['once_a_month'] });
  t.match(await store.resubscribe(link), { unsubscribed: false, choices: ['once_a_month'] });
});

t.test('erasing an address forgets its choices, those of nobody else, and never a suppression', async (t) => {
  const own = await setup('ada@example.com', 'bob@example.com');
  const other = await setup();
  const [ada = '', bob = ''] = await own.tokens();
  for (const link of [ada, bob, other.link]) await store.choose(link, 'once_a_month');
  await store.choose(ada, 'not_this_survey');
  await store.suppressEmail(own.workspace, 'ada@example.com');
  await store.eraseEmail(own.workspace, 'ADA@example.com', false);
  t.strictSame(await own.chosen(), [['bob@example.com', '']]);
  t.strictSame(await other.chosen(), [['ada@example.com', '']]);
  t.equal((await sql`select from invite.suppressions where workspace_id = ${own.workspace}`).length, 1);
  t.match(await store.choose(ada, 'once_a_month'), { email: null, choices: [] }, 'an erased link chooses nothing');
  t.strictSame(await own.chosen(), [['bob@example.com', '']]);
});

t.test('while an email is being sent its address stays, and so do its choices', async (t) => {
  const { link, survey, workspace, chosen } = await setup();
  await store.choose(link, 'once_a_month');
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  t.match(await store.eraseEmail(workspace, 'ada@example.com', false), { erased: 0, stillSending: 1 });
  t.equal((await chosen()).length, 1);
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  t.match(await store.eraseEmail(workspace, 'ada@example.com', false), { erased: 1 });
  t.equal((await chosen()).length, 0);
});

for (const [how, forget] of [
  ['erased', () => sql`select invite.erase_expired(30, at => now() + interval '31 days')`],
  ['pruned', (batch: string) => sql`delete from invite.invitations where batch_id = ${batch}`],
] as const) {
  t.test(`the choices of an address stay when its last invitation is ${how}`, async (t) => {
    const { link, survey, batch, chosen, workspace } = await setup();
    await store.choose(link, 'not_this_survey');
    await settle(survey);
    await forget(batch);
    t.equal((await sql`select from invite.addresses where workspace_id = ${workspace} and email = 'ada@example.com'`).length, 0);
    t.equal((await chosen()).length, 1);
    await store.eraseEmail(workspace, 'ada@example.com', false);
    t.strictSame(await chosen(), [], 'a person who asks is forgotten');
  });
}

t.test('a shorter retention leaves who wants at most one a month for the 30 days in which that is looked up', async (t) => {
  const [monthly, other] = [await setup(), await setup()];
  await store.choose(monthly.link, 'once_a_month');
  await store.choose(other.link, 'not_this_survey');
  for (const { survey } of [monthly, other]) {
    await settle(survey);
    // The newest batch of a token is kept, so that there is one more.
    const [token] = await sql`select secret_hash from invite.trigger_tokens where survey_id = ${survey}`;
    await acceptTrigger(store, token?.secret_hash, { recipients: [{ email: 'bob@example.com' }] }, 100);
  }
  const left = async ({ batch }: typeof monthly) =>
    (await sql`select email is not null as known from invite.invitations where batch_id = ${batch}`).map(({ known }) => known);
  await sql`select invite.erase_expired(10, at => now() + interval '29 days')`;
  t.same([await left(monthly), await left(other)], [[true], [false]], 'addresses');
  await sql`update invite.retention set days = 10 where what = 'batches'`;
  t.teardown(() => sql`update invite.retention set days = null where what = 'batches'`);
  const due = async (days: number) =>
    (await sql`select invite.count_due('batches', 10, now() + ${days} * interval '1 day') as due`)[0]?.due;
  t.equal(await due(28), 0);
  await sql`select invite.prune_expired('batches', now() + interval '29 days')`;
  t.equal((await left(monthly)).length, 1, 'batches');
  t.equal((await monthly.chosen()).length, 1);
  t.ok((await due(31)) > 0);
  await sql`select invite.erase_expired(10, at => now() + interval '31 days')`;
  t.same(await left(monthly), [false]);
  await sql`select invite.prune_expired('batches', now() + interval '31 days')`;
  t.equal((await left(monthly)).length, 0);
});

for (const first of ['choice', 'erasure'] as const) {
  t.test(`a choice that meets an erasure leaves nothing of the address: the ${first} comes first`, async (t) => {
    const { link, workspace, chosen } = await setup();
    const [one, two] = [await openSession(database), await openSession(database)];
    const choose = (session: typeof sql) => session`select invite.choose(${link}, 'once_a_month')`;
    const erase = (session: typeof sql) => session`select invite.erase_email(${workspace}, 'ada@example.com')`;
    await one.sql`begin`;
    await (first === 'choice' ? choose : erase)(one.sql);
    const second = (first === 'choice' ? erase : choose)(two.sql).execute();
    await two.untilBlocked();
    await one.sql`commit`;
    await second;
    t.strictSame(await chosen(), []);
  });
}

t.test('a deleted survey takes the choices about it along, in steps, and leaves those of its workspace', async (t) => {
  const emails = Array.from({ length: 7 }, (_, index) => `person${index}@example.com`);
  const { survey, again, tokens, chosen, workspace } = await setup(...emails);
  await again();
  for (const link of await tokens()) await store.choose(link, 'not_this_survey');
  await store.choose((await tokens())[0] ?? '', 'once_a_month');
  await sql`
    insert into invite.addresses (workspace_id, email, invitation_id)
    select ${workspace}, 'person' || n || '@example.com', -n from generate_series(1, 6) as n`;
  const deleted: number[] = [];
  for (let more = true; more; ) {
    const [row] = await sql`select * from invite.delete_survey(${survey}, 3)`;
    deleted.push(row?.deleted);
    more = row?.more;
  }
  t.ok(deleted.every((rows) => rows <= 3));
  t.equal(
    deleted.reduce((sum, rows) => sum + rows, 0),
    14,
    '7 invitations and 7 choices',
  );
  t.strictSame(await chosen(), [['person0@example.com', '']]);
});

t.test('a deleted workspace takes all its choices along', async (t) => {
  const { link, workspace, chosen } = await setup();
  await store.choose(link, 'once_a_month');
  await store.choose(link, 'not_this_survey');
  while ((await store.deleteWorkspace(workspace)).more);
  t.strictSame(await chosen(), []);
});

t.test("the page of a recipient has the choices in all surveys, and nobody else's", async (t) => {
  const { link, survey, again, workspace } = await setup('ada@example.com', 'bob@example.com');
  await again();
  await store.choose(link, 'not_this_survey');
  await store.choose(link, 'once_a_month');
  const [ada = 0, bob = 0] = await idsOf(sql, survey);
  const { session } = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  const choices = (id: number, of = session) => store.console.recipientChoices(of, workspace, String(id));
  t.match(await choices(ada), [
    { choice: 'once_a_month', surveyTitle: null, chosenAt: Date },
    { choice: 'not_this_survey', surveyTitle: 'Customer survey', chosenAt: Date },
  ]);
  t.strictSame(await choices(bob), []);
  const other = await setup();
  await store.choose(other.link, 'once_a_month');
  t.strictSame(await choices((await idsOf(sql, other.survey))[0] ?? 0), []);
  const viewer = await createMember(store, workspace, 'viewer', `viewer-${survey}@example.com`);
  t.equal(await sqlstate(choices(ada, viewer.session)), 'IT403');
  const stranger = await createMember(store, other.workspace, 'owner', `owner-${survey}@example.com`);
  t.equal(await sqlstate(choices(ada, stranger.session)), 'P0002');
});

t.test(
  'who wants at most one a month rests, also without a rest of the workspace; what is taken back wakes it at once',
  async (t) => {
    const { link, survey, again } = await setup();
    await settle(survey);
    const second = await again();
    await store.choose(link, 'once_a_month');
    const worker = await createWorker(store);
    const ids = await idsOf(sql, second);
    t.strictSame(await store.claimInvitations(ids, worker), []);
    const [resting] = await invitationsOf(sql, second);
    t.match(resting, { status: 'queued', rule: 'resting' });
    t.ok((resting?.due_at ?? 0) > new Date(Date.now() + 29 * 86_400_000));
    await store.takeBack(link, 'once_a_month');
    t.equal((await store.claimInvitations(ids, worker)).length, 1);
  },
);

t.test('nothing about a survey is sent to those who declined it, and other surveys reach them', async (t) => {
  const { link, survey, again } = await setup();
  const second = await again();
  await store.choose(link, 'not_this_survey');
  const worker = await createWorker(store);
  t.strictSame(await store.claimInvitations(await idsOf(sql, survey), worker), []);
  t.match(await invitationsOf(sql, survey), [{ status: 'skipped', rule: 'declined' }]);
  t.equal((await store.claimInvitations(await idsOf(sql, second), worker)).length, 1);
});
