// A limit of responses is exact, and a closing date holds, also for those who come at the same moment; and neither stops anyone else's work.
import t from 'tap';
import { createStore } from '../../src/database/store.ts';
import { constraint, idsOf, invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const admin = database.connectAsAdmin();
await admin`set session_replication_role = replica`;

type Session = Awaited<ReturnType<typeof openSession>>;
const sessions = () => Promise.all([openSession(database), openSession(database)]);
const respond = ({ sql: session }: Session, survey: string) =>
  session`select outcome from invite.submit_response(${survey}, '{"score": 9}')`.execute();
const stateOf = async (survey: string) => (await sql`select state from invite.surveys where id = ${survey}`)[0]?.state;
const countOf = async (survey: string) => (await sql`select from invite.responses where survey_id = ${survey}`).length;
const closings = async (survey: string) =>
  (await sql`select code from invite.new_events where survey_id = ${survey} and type = 'survey.closed'`).map(({ code }) => code);

async function createLimited(responseLimit: number) {
  const fixture = await createSurvey(store);
  await store.setWorkspaceEvents(fixture.workspace, true);
  await store.setSurveyEnds(fixture.survey, { responseLimit });
  return fixture;
}

t.test('of 50 responses at once exactly 7 are recorded, through links and without', async (t) => {
  const recipients = Array.from({ length: 25 }, (_, n) => ({ email: `person${n}@example.com` }));
  const { survey, workspace } = await createBatch(store, { recipients });
  await store.setWorkspaceEvents(workspace, true);
  await store.setSurveyEnds(survey, { responseLimit: 7 });
  const links = (await invitationsOf(sql, survey)).map(({ link_token }) => link_token);
  const stores = Array.from({ length: 10 }, () => createStore(database.connect()));
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const link = n % 2 === 0 ? links[n / 2] : undefined;
      return (await stores[n % stores.length]?.submitResponse(survey, { score: n % 11 }, link))?.outcome;
    }),
  );
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  t.same([count('recorded'), count('survey_closed')], [7, 43]);
  t.equal(await countOf(survey), 7);
  t.equal(await stateOf(survey), 'closed');
  t.same(await closings(survey), ['response_limit'], 'closed once');
});

t.test(
  'who comes while the last response is being recorded waits, and is told that the survey is closed, or takes its place',
  async (t) => {
    for (const [end, outcome] of [
      ['commit', 'survey_closed'],
      ['rollback', 'recorded'],
    ] as const) {
      const { survey } = await createLimited(1);
      const [first, second] = await sessions();
      await first.sql`begin`;
      t.match(await respond(first, survey), [{ outcome: 'recorded' }]);
      const late = respond(second, survey);
      await second.untilBlocked();
      await first.sql.unsafe(end);
      t.match(await late, [{ outcome }], end);
      t.equal(await countOf(survey), 1);
      t.equal(await stateOf(survey), 'closed');
    }
  },
);

t.test('responses to a survey without a limit, and to another one, do not wait', async (t) => {
  const { survey } = await createSurvey(store);
  const [limited, other] = [await createLimited(5), await createLimited(5)];
  const [first, second] = await sessions();
  await second.sql`set lock_timeout = '1s'`;
  await first.sql`begin`;
  for (const one of [survey, limited.survey]) await respond(first, one);
  for (const one of [survey, other.survey]) t.match(await respond(second, one), [{ outcome: 'recorded' }]);
  await first.sql`commit`;
});

t.test('a limit that is set while a response is being recorded counts it', async (t) => {
  const { survey } = await createLimited(5);
  const [first, second] = await sessions();
  await first.sql`begin`;
  await respond(first, survey);
  const set = second.sql`select invite.set_survey_ends(${survey}, '{"response_limit": 1}')`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  await set;
  t.equal(await stateOf(survey), 'closed');
});

t.test('responses that find no limit, and wait for the one who sets it, keep to it', async (t) => {
  const { survey } = await createSurvey(store);
  const [[setter, first], [second]] = [await sessions(), await sessions()];
  await setter.sql`begin`;
  await setter.sql`select from invite.surveys where id = ${survey} for update`;
  await setter.sql`select invite.set_survey_ends(${survey}, '{"response_limit": 1}')`;
  const late = [first, second].map(async (session) => {
    await session.sql`begin`;
    const answer = session.sql`select outcome from invite.record_response(${survey}, '{}')`.execute();
    await session.untilBlocked();
    return { session, answer };
  });
  const both = await Promise.all(late);
  await setter.sql`commit`;
  const outcomes = await Promise.all(
    both.map(async ({ session, answer }) => {
      const outcome = (await answer)[0]?.outcome;
      await session.sql`commit`;
      return outcome;
    }),
  );
  t.same(outcomes.sort(), ['recorded', 'survey_closed']);
  t.equal(await countOf(survey), 1);
});

t.test('while a response holds the lock of a limited survey, its emails are claimed', async (t) => {
  const queued = await createBatch(store);
  await store.setSurveyEnds(queued.survey, { responseLimit: 5 });
  const [respondent, claimer] = await sessions();
  await respondent.sql`begin`;
  await respond(respondent, queued.survey);
  await claimer.sql`set lock_timeout = '1s'`;
  const ids = await idsOf(sql, queued.survey);
  const claim = async () =>
    (await claimer.sql`select id from invite.claim_invitations(${ids}::bigint[], ${await createWorker(store)})`).length;
  t.equal(await claim(), 1);
  await respondent.sql`commit`;

  const held = await createBatch(store);
  await store.setSurveyEnds(held.survey, { responseLimit: 5 });
  await store.setSurveyPaused(held.survey, true);
  await respondent.sql`begin`;
  await respond(respondent, held.survey);
  const heldIds = await idsOf(sql, held.survey);
  const worker = await createWorker(store);
  await claimer.sql`select from invite.claim_invitations(${heldIds}::bigint[], ${worker})`;
  t.match(await invitationsOf(sql, held.survey), [{ status: 'queued' }], 'what is held is looked at again');
  await respondent.sql`commit`;
  await claimer.sql`select from invite.claim_invitations(${heldIds}::bigint[], ${worker})`;
  t.match(await invitationsOf(sql, held.survey), [{ status: 'waiting' }]);
});

const setPast = (survey: string) => admin`update invite.surveys set closes_at = now() - interval '1 second' where id = ${survey}`;

t.test(
  'a response that was in time is recorded although the job closes the survey meanwhile; the next one is late',
  async (t) => {
    const { survey } = await createSurvey(store);
    const [respondent, closer] = await sessions();
    await respondent.sql`begin`;
    t.match(await respond(respondent, survey), [{ outcome: 'recorded' }]);
    await setPast(survey);
    await closer.sql`set lock_timeout = '1s'`;
    t.match(await closer.sql`select invite.close_surveys() as closed`, [{ closed: 1 }], 'the job waits for nobody');
    await respondent.sql`commit`;
    t.match(await respond(respondent, survey), [{ outcome: 'survey_closed' }]);
    t.equal(await countOf(survey), 1);
  },
);

t.test('a survey that somebody has locked is closed by the next job', async (t) => {
  const { survey } = await createSurvey(store);
  await setPast(survey);
  const [editor, closer] = await sessions();
  await editor.sql`begin`;
  await editor.sql`update invite.surveys set title = 'Another title' where id = ${survey}`;
  await closer.sql`set lock_timeout = '1s'`;
  t.match(await closer.sql`select invite.close_surveys() as closed`, [{ closed: 0 }]);
  await editor.sql`commit`;
  t.equal(await store.closeSurveys(), 1);
});

t.test('an activation that meets the job of the date is refused; one that moves the date holds', async (t) => {
  const { survey } = await createSurvey(store);
  await setPast(survey);
  const [closer, activator] = await sessions();
  await closer.sql`begin`;
  await closer.sql`select invite.close_surveys()`;
  const refused = constraint(activator.sql`update invite.surveys set state = 'active' where id = ${survey}`.execute());
  await activator.untilBlocked();
  await closer.sql`commit`;
  t.equal(await refused, 'surveys_closed_by_date');

  await activator.sql`begin`;
  await activator.sql`update invite.surveys set closes_at = null, state = 'active' where id = ${survey}`;
  t.match(await closer.sql`select invite.close_surveys() as closed`, [{ closed: 0 }]);
  await activator.sql`commit`;
  t.match(await closer.sql`select invite.close_surveys() as closed`, [{ closed: 0 }]);
  t.equal(await stateOf(survey), 'active');
});

t.test('a deletion that meets responses to a survey with a limit waits for them, and nobody is ended', async (t) => {
  const { survey } = await createLimited(5);
  const [[first, second], [deleter]] = [await sessions(), await sessions()];
  await first.sql`begin`;
  await respond(first, survey);
  const deleting = deleter.sql`select invite.delete_survey(${survey})`.execute();
  await deleter.untilBlocked();
  const late = respond(second, survey);
  await second.untilBlocked();
  await first.sql`commit`;
  await deleting;
  t.match((await late)[0]?.outcome, /^(unknown_survey|survey_closed)$/);
});

t.test('a limit waits for a response that began without one, and closes the survey if that was the last', async (t) => {
  const { survey } = await createSurvey(store);
  const [first, second] = await sessions();
  await first.sql`begin`;
  await respond(first, survey);
  const set = second.sql`select invite.set_survey_ends(${survey}, '{"response_limit": 1}')`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  await set;
  t.equal(await stateOf(survey), 'closed');
});
