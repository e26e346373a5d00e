// The commands with which an operator pauses, keeps and deletes.
import t from 'tap';
import { runCommand } from '../../src/cli.ts';
import { png } from '../fixtures/pictures.ts';
import { createBatch, createTestDatabase, until } from '../fixtures/setup.ts';

const { url, sql, store } = await createTestDatabase(t);

/** Runs a command. @param typed The answer that the person types when asked. If undefined, there is no terminal. */
async function run(line: string, typed?: string) {
  const out: string[] = [];
  const code = await runCommand(line.split(' '), {
    env: { DATABASE_URL: url, SENDER_DOMAINS: 'fjord.example' },
    stdout: (text) => out.push(text),
    stderr: (text) => out.push(text),
    ask: typed === undefined ? undefined : async () => typed,
  });
  return { code, text: out.join('') };
}

t.test('a survey is deleted by who types its id, or says --yes', async (t) => {
  const { survey, workspace } = await createBatch(store);
  t.match(await run(`survey delete ${survey}`), { code: 2, text: '--yes' });
  t.match(await run(`survey delete ${survey}`, 'another'), { code: 2, text: 'Nothing was deleted' });
  t.equal((await store.listSurveys(workspace)).length, 1);
  t.match(await run(`survey delete ${survey}`, survey), { code: 0, text: `Deleted survey ${survey}: 1 row.` });
  t.equal((await store.listSurveys(workspace)).length, 0);
  t.match(await run(`survey delete ${survey} --yes`), { code: 3, text: 'There is no survey' });
  t.match(await run(`workspace delete ${workspace} --yes`), { code: 0, text: `Deleted workspace ${workspace}` });
  t.same(await sql`select from invite.workspaces where id = ${workspace}`, []);
});

t.test('a survey is duplicated; its questions keep their ids only with their scale', async (t) => {
  const { survey } = await createBatch(store);
  await sql`select invite.record_response(${survey}, '{"score": 9}')`;
  const duplicated = await run(`survey duplicate ${survey} --id copy --title Copy --json`);
  t.match(duplicated.text, '"id": "copy"');
  t.match(await store.findSurvey('copy'), { title: 'Copy', state: 'draft', responses: 0 });
  t.match(await run(`survey duplicate ${survey} --id copy`), { code: 4, text: 'already' });
  t.match(await run('survey duplicate none'), { code: 3 });
  const file = `${t.testdir({ 'q.json': '[{"id": "score", "type": "score", "label": "How was it?", "max": 5}]' })}/q.json`;
  t.match(await run(`survey set-questions ${survey} ${file}`), {
    code: 4,
    text: 'Question 1 (score) was asked with another type or scale: give it another id.',
  });
  t.match(await run(`survey set-questions copy ${file}`), { code: 0 });
  t.match(await run(`survey update copy --thanks Bye --no-open-responses`), { code: 0 });
  t.match(await store.findSurvey('copy'), { thanks: 'Bye', open_responses: false });
});

t.test('what ends a survey is set, shown and removed', async (t) => {
  const { survey } = await createBatch(store);
  const change = (options: string, value: string) =>
    runCommand(['survey', 'update', survey, options, value], { env: { DATABASE_URL: url }, stdout: () => {}, stderr: () => {} });
  t.match(await run(`survey update ${survey} --link-days 30 --response-limit 500 --closes-at 2999-12-03T12:00:00Z`), { code: 0 });
  const set = { link_days: 30, response_limit: 500, closes_at: new Date('2999-12-03T12:00:00Z') };
  t.match(await store.findSurvey(survey), set);
  t.match((await run(`survey show ${survey}`)).text, /link_days +30\n.*response_limit +500\n.*closes_at +2999-12-03/);
  for (const [options, said] of [
    ['--closes-at 2020-01-01T12:00:00Z', 'This closing date is in the past.'],
    ['--closes-at now', '--closes-at must be a UTC time'],
    ['--closes-at 2999-02-30T12:00:00Z', '--closes-at must be a UTC time'],
    ['--link-days 3651', 'Links expire after 1 to 3,650 days.'],
    ['--link-days -1', 'It must be a whole number.'],
  ] as const) {
    const refused = await run(`survey update ${survey} ${options}`);
    t.not(refused.code, 0, options);
    t.match(refused.text, said);
  }
  t.match(await run(`survey update ${survey} --title Ends`), { code: 0 });
  t.match(await store.findSurvey(survey), { ...set, title: 'Ends' }, 'what is left out stays');
  for (const [option, none] of [
    ['--link-days', '0'],
    ['--response-limit', '0'],
    ['--closes-at', ''],
  ] as const)
    t.equal(await change(option, none), 0);
  t.match(await store.findSurvey(survey), { link_days: null, response_limit: null, closes_at: null });

  await sql`select invite.record_response(${survey}, '{}')`;
  t.match(await run(`survey update ${survey} --response-limit 1`), { code: 0 });
  const refused = await run(`survey set-state ${survey} active`);
  t.match(refused.text, 'This survey has as many responses as its limit. Raise the limit first.');
  t.not(refused.code, 0);
});

t.test('sending is paused for one scope at a time, and shown', async (t) => {
  const { survey } = await createBatch(store);
  t.match(await run('sending pause'), { code: 2, text: '--all' });
  t.match(await run(`sending pause --all --survey ${survey}`), { code: 2 });
  t.match(await run(`sending pause --survey ${survey}`), { code: 0, text: `Sending paused for survey ${survey}.` });
  t.match(await run('sending pause --all'), { code: 0, text: 'everyone' });
  t.match(await run('sending show'), { text: survey });
  t.match(await run('sending resume --all'), { code: 0 });
  t.match(await run(`sending resume --survey ${survey}`), { code: 0 });
  t.match(await run('sending show'), { text: 'Sending is not paused.' });
  t.match(await run('sending pause --workspace none'), { code: 3, text: 'There is no workspace none.' });
});

t.test('a retention is set, and shown beside what grows and what is due', async (t) => {
  t.match(await run('retention set relay_events 90'), { code: 0, text: /^relay_events: deleted after 90 days. From .* UTC on/ });
  t.match(await run('retention set audit_log never'), { code: 0, text: 'audit_log: kept for good.\n' });
  t.equal((await run('retention set batches 0')).code, 2);
  t.match(await run('retention show'), { text: /relay_events .* 365\n/ });
  t.match(await run('retention due'), { text: /relay_events +365 +\d{4}-.* UTC +90 +0\n/ });
  t.match(await sql`select what, days from invite.retention where what in ('relay_events', 'audit_log') order by what`, [
    { days: 90 },
    { days: null },
  ]);
});

t.test('a retention that deletes something is set by who has seen how much, or says --yes', async (t) => {
  const { survey } = await createBatch(store);
  await sql`delete from invite.responses`;
  for (let count = 0; count < 2; count += 1) await store.submitResponse(survey, { score: 9 }, undefined);
  await sql`update invite.responses set submitted_at = submitted_at - interval '9 days'`;
  const days = async () => (await sql`select days from invite.retention where what = 'responses'`)[0]?.days;
  t.match(await run('retention set responses 9'), {
    code: 2,
    text: 'Tomorrow this deletes 2 rows. Without a terminal, give --yes.',
  });
  t.match(await run('retention set responses 9', 'y'), { code: 2, text: 'Nothing was changed' });
  t.equal(await days(), null);
  t.match(await run('retention set responses 9', 'yes'), { code: 0 });
  t.match(await run('retention due'), { text: /responses +- .* 9 +2\n/ });
  t.match(await run('retention set responses 8 --yes --json'), { code: 0, text: '"due": 2,' });
  t.match(await run('retention set responses 30'), { code: 0 }, 'nothing is so old');
  t.equal(await days(), 30);
  await sql`insert into invite.responses (survey_id, submitted_at, answers) select ${survey}, now() - interval '40 days', '{}' from generate_series(1, 10000)`;
  await sql`delete from invite.responses where submitted_at > now() - interval '20 days'`;
  t.match(await run('retention set responses 20'), { code: 2, text: '10000 or more rows' });
  t.match(await run('retention due'), { text: /responses .* 10000 or more\n/ });
  await run('retention set responses never');
});

t.test('consumers of events are listed with their lag, read again, and are forgotten', async (t) => {
  t.match(await run('consumer list'), { code: 0, text: 'There are none' });
  const { workspace, survey } = await createBatch(store);
  await store.setWorkspaceEvents(workspace, true);
  for (const state of ['closed', 'active'] as const) await store.setSurveyState(survey, state);
  await until('all is published', async () => (await store.publishEvents(100)) === 0);
  await sql`select invite.read_events('warehouse')`;
  await store.setSurveyState(survey, 'closed');
  await until('all is published', async () => (await store.publishEvents(100)) === 0);
  t.match(await run('consumer list'), { text: /BEHIND.*\nwarehouse +2 +1 / });
  t.match(await run('consumer replay warehouse'), { code: 0, text: 'warehouse reads 3 events from now on.' });
  t.match(JSON.parse((await run('consumer list --json')).text), [{ name: 'warehouse', position: '0', behind: '3' }]);
  t.match(await run('consumer replay warehouse --since 2100-01-01'), { code: 0, text: 'reads 0 events' });
  t.equal((await run('consumer replay warehouse --since soon')).code, 2);
  t.match(await run('consumer replay nobody'), { code: 3, text: 'There is no consumer nobody.' });
  t.match(await run('consumer delete warehouse'), { code: 0, text: 'Consumer warehouse deleted.' });
  t.match(await run('consumer delete warehouse'), { code: 3, text: 'There is no consumer warehouse.' });
});

t.test('a sender is set for a workspace and a token, of a domain that may be used', async (t) => {
  const { workspace, survey, token } = await createBatch(store);
  t.match(
    await run(`workspace update ${workspace} --sender-name Fjord --sender-email hello@fjord.example --accent-color #123456`),
    {
      code: 0,
    },
  );
  t.match(await run(`workspace show ${workspace}`), {
    text: '{"name":"Fjord","email":"hello@fjord.example","accent_color":"#123456"}',
  });
  t.match(await run(`workspace update ${workspace} --sender-email hello@other.example`), { code: 4, text: 'SENDER_DOMAINS' });
  t.match(await run(`token update ${token} --sender-name Shop --reply-to care@other.example`), { code: 0 });
  t.match(await run(`token show ${token}`), { text: '{"name":"Shop","reply_to":"care@other.example"}' });
  t.match(await run(`token update ${token} --logo-url http://a.example/b.png`), { code: 4, text: 'https://' });
  const path = t.testdir({ 'logo.png': png(64, 32), 'logo.svg': '<svg/>' });
  t.match(await run(`workspace update ${workspace} --logo ${path}/logo.png`), { code: 0 });
  t.match(await run(`workspace show ${workspace}`), {
    text: /"name":"Fjord".*"logo_url":"\/logo\/[a-z0-9]{8}[0-9a-f]{32}-64x32\.png"/,
  });
  t.match(await run(`token update ${token} --logo ${path}/logo.png --sender-name Store`), { code: 0 });
  t.match(await run(`token show ${token}`), { text: /"name":"Store".*-64x32\.png/ });
  t.match(await run(`token create --survey ${survey} --name Other --logo ${path}/logo.png`), { code: 0 });
  t.match(await run(`workspace update ${workspace} --logo ${path}/logo.svg`), { code: 4, text: 'no PNG or JPEG' });
  t.match(await run(`workspace update ${workspace} --logo ${path}/none.png`), { code: 4, text: 'none.png' });
});
