// On lists of several pages, the links to older rows lead through all rows, and each row appears once.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const ROWS = 130;
const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const recipients = Array.from({ length: ROWS }, (_, index) => ({ email: `row-${index + 1}-@example.com` }));
const { workspace, survey, token, batch } = await createBatch(store, { recipients });
const owner = await createMember(store, workspace, 'owner');
await sql`delete from invite.audit_log`;
await sql`
  insert into invite.audit_log (workspace_id, actor, action, subject)
  select ${workspace}, 'cli', 'token_changed', 'row-' || n || '-' from generate_series(1, ${ROWS}::integer) as n`;
await sql`
  insert into invite.responses (survey_id, submitted_at, answers)
  select ${survey}, now(), jsonb_build_object('comment', 'row-' || n || '-') from generate_series(1, ${ROWS}::integer) as n`;
await sql`
  insert into invite.batches (
    id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at, accepted_at)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${workspace}, ${survey}, ${token}, 'Subject', 'Message', 1, 1000 + n, '2020-01-01',
    timestamptz '2020-01-01' + n * interval '1 second'
  from generate_series(1, ${ROWS}::integer) as n`;

// Twenty surveys at a time share a creation time, as if one transaction had created them.
const many = await store.upsertWorkspace({ name: 'Many surveys' });
await store.upsertMember(many, owner.email, 'owner');
await sql`
  insert into invite.surveys (id, workspace_id, title, created_at)
  select lpad((${ROWS}::integer - n)::text, 3, '0'), ${many}, 'row-' || n || '-', timestamptz '2020-01-01' + n / 20 * interval '1 second'
  from generate_series(1, ${ROWS}::integer) as n`;

/** Returns the rows of a list page by page, as long as there is a link to older rows. */
async function rowsOf(path: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < 10; ) {
    const text = await (await visit(url, next, owner)).text();
    const main = text.slice(text.indexOf('<main'));
    pages.push([
      ...new Set([...main.matchAll(/row-(\d+)-|00000000-0000-4000-8000-(\d+)/g)].map(([, row, id]) => Number(row ?? id))),
    ]);
    const href = /href="([^"]*)">Older /.exec(main)?.[1]?.replaceAll('&#38;', '&');
    next = href && new URL(href, url + next).href.slice(url.length);
  }
  return pages;
}

for (const path of [
  `/workspaces/${many}`,
  `/workspaces/${workspace}/audit`,
  `/surveys/${survey}/batches`,
  `/surveys/${survey}/invitations`,
  `/surveys/${survey}/invitations?batch=${batch}&status=queued`,
  `/surveys/${survey}/results`,
]) {
  t.test(`${path.replace(/[?].*/, ' by filter').replace(/^.*[/]/, '')}: the pages hold each row once`, async (t) => {
    const pages = await rowsOf(path);
    t.ok(pages.length >= 3, `${pages.length} pages`);
    t.strictSame(
      pages.flat(),
      Array.from({ length: ROWS }, (_, index) => ROWS - index),
    );
  });
}
