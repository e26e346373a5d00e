// docs/testing.md, followed to the letter: the command, the examples in Node and Python, and what the API says of mistakes.
import { execFile, spawnSync } from 'node:child_process';
import t from 'tap';
import { runCommand } from '../../src/cli.ts';
import { contractOf } from '../fixtures/contract.ts';
import { startTestServer } from '../fixtures/http.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, testConfig, until } from '../fixtures/setup.ts';
import { startCountingWorker, testApi } from '../fixtures/test-workspaces.ts';

const { store, url, urlAs, sql } = await createTestDatabase(t);
const { workspace, survey } = await createSurvey(store);
const { sent } = await startCountingWorker(t, url);
const server = await startTestServer(t, urlAs('invite_web'));
const FOLDER = new URL('../../docs/tests/', import.meta.url).pathname;

async function run(...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(args, {
    env: { DATABASE_URL: url },
    stdout: (text) => out.push(text),
    stderr: (text) => errors.push(text),
  });
  return { code, text: out.join('') || errors.join('') };
}

const created = await run('--json', 'workspace', 'test', workspace);
const { id, tokens } = JSON.parse(created.text) as { id: string; tokens: { survey_id: string; secret: string }[] };
const [{ secret } = { secret: '' }] = tokens;

for (const [name, command, args] of [
  ['Node', process.execPath, ['--test', 'invitations.test.mjs']],
  ['Python', 'python3', ['-m', 'unittest', 'test_invitations']],
] as const) {
  const isThere = spawnSync(command, ['--version']).status === 0;
  t.test(`the example in ${name}, twice`, { skip: !isThere && `no ${command}` }, async (t) => {
    for (let run = 0; run < 2; run += 1) {
      const { failed, text } = await new Promise<{ failed: boolean; text: string }>((resolve) => {
        const env = { ...process.env, INVITATION_URL: server.url, INVITATION_TEST_SECRET: secret, PYTHONDONTWRITEBYTECODE: '1' };
        execFile(
          'env',
          ['-u', 'NODE_OPTIONS', '-u', 'NODE_TEST_CONTEXT', command, ...args],
          { cwd: FOLDER, env },
          (error, ...text) => resolve({ failed: error !== null, text: text.join('') }),
        );
      });
      t.notOk(failed, text);
    }
  });
}

t.test('the command creates a test workspace with a token for each survey, and moves its clock', async (t) => {
  t.equal(created.code, 0);
  t.equal(id, `${workspace}-test`);
  t.match(tokens, [{ title: 'Customer survey', secret: /^sit_test_[a-z0-9]{8}[\w-]{43}$/ }]);
  t.match(await run('workspace', 'advance', id, '--by', 'P1D'), { code: 0, text: /It is now \d{4}-/ });
  t.match(await run('workspace', 'advance', id), { code: 0, text: 'Nothing happened.' });
  t.match(await run('workspace', 'advance', id, '--to', '2020-01-01T00:00:00Z'), { code: 4, text: 'never goes back' });
  t.match(await run('workspace', 'advance', id, '--by', 'P401D'), { code: 4, text: 'at most 400 days' });
  t.match(await run('workspace', 'advance', id, '--by', 'P1M'), { code: 2, text: 'duration of ISO 8601' });
  t.match(await run('workspace', 'advance', id, '--by', 'P1D', '--next'), { code: 2 });
  t.match(await run('workspace', 'advance', workspace, '--by', 'P1D'), { code: 3, text: 'no test workspace' });
  t.match(await run('workspace', 'test', id), { code: 4, text: 'at most five' });
  t.match(await run('workspace', 'test', 'none'), { code: 3 });
  const made = await run('--json', 'token', 'create', '--survey', tokens[0]?.survey_id ?? '', '--name', 'Another');
  t.match(JSON.parse(made.text), { secret: /^sit_test_/ });
  const real = await run('--json', 'token', 'create', '--survey', survey, '--name', 'Another');
  t.match(JSON.parse(real.text), { secret: /^sit_(?!test_)/ });
  for (let more = 2; more <= 5; more += 1)
    t.match(await run('workspace', 'test', workspace), { code: 0, text: `-test-${more} created` });
  t.match(await run('workspace', 'test', workspace), { code: 4, text: 'at most five' });
});

t.test('answers are as openapi.json says', async (t) => {
  const api = testApi(server.url, secret);
  const contract = contractOf(testConfig());
  await server.post({ emails: ['responds-3@sim.invalid', 'ada@example.com'] }, { secret });
  const { status: _, ...advanced } = await api.advance({ by: 'P2D' });
  t.ok(advanced.happened.length > 3);
  const { emails } = await api.emails();
  for (const [name, path] of [
    ['TestClock', 'clock'],
    ['TestEmails', 'emails'],
    ['TestEmailAnswer', `emails/${emails[0].id}`],
  ] as const) {
    const { status: _, ...answer } = await api.ask(path);
    t.strictSame(contract.schemaErrors(name, answer), [], name);
  }
  t.strictSame(contract.schemaErrors('TestAdvanced', advanced), []);
  for (const body of [{ by: 'P1D' }, { to: '2030-01-01T00:00:00Z' }, { next: true }])
    t.strictSame(contract.schemaErrors('TestAdvance', body), []);
  for (const body of [{}, { by: 'P1D', next: true }, { days: 1 }]) t.not(contract.schemaErrors('TestAdvance', body).length, 0);
});

t.test('mistakes are named, and cost nothing', async (t) => {
  const api = testApi(server.url, secret);
  const real = await createToken(store, survey, { allowReading: true });
  for (const other of [real.secret, 'sit_test_unknown'])
    for (const path of ['clock', 'emails', 'emails/1'])
      t.match(await testApi(server.url, other).ask(path), { status: 404, error: { code: 'not_found' } }, path);
  t.match(await testApi(server.url, real.secret).advance({ by: 'P1D' }), { status: 404 });
  t.match(await server.post({ email: 'ada@example.com' }, { secret: 'sit_test_unknown' }), {
    status: 400,
    body: { error: { code: 'unknown_token' } },
  });
  for (const [body, field] of [
    [{}, 'to'],
    [{ by: 'P1D', next: true }, 'to'],
    [{ by: 'P1M' }, 'by'],
    [{ by: '1 day' }, 'by'],
    [{ by: 'P401D' }, 'by'],
    [{ to: '2020-01-01T00:00:00Z' }, 'to'],
    [{ to: '2027-01-01' }, 'to'],
    [{ to: '2027-01-01T00:00:00' }, 'to'],
    [{ next: false }, 'next'],
  ] as const)
    t.match(
      await api.advance(body),
      { status: 400, error: { code: 'invalid_field', details: [{ field }] } },
      JSON.stringify(body),
    );
  t.match(await api.advance({ days: 3 }), { status: 400, error: { code: 'unknown_field' } });
  t.match(await api.emails('?limit=0'), { status: 400 });
  t.match(await api.emails('?batch=no'), { status: 400 });
  t.match(await api.ask('emails/999999999'), { status: 404 });
});

t.test('guesses are limited by address, and the use of a secret by itself', async (t) => {
  const strict = await startTestServer(t, urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '3', FLOOD_REQUESTS_PER_MINUTE: '5' });
  const statuses = async (secret: string, count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await testApi(strict.url, secret).clock()).status);
    return found;
  };
  t.strictSame(await statuses(secret, 7), [200, 200, 200, 200, 200, 429, 429]);
  t.strictSame(await statuses('sit_test_guess', 5), [404, 404, 404, 429, 429]);
  const flooded = await startTestServer(t, urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '3' });
  const asked = (one: string) => testApi(flooded.url, one).clock();
  for (let n = 0; n < 5; n += 1) await asked('sit_test_guess');
  t.match(await asked(secret), { status: 200 }, 'a neighbor at the same address is not refused');
});

t.test('at most four advances of a test workspace are waited for', async (t) => {
  await until('one is refused', async () => {
    const advances = Array.from({ length: 12 }, () => testApi(server.url, secret).advance({ by: 'PT1H' }));
    const statuses = (await Promise.all(advances)).map(({ status }) => status);
    t.ok(statuses.filter((status) => status === 200).length >= 4);
    t.ok(statuses.every((status) => status === 200 || status === 429));
    return statuses.includes(429);
  });
});

t.test('advances that come together add up, and their events can be read at once', async (t) => {
  const api = testApi(server.url, secret);
  const { now: before } = await api.clock();
  await server.post({ emails: ['responds-11@sim.invalid', 'responds-10@sim.invalid'] }, { secret });
  const moved = await Promise.all([1, 2, 3].map(() => api.advance({ by: 'P1D' })));
  t.ok(moved.every(({ status }) => status === 200));
  const { now } = await api.clock();
  t.equal(Date.parse(now) - Date.parse(before), 3 * 86_400_000);
  const responses =
    await sql`select answers from invite.responses as r join invite.invitations as i on i.id = r.invitation_id where i.email like 'responds-1%'`;
  t.equal(responses.length, 1, 'there is no score of 11');
  await server.post({ email: 'never@sim.invalid' }, { secret });
  await api.advance({ by: 'PT1M' });
  const [{ unpublished } = { unpublished: 0 }] = await sql`
    select count(*)::integer as unpublished from invite.new_events as n join invite.surveys as s on s.id = n.survey_id where s.workspace_id = ${id}`;
  t.equal(unpublished, 0);
});

t.test('real workspaces take no simulated people, over HTTP and in SQL', async (t) => {
  const real = await createToken(store, survey);
  for (const email of ['never@sim.invalid', 'Bounces+1@SIM.invalid']) {
    const reply = await server.post({ emails: ['ada@example.com', email] }, { secret: real.secret });
    t.match(reply.body.error, {
      code: 'invalid_recipient',
      details: [{ field: 'emails[1]', message: /only test workspaces invite them/ }],
    });
    t.equal(await constraint(sql`select invite.trigger(${real.token}, ${sql.json([email])})`), 'invalid_recipient');
  }
});

t.test('a page of a recipient works by the time of the test workspace', async (t) => {
  const api = testApi(server.url, secret);
  await api.advance({ by: 'P20D' });
  const { now } = await api.clock();
  await server.post({ email: 'person@example.com' }, { secret });
  await api.advance({ next: true });
  const { emails } = await api.emails('?recipient=PERSON@example.com');
  const link = new URL(emails[0].links.survey);
  const page = await fetch(`${server.url}${link.pathname}${link.search}`);
  t.equal(page.status, 200);
  const [survey = '', token = ''] = [tokens[0]?.survey_id, link.searchParams.get('invitation') ?? ''];
  await store.submitResponse(survey, { score: 9 }, token);
  const [{ submitted_at } = { submitted_at: new Date(0) }] = await sql<{ submitted_at: Date }[]>`
    select max(submitted_at) as submitted_at from invite.responses`;
  t.ok(submitted_at.getTime() >= Date.parse(now), 'not the real time');
  t.strictSame(sent, [], 'nothing has left');
});
