// What an operator does on the command line apart from the main job, which is in start.test.ts.
import { createServer } from 'node:net';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../../src/cli.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { databaseUrl } from '../fixtures/cluster.ts';
import { createEmptyDatabase, run, runJson, runProgram, startProgram } from '../fixtures/program.ts';
import { createBatch, createWorker } from '../fixtures/setup.ts';

const env = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}) };
const json = <T = Record<string, unknown>>(...words: string[]) => runJson<T>(env, ...words);
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
  await json('member', 'add', ...member, '--role', 'owner');
  const { code, stderr } = await run(env, 'member', 'remove', ...member);
  t.equal(code, 1);
  t.equal(stderr, 'A workspace needs an owner. Make someone else an owner first.\n');
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

t.test('failed emails of an invitation, a batch and a survey are sent again', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { survey, batch } = await createBatch(store, {
    recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
  });
  const [first] = (await store.listInvitations(batch)).map(({ id }) => id as string);
  const fail = () =>
    sql`update invite.invitations set status = 'failed', due_at = null, sweep_at = null where survey_id = ${survey}`;
  await fail();
  t.same(await json('invitation', 'retry', first ?? ''), { queued: 1, left_alone: 0 });
  await sql`update invite.invitations set responded_at = now() where id = ${first ?? ''}`;
  await fail();
  t.same(await json('survey', 'retry-failed', survey), { queued: 1, left_alone: 1 });
  await fail();
  const { stdout } = await run(env, 'batch', 'retry', batch);
  t.equal(stdout, '1 email queued again.\n1 email left as failed: the recipient has responded, or it was cancelled or erased.\n');
  await sql`update invite.invitations set status = 'sent', due_at = null, sweep_at = null where survey_id = ${survey}`;
  t.equal((await run(env, 'batch', 'retry', batch)).stdout, 'Nothing has failed.\n');
});

t.test('an address is erased, suppressed on request, and the count of emails already being sent is printed', async (t) => {
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  const store = createStore(sql);
  const { workspace, batch } = await createBatch(store);
  const [id] = (await store.listInvitations(batch)).map((row) => Number(row.id));
  const who = ['--workspace', workspace, '--email', 'Ada@example.com'];
  await store.claimInvitations([id ?? 0], await createWorker(store));
  t.match(await run(env, 'recipient', 'erase', ...who), {
    stdout:
      '0 invitations erased, 0 of them cancelled first.\n1 still being sent and not erased yet. Run this again in a minute.\n',
  });
  await store.recoverWorkers(0);
  t.same(await json('recipient', 'erase', ...who, '--suppress'), { erased: 1, cancelled: 0, still_sending: 0 });
  const [row] = await sql`select reason from invite.suppressions where workspace_id = ${workspace} and email = 'ada@example.com'`;
  t.match(row, { reason: 'manual' });
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
  t.same(await questions(), two);
  for (const [text, stderr] of [
    [
      JSON.stringify([...good, { id: 'pick', type: 'choice', label: 'Which?' }]),
      'Question 2 (pick) needs a list of 1 to 50 choices.\n',
    ],
    ['{}', 'The questions must be a list.\n'],
    ['[', /^\S+bad\.json is not JSON: .*\n$/],
  ] as const) {
    t.match(await run(env, 'survey', 'set-questions', 'questions', file('bad.json', text)), { code: 1, stderr });
  }
  t.match(await run(env, 'survey', 'set-questions', 'questions', '/nowhere.json'), { code: 1, stderr: /cannot be read/ });
  t.same(await questions(), two);
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
  ['recipient', 'cancel', '--workspace', 'nope', '--email', 'a@example.com'],
  ['recipient', 'erase', '--workspace', 'nope', '--email', 'a@example.com'],
  ['survey', 'cancel-pending', 'nope'],
  ['batch', 'retry', UNKNOWN],
  ['batch', 'reschedule', UNKNOWN, '--at', 'now'],
  ['batch', 'reschedule', UNKNOWN, '--at', 'tomorrow'],
  ['invitation', 'retry', '123456789'],
  ['invitation', 'retry', 'nope'],
  ['survey', 'retry-failed', 'nope'],
];

t.test('an unknown id prints one line on standard error and exits with 1', async (t) => {
  const ends = await Promise.all(unknown.map((words) => run(env, ...words)));
  for (const [index, { code, stdout, stderr }] of ends.entries()) {
    t.match(stderr, /^[A-Z][^\n]+\.\n$/, unknown[index]?.join(' ') ?? '');
    t.equal(code, 1);
    t.equal(stdout, '');
  }
});

t.test('an invalid value prints one line on standard error and exits with 1', async (t) => {
  const { id } = await json('workspace', 'create', '--name', 'Values');
  const bad = [
    ['workspace', 'create', '--name', 'x', '--plan', 'gold'],
    ['workspace', 'create', '--name', ''],
    ['member', 'add', '--workspace', String(id), '--email', 'a@example.com', '--role', 'king'],
    ['survey', 'create', '--workspace', String(id), '--title', 'x', '--state', 'open'],
    ['batch', 'list', '--survey', 'x', '--limit', '-1'],
    ['token', 'update', UNKNOWN, '--message', '{{survey_link}}'.repeat(4300)],
    ['work'],
  ];
  const ends = await Promise.all(bad.map((words) => run(env, ...words)));
  for (const [index, { code, stderr }] of ends.entries()) {
    t.match(stderr, /^[^\n]+\n$/, bad[index]?.join(' ') ?? '');
    t.equal(code, 1);
  }
  const { code, stderr } = await run({ ...env, PORT: 'x', RELAY: 'y' }, 'serve');
  t.match(stderr, /^PORT [^\n]+\nRELAY [^\n]+\n$/, 'bad settings are a line each');
  t.equal(code, 1);
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
    ).map(async ([more, command, setting]) => {
      const { code, stderr } = await runProgram({ ...env, LOG_LEVEL: 'info', ...more }, command);
      t.equal(stderr, `Port ${PORT} on 127.0.0.1 is taken: stop what listens there, or set ${setting} to another port.\n`);
      t.equal(code, 1);
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
      t.equal(code, 1);
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

t.test('every command is there, described, and takes --json', async (t) => {
  const leaves = (command: Command, path: string[] = []): { name: string; command: Command }[] =>
    command.commands.flatMap((one) =>
      one.commands.length > 0 ? leaves(one, [...path, one.name()]) : [{ name: [...path, one.name()].join(' '), command: one }],
    );
  const found = leaves(createProgram());
  const expected = [
    ...['start', 'serve', 'work', 'migrate', 'check', 'demo', 'results', 'outbox'],
    ...['create', 'list', 'suspend', 'resume'].map((name) => `workspace ${name}`),
    ...['create', 'update', 'set-state', 'set-questions', 'list', 'cancel-pending', 'retry-failed'].map(
      (name) => `survey ${name}`,
    ),
    ...['add', 'remove', 'list', 'sign-in-link', 'sessions', 'sign-out'].map((name) => `member ${name}`),
    ...['create', 'list', 'update', 'delete'].map((name) => `token ${name}`),
    ...['show', 'list', 'cancel', 'retry', 'reschedule'].map((name) => `batch ${name}`),
    ...['invitation cancel', 'invitation retry', 'recipient cancel', 'recipient erase'],
  ];
  t.same(found.map(({ name }) => name).sort(), expected.sort());
  for (const { name, command } of found) {
    t.match(command.helpInformation(), '--json', name);
    t.match(command.description(), /\w/, name);
  }
});

t.test('help is printed to standard output and exits with 0, a mistyped command with 1', async (t) => {
  const { code, stdout, stderr } = await run({}, 'token', 'create', '--help');
  t.strictSame({ code, stderr }, { code: 0, stderr: '' });
  t.match(stdout, /^Usage: invitation-trigger token create .*--cooldown <SECONDS>.*--json/s);
  t.match(await run({}, 'tokens'), { code: 1, stdout: '', stderr: /^error: unknown command 'tokens'/ });
});
