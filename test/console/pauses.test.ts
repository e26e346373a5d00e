// The bar on each page while email is paused: what pauses it, who, and where an owner ends it.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, type SignedInMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const owner = await createMember(store, workspace, 'owner');
const viewer = await createMember(store, workspace, 'viewer');
const HOME = `/workspaces/${workspace}`;
const RESULTS = `/surveys/${survey}/results`;
const BAR = /<div class="notice-line warn" role="note"><strong>(Sending is paused.*?)<\/div>/s;

/** The bar as text, with its link. Undefined: there is none. */
async function bar(path: string, who: SignedInMember): Promise<string | undefined> {
  const found = BAR.exec(await (await visit(url, path, who)).text())?.[1];
  return found
    ?.replace(/<time.*?<\/time>/, 'TIME')
    .replace(/<a href="(.*?)">(.*?)<\/a>/, '[$2]($1)')
    .replace(/<.*?>/g, '');
}

t.test('nothing is paused: no bar', async (t) => {
  for (const path of [HOME, RESULTS, '/sessions']) t.equal(await bar(path, owner), undefined, path);
});

t.test('a workspace: since when and by whom, for those who may end it; on the page Sending it stands once', async (t) => {
  await store.console.setWorkspacePaused(owner.session, workspace, true);
  for (const path of [HOME, RESULTS, `${HOME}/responses`, '/sessions']) {
    t.equal(
      await bar(path, owner),
      `Sending is paused. Emails that come due wait. Paused TIME, by owner@example.com. [Resume…](${HOME}/sending)`,
      path,
    );
    t.equal(await bar(path, viewer), 'Sending is paused. Emails that come due wait. Paused TIME.', path);
  }
  t.equal(await bar(`${HOME}/sending`, owner), undefined);
  await store.setWorkspacePaused(workspace, false);
  await store.setWorkspacePaused(workspace, true);
  t.match(await bar(HOME, owner), 'Paused TIME, by command line.', 'the pause that holds, not an earlier one');
  await store.setWorkspacePaused(workspace, false);
});

t.test('a survey: on its own pages alone', async (t) => {
  await store.console.setSurveyPaused(owner.session, survey, true);
  t.equal(
    await bar(RESULTS, owner),
    `Sending is paused for this survey. Emails that come due wait. Paused TIME, by owner@example.com. [Resume…](/surveys/${survey}/sending)`,
  );
  t.equal(await bar(RESULTS, viewer), 'Sending is paused for this survey. Emails that come due wait. Paused TIME.');
  for (const path of [HOME, `/surveys/${survey}/sending`]) t.equal(await bar(path, owner), undefined, path);
  await store.setSurveyPaused(survey, false);
});

t.test('the guard says why, and the service comes before all', async (t) => {
  await sql`update invite.workspaces set guarded_at = now() where id = ${workspace}`;
  t.match(
    await bar(RESULTS, owner),
    /: too much of .* bounced or was reported as spam\. .* \[See why, and release it\]\(.*\/guard\)$/,
  );
  await store.setSendingPaused(true);
  t.match(
    await bar(RESULTS, owner),
    /^Sending is paused for everyone\. Emails that come due wait\. Paused TIME\. .*\/sending\)$/,
  );
});
