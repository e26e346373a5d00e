// The command setup: from an empty database to a person who is signed in.
import t from 'tap';
import { runCommand } from '../../src/cli.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { url, urlAs, sql, store } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'));

const retained = async () => (await sql`select days from invite.retention where what = 'responses'`)[0]?.days;

/** @param typed What a person at the terminal types. Undefined: there is no terminal. */
async function setupAt(typed: string | undefined, ...options: string[]) {
  return setupIn(url, typed, ...options);
}

async function setupIn(database: string, typed: string | undefined, ...options: string[]) {
  const asked: string[] = [];
  const out: string[] = [];
  const code = await runCommand(['setup', ...options], {
    env: { DATABASE_URL: database, PUBLIC_URL: server.url },
    stdout: (text) => out.push(text),
    stderr: (text) => out.push(text),
    ask:
      typed === undefined
        ? undefined
        : async (question) => {
            asked.push(question);
            return typed;
          },
  });
  return { code, text: out.join(''), asked: asked.join() };
}
const setup = (...options: string[]) => setupAt(undefined, ...options);

const ADA = ['--name', 'Café Zürich & Co.', '--email', 'Ada@example.com'];

t.test('at a terminal it asks how long answers are kept, before it makes anything', async (t) => {
  t.match(await setupAt('two years', ...ADA), { code: 2, text: 'a number of days, or never', asked: /answers.* \[730\]/ });
  t.equal(await store.findWorkspace('cafe-zurich-co'), undefined);
  t.equal(await retained(), null);
});

t.test('without a terminal it has to be told, and until then makes nothing', async (t) => {
  for (const options of [[], ['--json']])
    t.match(await setup(...ADA, ...options), {
      code: 2,
      text: 'add --keep-answers with a number of days, such as 730, or never',
    });
  t.equal(await store.findWorkspace('cafe-zurich-co'), undefined);
  t.equal(await retained(), null);
});

t.test('one command creates workspace and owner; its link signs the owner in', async (t) => {
  const { code, text } = await setup(...ADA, '--keep-answers', '730');
  t.equal(code, 0, text);
  t.match(text, 'Workspace cafe-zurich-co created. Its owner is Ada@example.com.');
  t.match(text, 'invitation-trigger check');
  t.match(
    text,
    'Answers are deleted after 730 days, in all workspaces. To change that: invitation-trigger retention set responses DAYS',
  );
  t.equal(await retained(), 730);
  const link = /http\S+\/sign-in\/\S{20,}/.exec(text)?.[0] ?? '';
  const signedIn = await fetch(link, { method: 'POST', redirect: 'manual' });
  t.equal(signedIn.status, 303);
  const home = await fetch(`${server.url}/workspaces/cafe-zurich-co`, {
    headers: { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' },
  });
  t.match(await home.text(), 'Caf\u00e9 Z\u00fcrich &#38; Co.');
});

t.test('again it changes nothing, and makes another link', async (t) => {
  const { text } = await setup(...ADA, '--json');
  t.match(JSON.parse(text), { workspace_id: 'cafe-zurich-co', created: false, link: server.url });
  t.same(
    (await sql`select action::text from invite.audit_log where action in ('member_added', 'member_changed')`).map(
      (row) => row.action,
    ),
    ['member_added'],
  );
});

t.test('a further workspace asks nothing and changes nothing, unless told', async (t) => {
  const second = ['--name', 'Second', '--email', 'ada@example.com'];
  t.match(await setupAt('30', ...second), { code: 0, asked: '', text: 'Answers are deleted after 730 days' });
  t.equal(await retained(), 730);
  t.match(await setup(...second, '--keep-answers', 'never'), { code: 0, text: 'Answers are kept for good, in all workspaces.' });
  t.equal(await retained(), null);
  t.match(JSON.parse((await setup(...second, '--keep-answers', '365', '--json')).text), { answers_kept_days: 365 });
  t.match(await setup(...second, '--keep-answers', 'long'), { code: 2 });
});

t.test('what is typed holds; nothing typed is what is offered', async (t) => {
  for (const [typed, days] of [
    ['90', 90],
    ['never', null],
    ['  ', 730],
  ] as const) {
    const fresh = await createTestDatabase(t);
    const { code } = await setupIn(fresh.url, typed, ...ADA);
    t.equal(code, 0);
    t.equal((await fresh.sql`select days from invite.retention where what = 'responses'`)[0]?.days, days);
  }
});

t.test("it makes nobody an owner of somebody's workspace", async (t) => {
  t.match(await setup('--name', 'Mine', '--id', 'cafe-zurich-co', '--email', 'eve@example.com'), {
    code: 4,
    text: 'has an owner already',
  });
  t.equal((await store.listMembers('cafe-zurich-co')).length, 1);
  t.match(await setup('--name', '株式会社', '--email', 'eve@example.com'), { code: 2, text: 'give --id' });
  t.match(await setup('--name', '株式会社', '--id', 'kk', '--email', 'eve@example.com'), { code: 0 });
  t.match(await setup('--name', 'Other', '--email', 'nobody'), { code: 2, text: 'valid email address' });
  t.equal(await store.findWorkspace('other'), undefined);
});
