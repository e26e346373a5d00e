// The commands of an operator. The main task is in start.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../../src/cli.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { databaseUrl } from '../fixtures/cluster.ts';
import { openSession } from '../fixtures/members.ts';
import { createEmptyDatabase, run, runJson, runProgram, startProgram } from '../fixtures/program.ts';
import { createBatch, createWorker, until } from '../fixtures/setup.ts';

const env = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}) };
const json = <T = Record<string, unknown>>(...args: string[]) => runJson<T>(env, ...args);
await json('migrate');
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

t.test('members are added, changed, listed and removed', async (t) => {
  const workspace = (await json('workspace', 'create', '--name', 'Team')).id as string;
  const member = ['--workspace', workspace, '--email', 'Bob@Example.com'];
  await json('member', 'add', ...member, '--role', 'viewer');
  t.match(await json('member', 'add', ...member, '--role', 'admin'), { role: 'admin' });
  const listed = await json<unknown[]>('member', 'list', '--workspace', workspace);
  t.match(listed, [{ email: 'bob@example.com', role: 'admin' }]);
  t.equal(listed.length, 1);
  t.match(await json('member', 'remove', ...member), { removed: true });
  t.same(await json('member', 'list', '--workspace', workspace), []);
  for (const email of [
    'nope',
    'a@b',
    'a b@example.com',
    'a@b@example.com',
    'Ada <a@example.com>',
    '@example.com',
    'a@example.',
  ]) {
    t.match(
      await run(env, 'member', 'add', '--workspace', workspace, '--email', email, '--role', 'owner'),
      { code: 4, stderr: 'Enter a valid email address.\n' },
      email,
    );
  }
  await json('member', 'add', ...member, '--role', 'owner');
  const { code, stderr } = await run(env, 'member', 'remove', ...member);
  t.equal(code, 4);
  t.equal(stderr, 'A workspace needs an owner. Make someone else an owner first.\n');
});

t.test('an operator ends one session of a person, or all', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const email = 'away@example.com';
  const workspace = (await json('workspace', 'create', '--name', 'Away')).id as string;
  await json('member', 'add', '--workspace', workspace, '--email', email, '--role', 'viewer');
  for (let count = 0; count < 3; count += 1) await openSession(store, email);
  const listed = await json<{ session_id: string }[]>('member', 'sessions', '--email', email);
  t.equal(listed.length, 3);
  const one = ['member', 'sign-out', '--email', email, '--session', listed[0]?.session_id ?? ''];
  t.match(await run(env, ...one), { code: 0, stdout: 'The session of away@example.com has ended.\n' });
  t.match(await run(env, ...one), { code: 3, stderr: /^There is no session/ });
  t.match(await run(env, 'member', 'sign-out', '--email', email, '--session', 'no'), { code: 3, stderr: /not an id/ });
  t.match(await json('member', 'sign-out', '--email', email), { sessions: 2 });
});

t.test('without --json a command prints a table', async (t) => {
  await json('workspace', 'create', '--name', 'Acme');
  const { code, stdout } = await run(env, 'workspace', 'list');
  t.equal(code, 0);
  t.match(stdout, /^ID +NAME +PLAN_ID .* Acme /s);
});

t.test(
  'a batch, an invitation, a recipient and a survey are cancelled, and the count of emails already being sent is printed',
  async (t) => {
    const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
    t.teardown(() => sql.end());
    const store = createStore(sql);
    const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));
    const { workspace, survey, batch } = await createBatch(store, { recipients: people(5) });
    const ids = (await store.listInvitations(batch)).map(({ id }) => id as string);
    t.same(await json('invitation', 'cancel', ids[0] ?? ''), { cancelled: 1, reminders: 0, already_sending: 0 });
    t.match(await json('recipient', 'cancel', '--workspace', workspace, '--email', 'P1@example.com'), { cancelled: 1 });
    await store.claimInvitations([Number(ids[2])], await createWorker(store));
    t.same(await json('survey', 'cancel-pending', survey), { cancelled: 2, reminders: 0, already_sending: 1 });
    const { stdout } = await run(env, 'batch', 'cancel', batch);
    t.equal(
      stdout,
      '0 emails cancelled.\n1 email already being sent: too late to cancel, but no retry or reminder will follow.\n',
    );
    t.equal((await run(env, 'invitation', 'cancel', ids[0] ?? '')).stdout, 'Nothing was pending.\n');
  },
);

t.test('a batch is rescheduled', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { batch } = await createBatch(store);
  const at = new Date(
    Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate() + 30),
  ).toISOString();
  t.equal((await run(env, 'batch', 'reschedule', batch, '--at', at)).stdout, '1 email rescheduled.\n');
  t.match(await store.listInvitations(batch), [{ due_at: new Date(at) }]);
});

t.test('the next reminders of an invitation, a batch and a survey are sent now', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { survey, batch } = await createBatch(store, { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }] });
  const [first] = (await store.listInvitations(batch)).map(({ id }) => id as string);
  const sent = () =>
    sql`update invite.messages set status = 'sent', sent_at = now() - interval '2 days', not_before = null, sweep_at = null where survey_id = ${survey}`;
  await sent();
  t.same(await json('invitation', 'remind', first ?? ''), { reminded: 1, left_alone: 0 });
  t.equal((await run(env, 'batch', 'remind', batch)).stdout, `1 reminder queued.\n1 invitation ${LEFT_ALONE}`);
  await sent();
  t.equal((await run(env, 'survey', 'remind', survey)).stdout, '2 reminders queued.\n');
  t.equal((await run(env, 'survey', 'remind', survey)).stdout, `0 reminders queued.\n2 invitations ${LEFT_ALONE}`);
});
const LEFT_ALONE =
  'left alone: not sent, emailed less than 24 hours ago, reminded five times, or the recipient has responded or must not be emailed.\n';

t.test('failed emails of an invitation, a batch and a survey are sent again', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { survey, batch } = await createBatch(store, {
    recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
  });
  const [first] = (await store.listInvitations(batch)).map(({ id }) => id as string);
  const fail = () =>
    sql`update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
  await fail();
  t.same(await json('invitation', 'retry', first ?? ''), { queued: 1, left_alone: 0 });
  await sql`update invite.invitations set responded_at = now() where id = ${first ?? ''}`;
  await fail();
  t.same(await json('survey', 'retry-failed', survey), { queued: 1, left_alone: 1 });
  await fail();
  const { stdout } = await run(env, 'batch', 'retry', batch);
  t.equal(stdout, '1 email queued again.\n1 email left as failed: the recipient has responded, or it was cancelled or erased.\n');
  await sql`update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
  t.equal((await run(env, 'batch', 'retry', batch)).stdout, 'Nothing has failed.\n');
});

t.test('an address is erased, suppressed on request, and the count of emails already being sent is printed', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { workspace, survey, batch } = await createBatch(store);
  const [id] = (await store.listInvitations(batch)).map((row) => Number(row.id));
  const who = ['--workspace', workspace, '--email', 'Ada@example.com'];
  const [row] = await sql`select invite.link_token(i) as link_token from invite.invitations as i where i.batch_id = ${batch}`;
  for (const choice of ['not_this_survey', 'once_a_month'] as const)
    await store.choose(unsubscribeToken(row?.link_token), choice);
  const show = ['recipient', 'show', 'Ada@example.com', '--workspace', workspace];
  t.match(await json(...show), [
    {
      ...{ email: 'ada@example.com', invitations: 1, suppressed: null },
      choices: [{ choice: 'once_a_month' }, { choice: 'not_this_survey', survey_id: survey }],
    },
  ]);
  await store.takeBack(unsubscribeToken(row?.link_token), 'not_this_survey');
  await store.claimInvitations([id ?? 0], await createWorker(store));
  t.match(await run(env, 'recipient', 'erase', ...who), {
    stdout:
      '0 invitations erased, 0 of them cancelled first.\n1 still being sent and not erased yet. Run this again in a minute.\n',
  });
  await store.recoverWorkers(0);
  await store.submitResponse(survey, { score: 9 }, row?.link_token);
  t.same(await json('recipient', 'erase', ...who, '--suppress'), { erased: 1, cancelled: 0, still_sending: 0 });
  t.match(await json(...show), [{ invitations: 0, suppressed: 'manual', choices: [], newest: [] }]);
  t.match(await run(env, 'recipient', 'erase', ...who, '--with-response'), {
    stdout: /^0 .* The answers of 0 responses are gone, too\.\n$/,
  });
  t.same(await json('recipient', 'erase', ...who, '--with-response'), {
    erased: 0,
    cancelled: 0,
    still_sending: 0,
    responses: 0,
  });
});

t.test('a survey gets questions from a file, and an error names the question', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const file = (name: string, text: string) => `${t.testdir({ [name]: text })}/${name}`;
  const workspace = (await json('workspace', 'create', '--name', 'Questions')).id as string;
  const good = [{ id: 'why', type: 'text', label: 'Why?' }];
  const create = ['survey', 'create', '--workspace', workspace, '--title', 'x', '--id', 'questions', '--questions'];
  await json(...create, file('good.json', JSON.stringify(good)));
  const questions = async () => (await sql`select questions from invite.surveys where id = 'questions'`)[0]?.questions;
  t.same(await questions(), good);
  const two = [...good, { id: 'pick', type: 'choice', label: 'Which?', choices: ['a', 'b'] }];
  t.same(await json('survey', 'set-questions', 'questions', file('two.json', JSON.stringify(two))), {
    id: 'questions',
    questions: 2,
  });
  t.match(await questions(), two);
  for (const [text, stderr] of [
    [
      JSON.stringify([...good, { id: 'pick', type: 'choice', label: 'Which?' }]),
      'Question 2 (pick) needs a list of 1 to 50 choices.\n',
    ],
    ['{}', 'The questions must be a list.\n'],
    ['[', /^\S+bad\.json is not JSON: .*\n$/],
  ] as const) {
    t.match(await run(env, 'survey', 'set-questions', 'questions', file('bad.json', text)), {
      code: text === '[' ? 2 : 4,
      stderr,
    });
  }
  t.match(await run(env, 'survey', 'set-questions', 'questions', '/nowhere.json'), { code: 2, stderr: /cannot be read/ });
  t.match(await questions(), two);
});

t.test('a survey is opened to responses without a link, and closed to them', async (t) => {
  const workspace = (await json('workspace', 'create', '--name', 'Open')).id as string;
  await json('survey', 'create', '--workspace', workspace, '--title', 'x', '--id', 'open');
  const isOpen = async () =>
    (await json<{ open_responses: boolean }[]>('survey', 'list', '--workspace', workspace))[0]?.open_responses;
  t.equal(await isOpen(), true);
  t.same(await json('survey', 'update', 'open', '--no-open-responses'), { id: 'open', updated: true });
  t.equal(await isOpen(), false);
  await json('survey', 'update', 'open');
  t.equal(await isOpen(), false, 'what is not given stays');
  await json('survey', 'update', 'open', '--open-responses');
  t.equal(await isOpen(), true);
});

const unknown = [
  ['workspace', 'suspend', 'nope'],
  ['workspace', 'resume', 'nope'],
  ['survey', 'create', '--workspace', 'nope', '--title', 'x'],
  ['survey', 'set-state', 'nope', 'active'],
  ['survey', 'set-questions', 'nope', 'package.json'],
  ['survey', 'update', 'nope', '--open-responses'],
  ['member', 'add', '--workspace', 'nope', '--email', 'a@example.com', '--role', 'owner'],
  ['member', 'remove', '--workspace', 'nope', '--email', 'a@example.com'],
  ['member', 'sign-in-link', '--email', 'nobody@example.com'],
  ['token', 'create', '--survey', 'nope', '--name', 'x'],
  ['token', 'update', UNKNOWN, '--name', 'x'],
  ['token', 'delete', UNKNOWN],
  ['token', 'rotate', UNKNOWN],
  ['token', 'end-secret', UNKNOWN],
  ['token', 'delete', 'nope'],
  ['batch', 'show', UNKNOWN],
  ['batch', 'show', 'nope'],
  ['survey', 'list', '--workspace', 'nope'],
  ['member', 'list', '--workspace', 'nope'],
  ['token', 'list', '--survey', 'nope'],
  ['batch', 'list', '--survey', 'nope'],
  ['results', 'nope'],
  ['batch', 'cancel', UNKNOWN],
  ['batch', 'cancel', 'nope'],
  ['invitation', 'cancel', '123456789'],
  ['invitation', 'cancel', 'nope'],
  ['recipient', 'show', 'a@example.com', '--workspace', 'nope'],
  ['invitation', 'show', 'nope'],
  ['recipient', 'cancel', '--workspace', 'nope', '--email', 'a@example.com'],
  ['recipient', 'erase', '--workspace', 'nope', '--email', 'a@example.com'],
  ['survey', 'cancel-pending', 'nope'],
  ['batch', 'retry', UNKNOWN],
  ['batch', 'remind', UNKNOWN],
  ['invitation', 'remind', '123456789'],
  ['invitation', 'remind', 'nope'],
  ['survey', 'remind', 'nope'],
  ['batch', 'reschedule', UNKNOWN, '--at', 'now'],
  ['batch', 'reschedule', UNKNOWN, '--at', 'tomorrow'],
  ['invitation', 'retry', '123456789'],
  ['invitation', 'retry', 'nope'],
  ['survey', 'retry-failed', 'nope'],
];

t.test('an unknown id prints one line on standard error and exits with 3', async (t) => {
  for (const command of unknown) {
    const { code, stdout, stderr } = await run(env, ...command);
    const line = command.join(' ');
    t.match(stderr, /^[A-Z][^\n]+\.\n$/, line);
    t.notMatch(stderr, /syntax|type (uuid|bigint)|relation|violates/, line);
    t.equal(code, line.endsWith('--at tomorrow') ? 2 : 3, line);
    t.equal(stdout, '');
  }
});

t.test('an invalid value prints one line on standard error, and the exit code says of what kind', async (t) => {
  const { id } = await json('workspace', 'create', '--name', 'Values');
  const bad = [
    [4, 'workspace', 'create', '--name', 'x', '--plan', 'gold'],
    [4, 'workspace', 'create', '--name', ''],
    [4, 'workspace', 'create', '--name', 'x', '--id', String(id)],
    [4, 'member', 'add', '--workspace', String(id), '--email', 'nope', '--role', 'owner'],
    [4, 'suppression', 'create', '--workspace', String(id), '--email', 'Ada <ada@example.com>'],
    [2, 'member', 'add', '--workspace', String(id), '--email', 'a@example.com', '--role', 'king'],
    [2, 'survey', 'create', '--workspace', String(id), '--title', 'x', '--state', 'open'],
    [2, 'batch', 'list', '--survey', 'x', '--limit', '-1'],
    [2, 'sending', 'pause'],
    [4, 'token', 'update', UNKNOWN, '--message', '{{survey_link}}'.repeat(4300)],
    [6, 'work'],
  ] as const;
  for (const [expected, ...command] of bad) {
    const { code, stderr } = await run(env, ...command);
    const line = command.join(' ').slice(0, 80);
    t.match(stderr, /^[^\n]+\n$/, line);
    t.notMatch(stderr, /violates|syntax|relation/, line);
    t.equal(code, expected, line);
  }
  const away = await run({ ...env, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }, 'workspace', 'list');
  t.match(away, { code: 5, stderr: /^The database is not available \(ECONNREFUSED\)[^\n]*\n$/ });
  const { code, stderr } = await run({ ...env, PORT: 'x', RELAY: 'y' }, 'serve');
  t.match(stderr, /^PORT [^\n]+\nRELAY [^\n]+\n$/, 'bad settings are a line each');
  t.equal(code, 6);
});

t.test('with --json an error is one JSON document on standard error', async (t) => {
  for (const [command, kind, message] of [
    [['batch', 'show', UNKNOWN], 'not_found', `There is no batch ${UNKNOWN}.`],
    [['invitation', 'cancel', 'abc'], 'not_found', 'This is not an id: "abc".'],
    [['workspace', 'create', '--name', ''], 'rejected', 'A name has 1 to 255 characters.'],
    [['workspace', 'create'], 'usage', "required option '--name <NAME>' not specified"],
    [['tokens'], 'usage', /^unknown command 'tokens'/],
    [['work'], 'setup', /^RELAY is not set/],
  ] as const) {
    const { code, stdout, stderr } = await run(env, ...command, '--json');
    t.equal(stdout, '');
    t.match(JSON.parse(stderr), { error: { code: kind, message } }, command.join(' '));
    t.equal(code, EXIT_CODES[kind]);
  }
});

t.test('output that nobody reads to its end is no error', async (t) => {
  const many = Array.from({ length: 3000 }, (_, index) => `p${index}@example.com`);
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const { batch } = await createBatch(createStore(sql), { recipients: many.map((email) => ({ email })) });
  const child = spawn(process.execPath, [new URL('../../src/cli.ts', import.meta.url).pathname, 'batch', 'show', batch], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  t.equal(stderr, '');
  t.equal(code, 0);
});

t.test('workspaces, surveys, tokens and suppressions are created, shown, listed, updated and deleted', async (t) => {
  await json('workspace', 'create', '--name', 'Nouns', '--id', 'nouns');
  await json('workspace', 'update', 'nouns', '--plan', 'free');
  t.match(await json('workspace', 'show', 'nouns'), { id: 'nouns', name: 'Nouns', plan_id: 'free' });
  await json('workspace', 'update', 'nouns', '--name', 'Renamed');
  t.match(await json('workspace', 'show', 'nouns'), { name: 'Renamed', plan_id: 'free' });

  await json('survey', 'create', '--workspace', 'nouns', '--title', 'One', '--id', 'nouns-1');
  await json('survey', 'update', 'nouns-1', '--title', 'Two', '--public-url', 'https://app.example.com/1');
  t.match(await json('survey', 'show', 'nouns-1'), { title: 'Two', state: 'draft', public_url: 'https://app.example.com/1' });

  const { id: token } = await json('token', 'create', '--survey', 'nouns-1', '--name', 'Orders');
  const shown = await json('token', 'show', String(token));
  t.match(shown, { id: token, name: 'Orders', cooldown_seconds: 60 });
  const rotated = await json('token', 'rotate', String(token), '--keep', '3600');
  t.match(rotated.secret, /^sit_[a-z0-9]{8}/);
  t.match(await json('token', 'show', String(token)), {
    secret_hint: String(rotated.secret).slice(-4),
    previous_secret_hint: shown.secret_hint,
    previous_secret_until: rotated.previous_secret_until,
  });
  t.match(await run(env, 'token', 'rotate', String(token), '--keep', '604801'), { code: 4, stderr: /at most 7 days/ });
  await json('token', 'end-secret', String(token));
  t.match(await json('token', 'show', String(token)), { previous_secret_hint: null, previous_secret_until: null });
  t.match((await run(env, 'token', 'rotate', String(token))).stdout, /^Secret: sit_\S+\nStore it .* is accepted until /);
  t.notOk('secret_hash' in shown);
  await json('token', 'delete', String(token));
  t.equal((await run(env, 'token', 'show', String(token))).code, 3);

  const who = ['--workspace', 'nouns', '--email', 'Ada@example.com'];
  await json('suppression', 'create', ...who);
  t.match(await json('suppression', 'show', ...who), { email: 'ada@example.com', reason: 'manual' });
  t.match(await json('suppression', 'list', '--workspace', 'nouns'), [{ email: 'ada@example.com' }]);
  t.match(await run(env, 'suppression', 'show', ...who), {
    code: 0,
    stdout: /^workspace_id +nouns\nemail +ada@example\.com\nreason +manual\n/,
  });
  await json('suppression', 'delete', ...who);
  t.same(await json('suppression', 'list', '--workspace', 'nouns'), []);
  t.equal((await run(env, 'suppression', 'delete', ...who)).code, 3);

  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  for (const reason of ['unsubscribe', 'complaint', 'hard_bounce']) {
    await sql`insert into invite.suppressions (workspace_id, email, reason) values ('nouns', 'ada@example.com', ${reason})`;
    await json('suppression', 'create', ...who);
    t.match(await json('suppression', 'show', ...who), { reason }, 'an existing reason stays');
    t.equal((await run(env, 'suppression', 'delete', ...who)).code, reason === 'hard_bounce' ? 0 : 4, reason);
    await sql`delete from invite.suppressions where workspace_id = 'nouns'`;
  }
  await json('survey', 'delete', 'nouns-1', '--yes');
  t.equal((await run(env, 'survey', 'show', 'nouns-1')).code, 3);
  await json('workspace', 'delete', 'nouns', '--yes');
  t.equal((await run(env, 'workspace', 'show', 'nouns')).code, 3);
});

t.test('a taken port prints one line that says what to do', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const PORT = String((taken.address() as { port: number }).port);
  await Promise.all(
    (
      [
        [{ PORT }, 'serve', 'PORT'],
        [{ PORT }, 'start', 'PORT'],
        [{ OUTBOX_PORT: PORT }, 'start', 'OUTBOX_PORT'],
      ] as const
    ).map(async ([overrides, command, setting]) => {
      const { code, stderr } = await runProgram({ ...env, LOG_LEVEL: 'info', ...overrides }, command);
      t.equal(stderr, `Port ${PORT} on 127.0.0.1 is taken: stop what listens there, or set ${setting} to another port.\n`);
      t.equal(code, 6);
    }),
  );
});

t.test('serve and work end with a sentence where waiting for the database cannot help', async (t) => {
  const relay = { RELAY: 'mailpit', RELAY_URL: 'http://127.0.0.1:9' };
  const other = (change: (url: URL) => void) => {
    const url = new URL(env.DATABASE_URL);
    change(url);
    return url.href;
  };
  const noDatabase = other((url) => {
    url.pathname = '/no_such_database';
  });
  const noUser = other((url) => {
    url.username = 'no_such_role';
    url.password = 'x';
  });
  const reader = databaseUrl(env.DATABASE_URL, new URL(env.DATABASE_URL).pathname.slice(1), 'invite_readonly');
  for (const command of ['serve', 'work']) {
    for (const [DATABASE_URL, sentence] of [
      [noDatabase, /^The database in DATABASE_URL doesn't exist: .*\. Create it, then run `invitation-trigger migrate`\.\n$/],
      [noUser, /^The database refuses the user or password in DATABASE_URL: .*\.\n$/],
      [reader, /^The database role invite_readonly_test may not (serve|run a worker): use one .*\.\n$/],
    ] as const) {
      const { code, stderr } = await run({ ...env, ...relay, DATABASE_URL }, command);
      t.match(stderr, sentence, command);
      t.equal(code, 6);
    }
  }
});

t.test('serve says once that its database is away, and goes on', async (t) => {
  const server = await startProgram(t, { ...env, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }, 'serve');
  for (const path of ['/readyz', '/s/x', '/readyz']) t.equal((await fetch(server.document.url + path)).status, 503);
  const { code, stderr } = await server.terminate();
  t.equal(code, 0);
  t.equal(stderr.match(/ECONNREFUSED/g)?.length, 2, 'once, as code and in words');
  t.notMatch(stderr, 'at ');
});

t.test('serve and work also run apart, and SIGTERM ends them with 0', async (t) => {
  const relay = { RELAY: 'mailpit', RELAY_URL: 'http://127.0.0.1:9' };
  const server = await startProgram(t, env, 'serve');
  const worker = await startProgram(t, { ...env, ...relay }, 'work');
  t.match(worker.document, { relay: 'mailpit' });
  t.equal((await fetch(`${server.document.url}/readyz`)).status, 200);
  t.equal((await server.terminate()).code, 0);
  t.equal((await worker.terminate()).code, 0);
});

t.test('after SIGTERM serve goes on answering for DRAIN_SECONDS, unless a second signal ends it', async (t) => {
  const server = await startProgram(t, { ...env, DRAIN_SECONDS: '100' }, 'serve');
  const ended = server.terminate();
  await until('it says that it stops', async () => (await fetch(`${server.document.url}/readyz`)).status === 503);
  t.equal((await fetch(`${server.document.url}/sign-in`)).status, 200);
  await server.terminate();
  t.equal((await ended).code, 130);
});

t.test(
  "webhooks' secrets are encrypted again with a new key; check says what uses an older key, and what no key reads",
  async (t) => {
    const [first, second] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    const own = { ...env, DATABASE_URL: await createEmptyDatabase(t) };
    const with_ = (SECRET_KEYS: string) => ({ ...own, SECRET_KEYS });
    await runJson(own, 'migrate');
    await runJson(own, 'workspace', 'create', '--id', 'acme', '--name', 'Acme');
    const endpoint = ['--workspace', 'acme', '--url', 'https://x.example/'];
    const findings = async (keys: string) => {
      const { stdout } = await run(with_(keys), 'check', '--json');
      const { findings } = JSON.parse(stdout) as { findings: { subject: string; state: string; text: string }[] };
      return findings.filter(({ subject }) => subject === 'secrets').map(({ state, text }) => `${state}: ${text}`);
    };
    t.match(await run(own, 'webhook', 'create', ...endpoint), { code: 6, stderr: /SECRET_KEYS/ });
    t.match(await run(own, 'secrets', 'renew'), { code: 6, stderr: /SECRET_KEYS/ });
    t.same(await findings(''), ['note: SECRET_KEYS is not set']);
    t.same(await runJson(own, 'webhook', 'list', '--workspace', 'acme'), [], 'nothing was created');

    const { id } = await runJson(with_(first), 'webhook', 'create', ...endpoint);
    await runJson(with_(first), 'webhook', 'rotate', String(id));
    await runJson(with_(second), 'webhook', 'create', ...endpoint);
    const ok = (count: number) => `ok: ${count} secret${count === 1 ? '' : 's'} encrypted with the first key of SECRET_KEYS`;
    t.same(await findings(`${first},${second}`), [ok(2), 'note: 1 secret encrypted with an older key']);
    t.same(await findings(second), [ok(1), "fault: 2 secrets encrypted with a key that isn't in SECRET_KEYS"]);

    const partly = await run(with_(second), 'secrets', 'renew');
    t.match(partly, {
      code: 6,
      stderr: "2 secrets can't be read. Add the missing key to SECRET_KEYS, or replace the secrets.\n",
    });
    t.match(partly.stdout, `webhook ${id}: unknown_secret_key`);
    t.match(await runJson(with_(`${second},${first}`), 'secrets', 'renew'), { renewed: 2, unreadable: [] });
    t.match(await runJson(with_(`${second},${first}`), 'secrets', 'renew'), { renewed: 0 });
    t.same(await findings(second), [ok(3)]);
  },
);

t.test('every command is there, described, and takes --json', async (t) => {
  const leaves = (command: Command, path: string[] = []): { name: string; command: Command }[] =>
    command.commands.flatMap((child) =>
      child.commands.length > 0
        ? leaves(child, [...path, child.name()])
        : [{ name: [...path, child.name()].join(' '), command: child }],
    );
  const found = leaves(createProgram());
  const nouns = ['workspace', 'survey', 'token', 'suppression'];
  const expected = [
    ...['start', 'serve', 'work', 'migrate', 'setup', 'check', 'status', 'demo', 'results', 'outbox', 'dsn', 'invite'],
    ...nouns.flatMap((noun) => ['create', 'show', 'list', 'delete'].map((name) => `${noun} ${name}`)),
    ...['workspace', 'survey', 'token'].map((noun) => `${noun} update`),
    ...[
      'workspace suspend',
      'workspace resume',
      'workspace events',
      'survey translate',
      'token translate',
      'token rotate',
      'token end-secret',
    ],
    ...['duplicate', 'set-state', 'set-questions', 'cancel-pending', 'retry-failed', 'remind'].map((name) => `survey ${name}`),
    ...['add', 'remove', 'list', 'sign-in-link', 'sessions', 'sign-out', 'notifications', 'alert', 'weekly-report'].map(
      (name) => `member ${name}`,
    ),
    ...['pause', 'resume', 'show'].map((name) => `sending ${name}`),
    ...['show', 'set', 'off', 'release'].map((name) => `guard ${name}`),
    ...['show', 'set', 'remove', 'earn'].map((name) => `cap ${name}`),
    ...['show', 'send', 'cancel'].map((name) => `upload ${name}`),
    ...['retention show', 'retention due', 'retention set', 'secrets renew'],
    ...['create', 'list', 'log', 'test', 'rotate', 'pause', 'resume', 'replay', 'delete'].map((name) => `webhook ${name}`),
    ...['list', 'replay', 'delete'].map((name) => `consumer ${name}`),
    ...['router', 'add', 'list', 'move', 'drain'].map((name) => `cell ${name}`),
    ...['show', 'list', 'cancel', 'retry', 'send-anyway', 'remind', 'reschedule'].map((name) => `batch ${name}`),
    ...[
      'invitation show',
      'invitation cancel',
      'invitation retry',
      'invitation send-anyway',
      'invitation remind',
      'recipient show',
      'recipient cancel',
      'recipient erase',
      'survey rules',
      'survey forecast',
      'workspace rules',
      'workspace test',
      'wording address',
      'wording export',
      'wording import',
      'wording list',
      'wording remove',
      'wording set',
      'wording show',
      'workspace advance',
    ],
  ];
  t.same(found.map(({ name }) => name).sort(), expected.sort());
  for (const { name, command } of found) {
    t.match(command.helpInformation(), '--json', name);
    t.match(command.description(), /\w/, name);
  }
});

t.test('help is printed to standard output and exits with 0, a mistyped command with 2', async (t) => {
  const { code, stdout, stderr } = await run({}, 'token', 'create', '--help');
  t.strictSame({ code, stderr }, { code: 0, stderr: '' });
  t.match(stdout, /^Usage: invitation-trigger token create .*--cooldown <SECONDS>.*--json/s);
  t.match(await run({}, 'tokens'), { code: 2, stdout: '', stderr: /^error: unknown command 'tokens'/ });
});
