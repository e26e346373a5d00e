// The main task on the command line as the quick start describes it: from an empty database to the Results.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { prepareSample, welcome } from '../../src/commands/sample.ts';
import type { OutboxEmail } from '../../src/dev/outbox.ts';
import { createEmptyDatabase, run, runJson, runProgram, startProgram } from '../fixtures/program.ts';
import { until } from '../fixtures/setup.ts';

const env = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}), LOG_LEVEL: 'debug' };
const json = <T = Record<string, unknown>>(...args: string[]) => runJson<T>(env, ...args);

type Reply = { ok: boolean; batch: { uuid: string }; error: { code: string } };

async function trigger(url: string, secret: string, body: object) {
  const response = await fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Reply };
}

/** Creates by commands a workspace, a survey in this state, and a token without a cooldown. */
async function create(state: string) {
  const workspace = (await json('workspace', 'create', '--name', 'Acme')).id as string;
  const survey = (await json('survey', 'create', '--workspace', workspace, '--title', 'Orders', '--state', state)).id as string;
  const token = await json<{ id: string; secret: string }>(
    ...'token create --name Shop --cooldown 0 --survey'.split(' '),
    survey,
  );
  return { workspace, survey, token };
}

type Batch = { status: string; invitations: Record<string, unknown>[] };
const whenBatch = (uuid: string, status: string) =>
  until(`the batch is ${status}`, async () => {
    const batch = await json<Batch>('batch', 'show', uuid);
    return batch.status === status ? batch : undefined;
  });

t.test('an empty database is migrated once, and again with nothing to do', async (t) => {
  const first = await json<{ schema_version: number; applied: string[] }>('migrate');
  t.equal(Number(first.applied.at(-1)?.slice(0, 4)), first.schema_version);
  t.same(await json('migrate'), { schema_version: first.schema_version, applied: [] });
});

t.test('the main job: a request, an email, a link, a response, and its metadata in the Results', async (t) => {
  const { workspace, survey, token } = await create('active');
  const service = await startProgram(t, env, 'start');
  const { url = '' } = service.document;
  t.match(service.document, { url: /^http:\/\/127\.0\.0\.1:\d+$/, outbox: /^http:\/\/127\.0\.0\.1:\d+$/, sample: null });

  const body = { email: 'ada@example.com', name: 'Ada', metadata: { order_id: 'A-1001', items: [1, 2] } };
  const answer = await trigger(url, token.secret, body);
  t.match(answer, { status: 200, body: { ok: true, batch: { status: 'queued' } } });
  const { uuid } = answer.body.batch;

  const email = await until('the email is in the outbox', async () =>
    (await json<OutboxEmail[]>('outbox')).find(({ headers }) => headers['Message-ID']?.includes(uuid)),
  );
  t.match(email, { to: 'ada@example.com', subject: 'Acme: Orders' });
  const link = new URL(/^http\S+invitation=\S+$/m.exec(email.text)?.[0] ?? '');
  t.equal(link.origin + link.pathname, `${url}/s/${survey}`);
  const page = await fetch(link);
  t.equal(page.status, 200);
  t.match(await page.text(), '<form');

  const invitation = link.searchParams.get('invitation') ?? '';
  const form = new URLSearchParams({ invitation, 'answer.score': '9', 'answer.comment': 'Good' });
  t.match(await (await fetch(link.origin + link.pathname, { method: 'POST', body: form })).text(), 'Thank you');
  t.match(await json('results', survey), [
    { attribution: 'invitation', email: 'ada@example.com', answers: { score: 9, comment: 'Good' }, metadata: body.metadata },
  ]);

  const batch = await whenBatch(uuid, 'sent');
  t.match(batch.invitations, [
    { email: 'ada@example.com', name: 'Ada', status: 'sent', message_kind: 'invitation', attempts: 1 },
  ]);
  t.equal(batch.invitations.length, 1);
  t.notOk('link_token' in (batch.invitations[0] ?? {}), 'no command shows a link token');
  t.match(await json('batch', 'list', '--survey', survey), [{ id: uuid, status: 'sent', recipients: 1, responded: 1 }]);

  t.test('a suspended workspace is rejected, a resumed one accepted', async (t) => {
    t.same(await json('workspace', 'suspend', workspace), { id: workspace, suspended: true });
    t.match(await trigger(url, token.secret, body), { status: 400, body: { error: { code: 'workspace_disabled' } } });
    t.same(await json('workspace', 'resume', workspace), { id: workspace, suspended: false });
    t.match(await trigger(url, token.secret, body), { status: 200 });
  });

  t.test('a token is listed without its secret, updated, and unknown once it is deleted', async (t) => {
    t.same(await json('token', 'update', token.id, '--name', 'Till', '--cooldown', '86400'), { id: token.id, updated: true });
    const [listed] = await json<Record<string, unknown>[]>('token', 'list', '--survey', survey);
    t.match(listed, { id: token.id, name: 'Till', cooldown_seconds: 86_400, secret_hint: token.secret.slice(-4) });
    t.notMatch(JSON.stringify(listed), token.secret);
    t.match(await trigger(url, token.secret, body), { status: 429, body: { error: { code: 'cooldown' } } });
    t.same(await json('token', 'delete', token.id), { id: token.id, deleted: true });
    t.match(await trigger(url, token.secret, body), { status: 400, body: { error: { code: 'unknown_token' } } });
    t.same(await json('token', 'list', '--survey', survey), []);
  });

  t.test('a draft survey holds its batch, which is sent when the survey is activated', async (t) => {
    const draft = await create('draft');
    const held = await trigger(url, draft.token.secret, body);
    t.equal(held.status, 200);
    await whenBatch(held.body.batch.uuid, 'waiting');
    t.match(await json('survey', 'list', '--workspace', draft.workspace), [{ state: 'draft', hold_reason: 'survey_draft' }]);
    t.same(await json('survey', 'set-state', draft.survey, 'active'), { id: draft.survey, state: 'active' });
    t.match((await whenBatch(held.body.batch.uuid, 'sent')).invitations, [{ status: 'sent' }]);
  });

  t.test('SIGTERM ends it with 0, and its log has no secret and no link token', async (t) => {
    const { code, stdout, stderr } = await service.terminate();
    t.equal(code, 0);
    t.same(JSON.parse(stdout), service.document, 'standard output has the one document');
    t.same(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !/^\{"level":\d+,.*\}$/.test(line)),
      [],
      'the log is JSON lines',
    );
    t.match(stderr, '/api/invitation-trigger', 'the log has the requests');
    t.match(stderr, 'emails sent', 'and the emails');
    const password = new URL(env.DATABASE_URL).password || 'no password';
    for (const secret of [token.secret, invitation, 'A-1001', 'ada@example.com', password]) {
      t.notOk(stderr.includes(secret), 'it is not in the log');
    }
  });
});

t.test('the demo succeeds twice in a row on an embedded PostgreSQL', async (t) => {
  const ownEnv = { DATA_DIR: t.testdir({}) };
  const steps = await runJson<{ step: string }[]>(ownEnv, 'demo');
  t.equal(steps.at(-1)?.step, 'Results');
  const { code, stdout, stderr } = await runProgram(ownEnv, 'demo');
  t.equal(code, 0, stderr);
  t.match(stdout, /"order_id": "A-1001".*Done: from the request to the Results\.\n$/s);
});

t.test('start prints a link that signs in the owner of the sample once, and the next start a new one', async (t) => {
  const ownEnv = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}) };
  for (const time of ['first', 'next']) {
    const service = await startProgram(t, ownEnv, 'start', '--show-secrets');
    const { url = '', sample } = service.document as { url?: string; sample?: { signInKey: string } };
    const signIn = () => fetch(`${url}/sign-in/${sample?.signInKey}`, { method: 'POST', redirect: 'manual' });
    const signedIn = await signIn();
    t.equal(signedIn.status, 303, time);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const members = await fetch(`${url}/workspaces/sample/members`, { headers: { cookie } });
    t.match(await members.text(), 'owner@example.com');
    t.equal((await signIn()).status, 410);
    await service.terminate();
  }
});

t.test('in a folder of its own, each start shows the same secret, until its token is deleted', async (t) => {
  const DATABASE_URL = await createEmptyDatabase(t);
  const DATA_DIR = t.testdir({});
  await runJson({ DATABASE_URL, DATA_DIR }, 'migrate');
  const prepare = (showSecrets = true) => prepareSample(DATABASE_URL, DATA_DIR, showSecrets);
  t.equal((await prepare(false))?.secret, undefined, 'a log gets none');
  const first = (await prepare())?.secret ?? '';
  t.match(first, /^sit_/);
  t.equal((await prepare())?.secret, first);
  const [token] = await runJson<{ id: string }[]>({ DATABASE_URL, DATA_DIR }, 'token', 'list', '--survey', 'sample');
  await runJson({ DATABASE_URL, DATA_DIR }, 'token', 'delete', token?.id ?? '');
  const second = (await prepare())?.secret ?? '';
  t.match(second, /^sit_/);
  t.not(second, first);
  writeFileSync(join(DATA_DIR, 'sample-secret.json'), 'odd');
  t.not((await prepare())?.secret, second, 'a damaged file is written anew');
  t.equal(statSync(join(DATA_DIR, 'sample-secret.json')).mode & 0o77, 0);
});

t.test('an address from HOST and PORT comes with a warning, and token create prints a call to paste', async (t) => {
  const { survey } = await create('active');
  const args = ['token', 'create', '--survey', survey, '--name', 'Shop'];
  const guessed = await run({ ...env, PORT: '3100' }, ...args);
  t.equal(guessed.stderr, 'PUBLIC_URL is not set, so links point to http://127.0.0.1:3100 (from HOST and PORT).\n');
  const secret = /^Secret: (\S+)$/m.exec(guessed.stdout)?.[1];
  t.match(guessed.stdout, /^curl -sS http:\/\/127\.0\.0\.1:3100\/api\/invitation-trigger \\$/m);
  t.ok(guessed.stdout.includes(`Authorization: Bearer ${secret}'`));
  const known = await run({ ...env, PUBLIC_URL: 'https://survey.example' }, ...args);
  t.equal(known.stderr, '');
  t.match(known.stdout, 'curl -sS https://survey.example/api/invitation-trigger');
  const list = await run(env, 'survey', 'list');
  t.match(list.stderr, /^PUBLIC_URL is not set[^\n]*\n$/, 'once for any number of surveys');
});

t.test('a later start prints the command that creates a secret, for its own address', async (t) => {
  const base = 'http://127.0.0.1:3100';
  const sample = { survey: 'sample', owner: undefined, secret: undefined, signInKey: undefined };
  t.match(welcome(base, undefined, sample), `\nPUBLIC_URL=${base} npm run -s cli -- token create --survey sample --name mine\n`);
  t.match(welcome('http://127.0.0.1:3000', undefined, sample), '\nnpm run -s cli -- token create');
  t.match(welcome(base, undefined, { ...sample, secret: 'sit_x' }), `curl -sS ${base}/api/invitation-trigger`);
});

t.test('an existing workspace named sample gets no owner and no link', async (t) => {
  const ownEnv = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}) };
  await runJson(ownEnv, 'migrate');
  await runJson(ownEnv, 'workspace', 'create', '--id', 'sample', '--name', 'Real');
  t.strictSame(await prepareSample(ownEnv.DATABASE_URL, undefined, true), {
    survey: 'sample',
    owner: undefined,
    secret: undefined,
    signInKey: undefined,
  });
  t.same(await runJson(ownEnv, 'member', 'list', '--workspace', 'sample'), []);
});

t.test('start writes no secret and no link to a log: it makes none, and prints the commands that do', async (t) => {
  const ownEnv = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}) };
  const service = await startProgram(t, ownEnv, 'start');
  const hidden = { survey: 'sample', owner: 'owner@example.com' };
  t.strictSame(service.document.sample, hidden);
  await service.terminate();
  t.same(await runJson(ownEnv, 'token', 'list', '--survey', 'sample'), []);
  const text = welcome('http://127.0.0.1:3000', undefined, { ...hidden, secret: undefined, signInKey: undefined });
  t.match(text, '\nnpm run -s cli -- member sign-in-link --email owner@example.com\n');
  t.match(text, '\nnpm run -s cli -- token create --survey sample --name mine\n');
});
