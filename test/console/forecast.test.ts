// The forecast over HTTP: before a survey is activated, before rules are saved, and on its own page with the list behind each number.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const LONGEST = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.com`;
/** Noon of a day far from now, so that hours in the past don't matter. */
const NOON = '2999-06-03T12:00:00Z';

/** A survey with so many people at noon, and one more a day later. */
async function setup(many: number) {
  const fixture = await createSurvey(store, { state: 'draft' });
  const { hash } = await createToken(store, fixture.survey);
  const recipients = Array.from({ length: many }, (_, index) => ({ email: index === 0 ? LONGEST : `p${index}@example.com` }));
  await acceptTrigger(store, hash, { recipients }, 10_000);
  await acceptTrigger(store, hash, { recipients: [{ email: 'later@example.com' }] }, 10_000);
  await sql`
    update invite.messages as m
    set due_at = d.at, not_before = d.at, sweep_at = d.at
    from invite.invitations as i, lateral (select ${NOON}::timestamptz + (i.email = 'later@example.com')::integer * interval '1 day' as at) as d
    where i.id = m.invitation_id and m.survey_id = ${fixture.survey}`;
  const owner = await createMember(store, fixture.workspace, 'owner', `owner-${fixture.survey}@example.com`);
  const textOf = async (path: string, form?: Record<string, string>) =>
    (await (await visit(url, path, owner, form)).text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return { ...fixture, owner, textOf };
}
const plain = (text: string) =>
  text
    .replace(/<(?:[^>"]|"[^"]*")*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',');

t.test('before activating, a curve shows what leaves when, and each number leads to the people behind it', async (t) => {
  const { survey, workspace, textOf } = await setup(60);
  for (const number of [1, 2, 3])
    await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, ${`p${number}@example.com`}, 'manual')`;
  const asked = await textOf(`/surveys/${survey}/invitations?confirm=active`);
  t.match(plain(asked), 'sends 0 emails now and 58 when they are due.');
  t.match(plain(asked), '3 : the address is on the do-not-email list');
  const [, bar = ''] = /href="(\/surveys\/[^"]*unit=day[^"]*)#list" aria-label="3 Jun 2999: 57"/.exec(asked) ?? [];
  t.ok(bar, 'a bar is a link with its number');

  const page = plain(await textOf(bar.replaceAll('&amp;', '&')));
  t.match(page, 'On hold: the survey is a draft');
  t.match(page, '0 leave now, and 58 later.');
  t.match(page, 'And 7 more.');
  t.match(page, LONGEST.slice(0, 64), 'the oldest comes first');
  t.notMatch(page, 'later@example.com');
  const reason = plain(await textOf(`/surveys/${survey}/forecast?reason=suppressed`));
  t.match(reason, /Not sent: the address is on the do-not-email list.* p1@ ?example.com/);
  t.notMatch(reason, / p4@/);
  for (const odd of [
    'reason=x',
    'reason=toString',
    'unit=week&at=2030-01-01T00:00:00Z',
    'unit=day&at=2030-99-01T00:00:00Z',
    'unit=day&at=x',
  ])
    t.notMatch(await textOf(`/surveys/${survey}/forecast?${odd}`), 'id="list"', odd);
  t.match(await textOf(`/surveys/${survey}/forecast?unit=day&at=1999-01-01T00:00:00Z`), 'Nothing is behind this any more.');
  t.match(await textOf(`/surveys/${survey}/invitations`), `<a href="/surveys/${survey}/forecast">`);
});

t.test('if all leaves at once the question is what it was, and without emails there is nothing to show', async (t) => {
  const { survey, workspace } = await createBatch(store, { recipients: [{ email: 'a@example.com' }] }, { state: 'draft' });
  const member = await createMember(store, workspace, 'owner', 'alone@example.com');
  const ask = async (path: string) => plain(await (await visit(url, path, member)).text());
  const asked = await ask(`/surveys/${survey}/invitations?confirm=active`);
  t.match(asked, 'Activating sends 1 email now. People can respond');
  t.notMatch(asked, 'Emails by');
  await sql`delete from invite.messages where survey_id = ${survey}`;
  t.match(await ask(`/surveys/${survey}/forecast`), 'No email is waiting or scheduled.');
  t.notMatch(await ask(`/surveys/${survey}/invitations`), 'Forecast');
});

t.test('a preview of rules has the curve by these rules, and what they end', async (t) => {
  const { workspace, survey, textOf } = await setup(5);
  await store.setSurveyState(survey, 'active');
  await store.setWorkspaceRules(workspace, { maxDelayHours: 12 });
  await sql`update invite.surveys set activated_at = '2020-01-01Z' where id = ${survey}`;
  const days = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].flatMap((day) => [
      [`hours-${day}`, 'yes'],
      [`hours-${day}-from`, '00:00'],
      [`hours-${day}-to`, '00:00'],
    ]),
  );
  const preview = await textOf(`/workspaces/${workspace}/rules`, {
    ...{ ...days, action: 'preview', restDays: '', timeZone: '', maxDelayHours: '11 hours', closedDays: '2999-06-04' },
  });
  t.match(plain(preview), /Of 6 emails waiting or scheduled: 1 would be skipped .* 5 would leave as planned/);
  t.match(plain(preview), '1 : the next sending hours come too late');
});

t.test('the rate of the relay is said where it takes a minute or more; a test workspace has none', async (t) => {
  const worker = await createWorker(store);
  const { survey, textOf, workspace } = await setup(150);
  await sql`update invite.messages set due_at = now(), not_before = now(), sweep_at = now() where survey_id = ${survey}`;
  const pageAt = async (rate: number | null) => {
    await sql`update invite.workers set rate = ${rate} where id = ${worker}`;
    return plain(await textOf(`/surveys/${survey}/forecast`));
  };
  t.notMatch(await pageAt(null), 'rate');
  t.notMatch(await pageAt(10), 'rate', '16 seconds');
  t.match(await pageAt(0.5), "At the relay's rate, the 151 that may leave at once take about 6 minutes.");
  t.match(await pageAt(0.001), 'take about 42 hours.');
  t.match(plain(await textOf(`/surveys/${survey}/invitations?confirm=active`)), 'take about 42 hours.');
  t.match((await store.forecastSurvey(survey, undefined, 1000)).secondsAtLeast, 151_000);
  const test = await store.createTestWorkspace(workspace, undefined);
  const [{ id = '' } = {}] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  t.equal((await store.forecastSurvey(id, undefined, 1000)).secondsAtLeast, null);
});
