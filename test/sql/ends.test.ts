// What ends a survey and its links by itself: the age of a link, a closing date, a limit of responses; and when a survey first became active.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { clearJobs, constraint, idsOf, invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const admin = database.connectAsAdmin();
const session = database.connect();

const SENT = '2030-01-01T10:00:00Z';
const rowOf = async (survey: string) => (await sql`select * from invite.surveys where id = ${survey}`)[0];
const countOf = async (survey: string) => (await sql`select from invite.responses where survey_id = ${survey}`).length;

/** Changes a date without triggers, because none can be set in the past. */
await admin`set session_replication_role = replica`;
const setPast = (survey: string) => admin`update invite.surveys set closes_at = now() - interval '1 second' where id = ${survey}`;

/** A survey whose invitation was sent at SENT, or is in another state. */
async function createLink(state: 'sent' | 'queued' | 'unconfirmed' = 'sent') {
  const fixture = await createBatch(store, { reminders: [3] });
  const [row] = await invitationsOf(sql, fixture.survey);
  if (state !== 'queued') {
    const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
    const outcome = state === 'sent' ? 'accepted' : 'unconfirmed';
    const outcomes = [{ id: claimed?.id, claim_id: claimed?.claimId, outcome }];
    await sql`select invite.settle_invitations(${sql.json(outcomes as never)}, at => ${SENT})`;
  }
  return { ...fixture, id: Number(row?.id), link: row?.link_token ?? '' };
}

/** What each way of looking at a link says at a time; nothing is kept of it. */
async function looks({ survey, link }: { survey: string; link: string | null }, at: string) {
  const said: Record<string, unknown> = {};
  for (const name of ['record_response', 'submit_response']) {
    await session`begin`;
    const [row] = await session`select outcome from invite.${sql(name)}(${survey}, '{"score": 9}', ${link}, ${at})`;
    await session`rollback`;
    said[name] = row?.outcome;
  }
  const [page] = await sql`select link, state, is_full from invite.survey_page(${survey}, ${link}, at => ${at})`;
  return { ...said, ...page };
}

t.test('when a survey first becomes active is noted once', async (t) => {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  t.equal((await rowOf(survey))?.activated_at, null);
  await store.setSurveyState(survey, 'closed');
  t.equal((await rowOf(survey))?.activated_at, null, 'closed is not active');
  await store.setSurveyState(survey, 'active');
  const first = (await rowOf(survey))?.activated_at;
  t.type(first, Date);
  await store.setSurveyState(survey, 'draft');
  await store.upsertSurvey({ workspaceId: workspace, id: survey, state: 'active', title: 'Another title' });
  t.same((await rowOf(survey))?.activated_at, first, 'never again');
  t.type((await rowOf((await createSurvey(store)).survey))?.activated_at, Date, 'also if it is created active');
  const copy = await store.duplicateSurvey(survey, undefined, undefined);
  t.equal((await rowOf(copy))?.activated_at, null, 'a copy was not active yet');
});

t.test('a link expires so many times 24 hours after the first email was sent, and nothing is recorded through it', async (t) => {
  const sent = await createLink();
  const open = { record_response: 'recorded', submit_response: 'recorded', link: 'open', state: 'active' };
  t.match(await looks(sent, '2039-01-01T00:00:00Z'), open, 'never, if no days are set');
  await store.setSurveyEnds(sent.survey, { linkDays: 30 });
  t.match(await looks(sent, '2030-01-31T09:59:59Z'), open);
  const expired = { record_response: 'link_expired', submit_response: 'link_expired', link: 'expired', state: 'active' };
  t.match(await looks(sent, '2030-01-31T10:00:00Z'), expired);
  const before = await invitationsOf(sql, sent.survey);
  t.match(await sql`select * from invite.record_response(${sent.survey}, '{}', ${sent.link}, '2030-01-31 10:00Z')`, [
    { outcome: 'link_expired', response_id: null },
  ]);
  t.equal(await countOf(sent.survey), 0);
  t.same(await invitationsOf(sql, sent.survey), before, 'the reminder stays as it is');
  t.match(await looks({ ...sent, link: null }, '2030-01-31T10:00:00Z'), { submit_response: 'recorded', link: 'none' });
  await store.setSurveyEnds(sent.survey, { linkDays: 31 });
  t.match(await looks(sent, '2030-01-31T10:00:00Z'), open, 'more days move the end of all links at once');
  await store.setSurveyEnds(sent.survey, { linkDays: 1 });
  t.match(await looks(sent, '2030-01-02T10:00:00Z'), expired);
  await store.setSurveyState(sent.survey, 'closed');
  t.match(await looks(sent, '2030-01-02T10:00:00Z'), { submit_response: 'survey_closed', record_response: 'link_expired' });
});

t.test('a day of a link has 24 hours, wherever the session is', async (t) => {
  const sent = await createLink();
  await sql`update invite.messages set sent_at = '2030-03-30 12:00 Europe/Berlin' where invitation_id = ${sent.id} and number = 0`;
  await store.setSurveyEnds(sent.survey, { linkDays: 1 });
  await session`set TimeZone = 'Europe/Berlin'`;
  const [row] = await session`
    select
      (invite.survey_page(${sent.survey}, ${sent.link}, at => timestamp '2030-03-31 12:59:59')).link as before,
      (invite.survey_page(${sent.survey}, ${sent.link}, at => timestamp '2030-03-31 13:00:00')).link as after`;
  await session`reset TimeZone`;
  t.match(row, { before: 'open', after: 'expired' }, 'clocks went forward that night');
});

t.test(
  'a reminder does not prolong a link; what was not sent, or not surely, does not expire; a response stays one',
  async (t) => {
    const reminded = await createLink();
    await store.setSurveyEnds(reminded.survey, { linkDays: 5 });
    await sql`
    update invite.messages set status = 'sent', sent_at = '2030-01-04 10:00Z', not_before = null, sweep_at = null
    where invitation_id = ${reminded.id} and number = 1`;
    t.match(await looks(reminded, '2030-01-06T10:00:00Z'), { link: 'expired' });
    for (const state of ['queued', 'unconfirmed'] as const) {
      const link = await createLink(state);
      await store.setSurveyEnds(link.survey, { linkDays: 1 });
      t.match(await looks(link, '2039-01-01T00:00:00Z'), { link: 'open', record_response: 'recorded' }, state);
    }
    const responded = await createLink();
    await store.setSurveyEnds(responded.survey, { linkDays: 1, closesAt: new Date('2035-01-01T00:00:00Z'), responseLimit: 1 });
    await sql`select invite.record_response(${responded.survey}, '{"score": 9}', ${responded.link}, '2030-01-01 11:00Z')`;
    const again = { record_response: 'already_responded', submit_response: 'already_responded', link: 'responded' };
    t.match(await looks(responded, '2039-01-01T00:00:00Z'), again, 'although link, date and limit have ended it');
  },
);

t.test('from its closing date on a survey takes nothing, before any job has run', async (t) => {
  const sent = await createLink();
  await store.setSurveyEnds(sent.survey, { closesAt: new Date('2035-06-01T12:00:00Z') });
  t.match(await looks(sent, '2035-06-01T11:59:59Z'), {
    record_response: 'recorded',
    submit_response: 'recorded',
    state: 'active',
  });
  const closed = { record_response: 'survey_closed', submit_response: 'survey_closed', state: 'closed', is_full: false };
  t.match(await looks(sent, '2035-06-01T12:00:00Z'), closed);
  t.match(await looks({ ...sent, link: null }, '2035-06-01T12:00:00Z'), closed);
  t.match(await looks({ ...sent, link: 'no-such-token' }, '2035-06-01T12:00:00Z'), {
    record_response: 'unknown_invitation',
    link: 'unknown',
  });
  t.equal((await rowOf(sent.survey))?.state, 'active');
  await store.setSurveyState(sent.survey, 'draft');
  t.match(
    await looks(sent, '2035-06-01T12:00:00Z'),
    { submit_response: 'survey_not_open', state: 'draft' },
    'a draft has no title yet',
  );
  await store.setSurveyState(sent.survey, 'closed');
  t.match(await looks(sent, '2035-06-01T11:59:59Z'), { submit_response: 'survey_closed', record_response: 'recorded' });
});

const closingsOf = async (survey: string) => [
  ...(await sql`select code from invite.new_events where survey_id = ${survey} and type = 'survey.closed' order by id`),
];
const auditOf = async (survey: string) => [
  ...(await sql`
    select a.actor, a.action, a.detail from invite.audit_log as a join invite.surveys as s on s.workspace_id = a.workspace_id
    where s.id = ${survey} order by a.id`),
];

t.test('the job of the date writes the state, its event and the audit log, and nothing else; healing does it too', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const [draft, byHand, later, none] = [
    await createSurvey(store, { state: 'draft' }),
    await createSurvey(store, { state: 'closed' }),
    await createSurvey(store),
    await createSurvey(store),
  ];
  await store.setWorkspaceEvents(workspace, true);
  for (const one of [survey, draft.survey, byHand.survey]) {
    await store.setSurveyEnds(one, { closesAt: new Date('2999-01-01T00:00:00Z') });
    await setPast(one);
  }
  await store.setSurveyEnds(later.survey, { closesAt: new Date(Date.now() + 3_600_000) });
  const before = await rowOf(survey);
  t.equal(await store.closeSurveys(), 1);
  t.same(await rowOf(survey), { ...before, state: 'closed' });
  t.equal((await rowOf(draft.survey))?.state, 'draft');
  for (const { survey: one } of [later, none]) t.equal((await rowOf(one))?.state, 'active');
  t.match(await closingsOf(survey), [{ code: 'closing_date' }]);
  t.match((await auditOf(survey)).at(-1), {
    actor: 'service',
    action: 'survey_state_changed',
    detail: { from: 'active', to: 'closed', because: 'closing_date' },
  });
  t.equal(await store.closeSurveys(), 0, 'once');
});

t.test('many surveys are closed in bounded steps', async (t) => {
  const surveys = [await createSurvey(store), await createSurvey(store), await createSurvey(store)];
  for (const { survey } of surveys) await setPast(survey);
  await clearJobs(sql);
  const step = async () => (await sql`select invite.close_surveys(2) as closed`)[0]?.closed;
  const jobs = async () => (await sql`select from graphile_worker.jobs where task_identifier = 'close_surveys'`).length;
  t.equal(await step(), 2);
  t.equal(await jobs(), 1);
  t.equal(await step(), 1);
  t.equal(await jobs(), 1);
});

t.test('the job moves with the date', async (t) => {
  const { survey } = await createSurvey(store);
  const jobs = () =>
    sql`select key, run_at from graphile_worker.jobs where task_identifier = 'close_surveys' and key like ${`%${survey}`}`;
  for (const time of ['2999-01-01T00:00:00Z', '2998-06-01T12:30:00Z']) {
    await store.setSurveyEnds(survey, { closesAt: new Date(time) });
    t.match(await jobs(), [{ key: `close_surveys:${survey}`, run_at: new Date(time) }]);
    t.equal((await jobs()).length, 1);
  }
});

t.test('a later date, or none, reopens nothing, not even before the job has run', async (t) => {
  for (const closesAt of [new Date('2999-01-01T00:00:00Z'), null]) {
    const { workspace, survey } = await createSurvey(store);
    await store.setWorkspaceEvents(workspace, true);
    await setPast(survey);
    await store.setSurveyEnds(survey, { closesAt });
    t.match(await rowOf(survey), { state: 'closed', closes_at: closesAt });
    t.match(await closingsOf(survey), [{ code: 'closing_date' }]);
    await store.setSurveyState(survey, 'active');
    t.match(await rowOf(survey), { state: 'active' }, 'a person does');
    await store.setSurveyState(survey, 'closed');
    t.match(await closingsOf(survey), [{ code: 'closing_date' }, { code: null }], 'closed by hand');
  }
});

t.test('a survey whose date is past is not activated, in any way', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await setPast(survey);
  t.equal(await constraint(sql`update invite.surveys set state = 'active' where id = ${survey}`), 'none', 'it still is');
  await store.closeSurveys();
  for (const activate of [
    () => store.setSurveyState(survey, 'active'),
    () => store.upsertSurvey({ workspaceId: workspace, id: survey, state: 'active' }),
    () => sql`update invite.surveys set state = 'active' where id = ${survey}`,
  ])
    t.equal(await constraint(activate()), 'surveys_closed_by_date');
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Another title' });
  await store.setSurveyState(survey, 'draft');
  t.equal(await constraint(store.setSurveyState(survey, 'active')), 'surveys_closed_by_date', 'nor a draft');
  await sql`update invite.surveys set state = 'active', closes_at = null where id = ${survey}`;
  t.equal((await rowOf(survey))?.state, 'active', 'in the statement that moves the date');
});

t.test('a closing date is in the future, and a year that everything can show', async (t) => {
  const { survey, workspace } = await createSurvey(store);
  const set = (closesAt: string) =>
    constraint(sql`select invite.set_survey_ends(${survey}, ${sql.json({ closes_at: closesAt })})`);
  t.equal(await set(new Date(Date.now() - 1000).toISOString()), 'surveys_closes_at_past');
  t.equal(await set('-infinity'), 'surveys_closes_at_past');
  t.equal(await set('infinity'), 'surveys_closes_at_range');
  t.equal(await set('10000-01-01 00:00Z'), 'surveys_closes_at_range');
  t.equal(await set('9999-12-31 23:59:59Z'), 'none');
  t.equal(await sqlstate(sql`select invite.set_survey_ends(${survey}, '{"closes_at": "soon"}')`), '22007');
  t.equal(
    await constraint(sql`insert into invite.surveys (workspace_id, title, closes_at) values (${workspace}, 'x', '2020-01-01')`),
    'surveys_closes_at_past',
  );
  for (const days of [0, 3651])
    t.equal(await constraint(store.setSurveyEnds(survey, { linkDays: days })), 'surveys_link_days_range');
  t.equal(await constraint(store.setSurveyEnds(survey, { responseLimit: 0 })), 'surveys_response_limit_positive');
  t.equal(await constraint(sql`select invite.set_survey_ends(${survey}, '{"time_zone": "UTC"}')`), 'surveys_unknown_end');
  t.equal(await sqlstate(store.setSurveyEnds('no-such-survey', { linkDays: 1 })), 'P0002');
});

t.test('what was set stays until it is removed, and a call that changes nothing writes nothing', async (t) => {
  const { survey } = await createSurvey(store);
  const closesAt = new Date('2999-01-01T00:00:00Z');
  await store.setSurveyEnds(survey, { linkDays: 1, responseLimit: 2, closesAt });
  await store.setSurveyEnds(survey, { linkDays: 3 });
  t.match(await rowOf(survey), { link_days: 3, response_limit: 2, closes_at: closesAt });
  t.match((await auditOf(survey)).at(-1), { action: 'survey_changed', detail: { changed: ['link_days'] } });
  const entries = (await auditOf(survey)).length;
  await store.setSurveyEnds(survey, { linkDays: 3 });
  t.equal((await auditOf(survey)).length, entries);
  const copy = await store.duplicateSurvey(survey, undefined, undefined);
  t.match(await rowOf(copy), { link_days: 3, response_limit: 2, closes_at: null }, 'a copy has no date');
  await setPast(survey);
  t.match(await rowOf(await store.duplicateSurvey(survey, undefined, undefined)), { closes_at: null }, 'whatever it was');
  await store.setSurveyEnds(survey, { linkDays: null, responseLimit: null, closesAt: null });
  t.match(await rowOf(survey), { link_days: null, response_limit: null, closes_at: null });
});

/** Somebody who has the form open gets this. */
const submit = async (survey: string, link?: string) => (await store.submitResponse(survey, { score: 9 }, link)).outcome;

t.test('the last response that fits closes the survey; later ones are told so', async (t) => {
  const { survey, workspace, link, id } = await createLink();
  await store.setWorkspaceEvents(workspace, true);
  await store.setSurveyEnds(survey, { responseLimit: 3 });
  t.equal(await submit(survey, link), 'recorded');
  t.equal(await submit(survey, link), 'already_responded', 'which does not count again');
  t.match(
    await sql`select * from invite.record_response(${survey}, '{}')`,
    [{ outcome: 'recorded' }],
    "the product's own counts",
  );
  t.match(await rowOf(survey), { state: 'active' });
  t.equal(await submit(survey), 'recorded');
  t.match(await rowOf(survey), { state: 'closed' });
  t.match(await closingsOf(survey), [{ code: 'response_limit' }]);
  t.match((await auditOf(survey)).at(-1), { actor: 'service', detail: { because: 'response_limit' } });
  t.equal(await submit(survey), 'survey_closed');
  t.match(await sql`select * from invite.record_response(${survey}, '{}')`, [{ outcome: 'survey_closed', response_id: null }]);
  t.match(await store.surveyPage(survey, undefined), { state: 'closed', isFull: true });
  t.match(await store.surveyPage(survey, link), { link: 'responded' });
  t.equal(await countOf(survey), 3);
  t.ok(id);

  t.equal(await constraint(store.setSurveyState(survey, 'active')), 'surveys_closed_by_limit');
  await store.setSurveyEnds(survey, { responseLimit: 4 });
  t.match(await store.surveyPage(survey, undefined), { state: 'closed', isFull: false }, 'a higher limit reopens nothing');
  await store.setSurveyState(survey, 'active');
  t.equal(await submit(survey), 'recorded');
  t.match(await rowOf(survey), { state: 'closed' });
  await store.setSurveyEnds(survey, { responseLimit: null });
  await store.setSurveyState(survey, 'active');
  t.equal(await submit(survey), 'recorded', 'without a limit it goes on');
  t.equal((await closingsOf(survey)).length, 2);
});

t.test('a limit that is reached when it is set closes the survey', async (t) => {
  const { survey, workspace } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  for (let n = 0; n < 3; n += 1) await submit(survey);
  await store.setSurveyEnds(survey, { responseLimit: 4 });
  t.match(await rowOf(survey), { state: 'active' });
  await store.setSurveyEnds(survey, { responseLimit: 3 });
  t.match(await rowOf(survey), { state: 'closed' });
  t.match(await closingsOf(survey), [{ code: 'response_limit' }]);
  await store.setSurveyEnds(survey, { responseLimit: 2 });
  t.match(await sql`select outcome from invite.record_response(${survey}, '{}')`, [{ outcome: 'survey_closed' }], 'below it too');
});

t.test('closed by hand is not full; a draft that is full is not activated', async (t) => {
  const { survey } = await createSurvey(store);
  await store.setSurveyEnds(survey, { responseLimit: 2 });
  await submit(survey);
  await store.setSurveyState(survey, 'closed');
  t.match(await store.surveyPage(survey, undefined), { state: 'closed', isFull: false });
  await store.setSurveyState(survey, 'draft');
  t.match(await sql`select outcome from invite.record_response(${survey}, '{}')`, [{ outcome: 'recorded' }]);
  t.match(await rowOf(survey), { state: 'draft' });
  t.equal(await constraint(store.setSurveyState(survey, 'active')), 'surveys_closed_by_limit');
});

t.test('only the owner can give the time', async (t) => {
  const web = openDatabase(database.urlAs('invite_web'), { applicationName: 'tests' });
  t.teardown(() => web.end());
  const sent = await createLink();
  await store.setSurveyEnds(sent.survey, { linkDays: 3650 });
  const [page] = await web`select link from invite.survey_page(${sent.survey}, ${sent.link}, at => '2999-01-01')`;
  t.equal(page?.link, 'open');
  t.equal((await createStore(web).submitResponse(sent.survey, { score: 1 }, sent.link)).outcome, 'recorded');
});

t.test('editors see and set what ends a survey, viewers do not', async (t) => {
  const { survey, workspace } = await createSurvey(store);
  const editor = await createMember(store, workspace, 'editor');
  const viewer = await createMember(store, workspace, 'viewer');
  await store.console.setSurveyEnds(editor.session, survey, { responseLimit: 5, linkDays: 30 });
  await submit(survey);
  t.match(await store.console.surveyEnds(editor.session, survey), {
    linkDays: 30,
    responseLimit: 5,
    closesAt: null,
    responses: 1,
  });
  t.match((await auditOf(survey)).at(-1), { actor: editor.email, detail: { changed: ['link_days', 'response_limit'] } });
  t.equal(await sqlstate(store.console.surveyEnds(viewer.session, survey)), 'IT403');
  t.equal(await sqlstate(store.console.setSurveyEnds(viewer.session, survey, { linkDays: 1 })), 'IT403');
});
