// What the audit log says about reading and leaving: answers and addresses read in bulk, signing out, refused pages. And its own download.
import t from 'tap';
import { auditPieces } from '../../src/console/workspace/audit.ts';
import type { AuditEntry } from '../../src/database/store.ts';
import { startTestServer } from '../fixtures/http.ts';
import { sqlstate } from '../fixtures/inspect.ts';
import { createMember, openSession, visit } from '../fixtures/members.ts';
import { run } from '../fixtures/program.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, url: DATABASE_URL, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

type Entry = Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'detail'>;
const READING = ['signed_out', 'answers_exported', 'addresses_exported', 'audit_exported', 'access_refused'];
const logOf = async (workspace: string): Promise<Entry[]> => [
  ...(await sql<Entry[]>`
    select actor, action, subject, detail from invite.audit_log
    where workspace_id = ${workspace} and action::text = any (${READING}) order by id`),
];
const entry = (actor: string, action: string, subject: string | null, detail: object = {}) => ({
  actor,
  action,
  subject,
  detail,
});

async function setup() {
  const fixture = await createBatch(store);
  const member = (role: 'owner' | 'editor' | 'viewer') =>
    createMember(store, fixture.workspace, role, `${role}@${fixture.survey}.example`);
  return { ...fixture, owner: await member('owner'), editor: await member('editor'), viewer: await member('viewer') };
}

t.test('a download of answers is recorded, with what it had, once in ten minutes; a look at its headers is not', async (t) => {
  const { workspace, survey, editor, viewer } = await setup();
  const path = `/surveys/${survey}/results.csv`;
  const at = (member: typeof editor, query = '') => visit(url, path + query, member).then((response) => response.text());
  const head = await fetch(url + path, { method: 'HEAD', headers: { cookie: `session=${viewer.key}` } });
  t.equal(head.status, 200);
  await at(viewer, '?value=1');
  t.same(await logOf(workspace), [], 'nor is one that is refused');
  await at(viewer);
  await at(viewer);
  await at(editor);
  await at(viewer, '?key=order');
  const of = (role: string) => `${role}@${survey}.example`;
  const expected = [
    entry(of('viewer'), 'answers_exported', survey, { addresses: false, filtered: false }),
    entry(of('editor'), 'answers_exported', survey, { addresses: true, filtered: false }),
    entry(of('viewer'), 'answers_exported', survey, { addresses: false, filtered: true }),
  ];
  t.strictSame(await logOf(workspace), expected);
  await sql`update invite.audit_log set at = at - interval '11 minutes' where workspace_id = ${workspace}`;
  await at(viewer);
  t.strictSame((await logOf(workspace)).at(-1), expected[0]);
  t.equal((await logOf(workspace)).length, 4);
});

t.test('commands that list answers or addresses are recorded', async (t) => {
  const { workspace, survey, batch } = await setup();
  for (const args of [
    ['results', survey],
    ['suppression', 'list', '--workspace', workspace],
    ['batch', 'show', batch],
    ['results', survey],
  ])
    t.equal((await run({ DATABASE_URL }, ...args)).code, 0);
  t.strictSame(await logOf(workspace), [
    entry('cli', 'answers_exported', survey),
    entry('cli', 'addresses_exported', null),
    entry('cli', 'addresses_exported', batch),
  ]);
  t.equal(await sqlstate(sql`select invite.record_export('answers_exported', 'none')`), 'P0002');
  t.equal(
    await sqlstate(sql`select invite.record_export('member_removed', ${workspace})`),
    '22023',
    'an entry of another kind is not',
  );
});

t.test('signing out is recorded in each workspace of the person: of one session, of all, by a command', async (t) => {
  const { workspace, owner, survey } = await setup();
  const email = `owner@${survey}.example`;
  const elsewhere = await createSurvey(store);
  await store.upsertMember(elsewhere.workspace, email, 'viewer');
  await visit(url, '/sign-out', owner, {});
  await visit(url, '/sign-out', owner, {});
  const [one, two] = [await openSession(store, email), await openSession(store, email)];
  await visit(url, '/sessions', one, {});
  await visit(url, '/sign-out', two, {});
  await openSession(store, email);
  await store.endSessions(email.toUpperCase());
  await store.endSessions(email);
  for (const place of [workspace, elsewhere.workspace])
    t.strictSame(await logOf(place), [
      entry(email, 'signed_out', email, { sessions: 1 }),
      entry(email, 'signed_out', email, { sessions: 2 }),
      entry('cli', 'signed_out', email, { sessions: 1 }),
    ]);
});

t.test('a session that has expired is tidied up, and nobody signed out', async (t) => {
  const { workspace, survey } = await setup();
  await sql`update invite.sessions set created_at = now() - interval '90 days', seen_at = now() - interval '90 days' where email like ${`%${survey}%`}`;
  await sql`select test.prune_expired()`;
  t.equal((await sql`select from invite.sessions where email like ${`%${survey}%`}`).length, 0);
  t.same(await logOf(workspace), []);
});

t.test('a page or form that a role may not have is recorded by its pattern, once in ten minutes', async (t) => {
  const { workspace, survey, viewer, editor } = await setup();
  const elsewhere = await setup();
  const before = await logOf(elsewhere.workspace);
  for (const _ of [1, 2]) t.equal((await visit(url, `/workspaces/${workspace}/members`, viewer)).status, 403);
  t.equal(
    (await visit(url, `/workspaces/${workspace}/surveys/new`, viewer)).status,
    403,
    'where the page itself looks at the role',
  );
  t.equal((await visit(url, `/surveys/${survey}/sending`, editor, { action: 'pause' })).status, 403);
  t.equal((await visit(url, `/surveys/${survey}/sending`, editor, { action: 'pause', csrf: 'x' })).status, 403);
  t.equal((await visit(url, `/workspaces/${workspace}/audit.csv`, editor)).status, 403);
  t.equal((await visit(url, `/workspaces/${elsewhere.workspace}/members`, viewer)).status, 404);
  t.equal((await visit(url, `/surveys/${elsewhere.survey}/sending`, viewer)).status, 404);
  const [ofViewer, ofEditor] = [`viewer@${survey}.example`, `editor@${survey}.example`];
  t.strictSame(await logOf(workspace), [
    entry(ofViewer, 'access_refused', '/workspaces/:workspace/members', { role: 'viewer' }),
    entry(ofViewer, 'access_refused', '/workspaces/:workspace/surveys/new', { role: 'viewer' }),
    entry(ofEditor, 'access_refused', '/surveys/:survey/sending', { role: 'editor', survey }),
    entry(ofEditor, 'access_refused', '/workspaces/:workspace/audit.csv', { role: 'editor' }),
  ]);
  t.strictSame(await logOf(elsewhere.workspace), before, "a stranger's attempts leave nothing in another workspace");
});

t.test(
  'the audit log downloads as CSV: newest first, formulas as text, nothing of another workspace, and recorded',
  async (t) => {
    const { workspace, survey, owner } = await setup();
    const elsewhere = await setup();
    await sql`
    insert into invite.audit_log (workspace_id, actor, action, subject, detail)
    values (${workspace}, '=1+1@x.example', 'token_created', '@SUM("a";b)', '{"name": "-2", "list": ["=x"]}')`;
    const answer = await visit(url, `/workspaces/${workspace}/audit.csv`, owner);
    t.equal(answer.status, 200);
    t.match(answer.headers.get('content-disposition'), /^attachment; filename="audit-[\w-]+-\d{4}-\d\d-\d\d\.csv"$/);
    const text = await answer.text();
    const [header, newest, ...rest] = text.trimEnd().split('\r\n');
    t.equal(header, '"entry","at (UTC)","by","action","target","details"');
    t.match(newest, `"owner@${survey}.example","audit_exported",,`);
    t.match(rest[0], `"'=1+1@x.example","token_created","'@SUM(""a"";b)","{""list"":[""=x""],""name"":""-2""}"`);
    t.ok(rest.length >= 3);
    t.notMatch(text, elsewhere.survey);
    const page = await (await visit(url, `/workspaces/${workspace}/audit`, owner)).text();
    t.match(page, 'href="audit.csv" download');
    const [{ id } = { id: '' }] =
      await sql`select id from invite.audit_log where workspace_id = ${workspace} and action = 'token_created'`;
    const older = await (await visit(url, `/workspaces/${workspace}/audit.csv?before=${id}`, owner)).text();
    t.notMatch(older, 'token_created');
    t.match(
      await (await visit(url, `/workspaces/${workspace}/audit?before=${id}`, owner)).text(),
      `href="audit.csv?before=${id}" download`,
    );
  },
);

t.test('the download reads a piece at a time, and ends at its limit', async (t) => {
  const asked: [string | undefined, number][] = [];
  const list = async (before: string | undefined, rows: number) => {
    asked.push([before, rows]);
    const from = Number(before ?? 101);
    return Array.from({ length: Math.min(rows, from - 1) }, (_, index) => ({
      id: String(from - 1 - index),
      at: new Date(0),
      actor: 'cli',
      action: 'signed_in' as const,
      subject: null,
      detail: {},
    }));
  };
  const read = async (most: number, rows: number) => {
    asked.length = 0;
    const pieces: string[] = [];
    for await (const piece of auditPieces(list, undefined, most, rows)) pieces.push(piece);
    return pieces.join('').trimEnd().split('\r\n').length - 1;
  };
  t.equal(await read(25, 10), 25);
  t.same(asked, [
    [undefined, 10],
    ['91', 10],
    ['81', 5],
  ]);
  t.equal(await read(20, 10), 20);
  t.equal(asked.length, 2);
  t.equal(await read(1000, 30), 100);
  t.equal(asked.length, 4);
});
