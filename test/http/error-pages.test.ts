// On an internal error, a visitor sees that there was an error and the number of the request, which the log has too. The page shows no
// internals.
import { Writable } from 'node:stream';
import pino from 'pino';
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const lines: string[] = [];
const sink = new Writable({
  write(line, _, done) {
    lines.push(String(line));
    done();
  },
});
const log = pino({}, sink);
const { url } = await startTestServer(t, urlAs('invite_web'), {}, log);
const { survey, workspace, batch } = await createBatch(store);
const [row] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;
const owner = await createMember(store, workspace, 'owner', 'ada@example.com');

/** Makes a function of the pages fail with a message that no visitor should see. */
const fail = (signature: string, returns: string) =>
  sql.unsafe(`create or replace function ${signature} returns ${returns} language plpgsql stable security definer as
    $$ begin raise exception 'a detail of the inside' using errcode = 'XX000', detail = 'invite.secret_table'; end $$`);

t.test('an address that does not exist is 404 with a title, signed in or not', async (t) => {
  for (const member of [undefined, owner]) {
    for (const path of ['/nope', '/surveys/nope/nope', '/s/nope', '/u/nope', '/workspaces']) {
      const response = await visit(url, path, member);
      t.equal(response.status, 404, path);
      const text = await response.text();
      t.match(text, '<title>Page not found</title>');
      t.equal(
        text.includes('Sign out'),
        member !== undefined && !/^\/[su]\//.test(path),
        `in the frame of who is signed in: ${path}`,
      );
    }
  }
});

t.test('who is not allowed is told why: the role that it takes, or a form of another session', async (t) => {
  const admin = await createMember(store, workspace, 'admin');
  const viewer = await createMember(store, workspace, 'viewer');
  const members = `/workspaces/${workspace}/members`;
  const role = 'You are a viewer in this workspace, and this requires';
  const form = 'This form is from another session';
  for (const [member, path, said, fields] of [
    [viewer, `/surveys/${survey}/invitations`, `${role} an editor. Ask an owner or admin for that role.`, undefined],
    [viewer, members, `${role} an admin. Ask an owner or admin for that role.`, undefined],
    [admin, members, 'Only an owner can add, change or remove owners.', { action: 'change', email: owner.email, role: 'viewer' }],
    [admin, `${members}/remove?email=${owner.email}`, 'Only an owner can remove an owner.', undefined],
    [owner, members, form, { csrf: '' }],
  ] as const) {
    const response = await visit(url, path, member, fields);
    t.equal(response.status, 403);
    const text = await response.text();
    t.ok(text.includes(said), said);
    t.equal(text.includes(form), said === form, 'and not the other');
  }
});

for (const [what, path, member, signature, returns] of [
  [
    'a recipient',
    `/s/${survey}?invitation=${row?.link_token}`,
    undefined,
    'invite.survey_page(survey_id text, invitation_token text default null, questions_version integer default null, language text default null, at timestamptz default null, browser_languages text[] default null)',
    'invite.survey_page',
  ],
  [
    'a recipient who unsubscribes',
    `/u/${unsubscribeToken(row?.link_token)}`,
    undefined,
    'invite.unsubscribe_page(unsubscribe_token text)',
    'invite.unsubscribe_page',
  ],
  [
    'a member',
    `/workspaces/${workspace}`,
    owner,
    'console.surveys(session_hash bytea, workspace_id text, before_id text default null, max_surveys integer default 100, max_unsent integer default 150, at timestamptz default null)',
    'setof console.survey',
  ],
] as const) {
  t.test(`${what} is told that something went wrong, with the number of the request and nothing of the inside`, async (t) => {
    await fail(signature, returns);
    const response = await visit(url, path, member);
    const text = await response.text();
    t.equal(response.status, 500);
    t.match(text, '<h1>Something went wrong</h1>');
    t.match(text, '<title>Something went wrong</title>');
    const id = response.headers.get('x-request-id') ?? 'none';
    t.match(text, `Request ${id}`);
    t.notMatch(text, /detail of the inside|invite\.|XX000|plpgsql|PostgresError|node_modules|at async/);
    t.notOk(text.includes(String(row?.link_token)), 'the link is not repeated');
    t.match(Object.fromEntries(response.headers), { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    t.equal(text.includes('ada@example.com'), member !== undefined, 'a member keeps the frame');
    const logged = lines.filter((line) => line.includes(id)).join('');
    t.match(logged, 'a detail of the inside', 'the log has it, under the same number');
    t.notOk(logged.includes(String(row?.link_token)));
  });
}
