// The command setup: from an empty database to a person who is signed in.
import t from 'tap';
import { runCommand } from '../../src/cli.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { url, urlAs, sql, store } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'));

async function setup(...options: string[]) {
  const out: string[] = [];
  const code = await runCommand(['setup', ...options], {
    env: { DATABASE_URL: url, PUBLIC_URL: server.url },
    stdout: (text) => out.push(text),
    stderr: (text) => out.push(text),
  });
  return { code, text: out.join('') };
}

const ADA = ['--name', 'Café Zürich & Co.', '--email', 'Ada@example.com'];

t.test('one command creates workspace and owner; its link signs the owner in', async (t) => {
  const { code, text } = await setup(...ADA);
  t.equal(code, 0, text);
  t.match(text, 'Workspace cafe-zurich-co created. Its owner is Ada@example.com.');
  t.match(text, 'invitation-trigger check');
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
