// The page Sending: what must be done first, then what is accepted, sent, waiting and failing in a workspace, and of no other.
import t from 'tap';
import type { DeliveryOutcome } from '../../src/database/store.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const { hash } = await createToken(store, survey);
const owner = await createMember(store, workspace, 'owner', 'owner@example.com');
const LONGEST = `<b>Ärger & ${'Größe'.repeat(36)}`.slice(0, 200);

const read = async (id = workspace, member = owner) => {
  const response = await visit(url, `/workspaces/${id}/sending`, member);
  const html = await response.text();
  const main = html.slice(html.indexOf('<main'));
  return { status: response.status, html: main, text: main.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
};
const accept = (count: number, secret = hash, more = {}) =>
  acceptTrigger(
    store,
    secret,
    { recipients: Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` })), ...more },
    100_000,
  );
const worker = await createWorker(store);
/** Claims all that is due of a survey, and settles each with one of the outcomes in turn. */
async function settle(id: string, outcomes: readonly (readonly [DeliveryOutcome, code?: string])[]) {
  const claimed = await store.claimInvitations(await idsOf(sql, id), worker);
  await store.settleInvitations(
    claimed.map((email, index) => {
      const [outcome, code] = outcomes[index % outcomes.length] ?? ['accepted'];
      return { id: email.id, claim_id: email.claimId, outcome, ...(code !== undefined && { code }) };
    }),
  );
  return claimed.length;
}
const calm = 'All is well Nobody has to do anything.';

t.test('when nothing is wrong and nothing waits, it is calm', async (t) => {
  const { status, html, text } = await read();
  t.equal(status, 200);
  t.match(text, calm);
  t.match(text, /Accepted 0 requests for 0 people Sent 0 invitations, without reminders Failed 0 emails Being sent 0 now/);
  t.match(text, 'Mail server Takes email Oldest email that is due –');
  t.match(text, 'No email waits.');
  t.notMatch(html, /notice-line|status (warn|bad)|Failed since yesterday|role="note"/);
});

t.test('only owners and admins see it', async (t) => {
  for (const role of ['editor', 'viewer'] as const)
    t.equal((await read(workspace, await createMember(store, workspace, role))).status, 403, role);
  t.equal((await read(workspace, await createMember(store, workspace, 'admin'))).status, 200);
  const { workspace: foreign } = await createSurvey(store);
  t.equal((await read(foreign)).status, 404);
});

t.test('what was accepted, sent and failed, what is being sent, and why the rest waits', async (t) => {
  await accept(3);
  t.equal(await settle(survey, [['accepted'], ['accepted'], ['rejected', 'blocked']]), 3);
  await accept(2);
  await store.claimInvitations(await idsOf(sql, survey), worker);
  await accept(4);
  await accept(5, hash, { sendInSeconds: 86_400 });
  const draft = await store.upsertSurvey({ workspaceId: workspace, title: LONGEST, state: 'draft' });
  const { hash: ofDraft } = await createToken(store, draft);
  await accept(6, ofDraft);
  await settle(draft, []);
  await accept(1, ofDraft);
  const { html, text } = await read();
  t.match(text, /Accepted 6 requests for 21 people Sent 2 invitations, without reminders Failed 1 email /);
  t.match(text, 'Being sent 2 now');
  t.match(text, 'The survey is a draft Activate the survey. Held emails then go out. 7 since');
  t.match(text, 'It is about to be sent Nothing to do: it goes out by itself.');
  t.match(text, /Failed since yesterday .* Customer survey Blocked The mail server&#39;s reply says why\..*? 1 $/);
  t.match(html, `<a href="/surveys/${survey}/invitations?status=failed">`);
  t.match(text, calm, 'one failure is no alarm, and a draft is what somebody wanted');
  t.notMatch(html, '<b>Ärger');
});

/** What the page shows of the workspace, without its times. */
const facts = async (id = workspace) => {
  const { since, unsent, failures, webhooks, relays, ...numbers } = await store.console.sendingStatus(owner.session, id);
  return {
    ...numbers,
    unsent: unsent.map(({ reason, hold_reason, emails }) => [reason, hold_reason, emails]),
    failures,
    webhooks,
  };
};

t.test('nothing of another workspace is in it, however much that has', async (t) => {
  const before = await facts();
  const { html } = await read();
  const other = await createSurvey(store);
  const { hash: ofOther } = await createToken(store, other.survey);
  await accept(60, ofOther);
  await settle(other.survey, [['rejected', 'blocked'], ['accepted']]);
  await accept(50, ofOther);
  await store.claimInvitations((await idsOf(sql, other.survey)).slice(0, 80), worker);
  await accept(40, ofOther);
  await store.setSurveyPaused(other.survey, true);
  const { id } = await createWebhook(store, other.workspace, 'https://other.example/');
  await sql`update invite.webhook_endpoints set failing_since = now() where id = ${id}`;
  t.strictSame(await facts(), before);
  t.equal((await read()).html.replace(/value="[^"]*"/g, ''), html.replace(/value="[^"]*"/g, ''), 'nor does the page differ');
  await store.setWorkspacePaused(other.workspace, true);
  t.match((await store.console.sending(owner.session, workspace)).pausedSurveys, []);
});

t.test('pauses say since when and by whom, also of surveys with the same title', async (t) => {
  const titles = [LONGEST, 'Same', 'Same'];
  const surveys = await Promise.all(
    titles.map((title) => store.upsertSurvey({ workspaceId: workspace, title, state: 'active' })),
  );
  const admin = await createMember(store, workspace, 'admin', 'admin@example.com');
  await store.console.setSurveyPaused(owner.session, surveys[0] ?? '', true);
  await store.console.setSurveyPaused(admin.session, surveys[1] ?? '', true);
  await store.setSurveyPaused(surveys[2] ?? '', true);
  await store.upsertSurvey({ workspaceId: workspace, id: surveys[0], title: 'Another title' });
  t.match((await store.console.sending(owner.session, workspace)).pausedSurveys, [
    { id: surveys[2], paused_by: 'cli' },
    { id: surveys[1], paused_by: 'admin@example.com' },
    { id: surveys[0], title: 'Another title', paused_by: null },
  ]);
  t.match(
    (await read()).text,
    /Same command line \d+ \w+ \d+, \S+ UTC just now Same admin@example\.com \d+ \w+ \d+, \S+ UTC just now Another title – /,
  );
  for (const id of surveys) await store.setSurveyPaused(id, false);

  await store.console.setWorkspacePaused(admin.session, workspace, true);
  await store.console.setWorkspacePaused(owner.session, workspace, false);
  await store.console.setWorkspacePaused(owner.session, workspace, true);
  const { text } = await read();
  t.match(text, 'Nothing is wrong, but sending is paused: resume it when email should go out.');
  t.match(text, /Paused since .*? just now , by owner@example\.com\. What came due/);
  t.match(text, /Sending is paused for the workspace An owner or admin can resume it .*? \d+ since/);
  await store.setWorkspacePaused(workspace, false);
  await store.setSendingPaused(true);
  t.match((await read()).text, 'Sending is paused for everyone.');
  t.notMatch((await read()).text, 'Nobody has to do anything');
  await store.setSendingPaused(false);
});

t.test('what somebody must do comes first', async (t) => {
  const first = async (id?: string) => {
    const { html } = await read(id);
    const notice = /<div class="notice-line warn" role="note">(.*?)<\/div>/s.exec(html)?.[1] ?? '';
    return [...notice.matchAll(/<p>(.*?)<\/p>/gs)].map(([, line = '']) =>
      line.replace(/<wbr>|<[^>]+>/g, '').replace(/\d+ \w+ \d+, \d\d:\d\d UTC/g, 'T'),
    );
  };
  t.strictSame(await first(), []);
  await sql`insert into invite.relays (id, condition, since, paused_until, code, detail) values ('resend', 'busy', now(), now() + interval '1 minute', 'http_429', 'Slow down, x@example.com')`;
  await sql`update invite.workers set relay = 'resend'`;
  t.strictSame(await first(), [], 'a pause of the relay ends by itself');
  t.match((await read()).text, /Mail server Busy It asked for a pause until .*? UTC \(http_429\)\. It goes on by itself\./);
  t.match((await read()).text, 'The mail server is paused Nothing to do: it goes out by itself. 4 since');
  await sql`update invite.relays set paused_until = now()`;
  t.match((await read()).text, 'Mail server Takes email', 'once the pause is over');
  await sql`update invite.relays set condition = 'fault', code = 'http_401', paused_until = now() + interval '1 minute'`;
  t.strictSame(await first(), ['No email gets through the mail server since T (http_401). Ask the people who run this service.']);
  const faulty = await read();
  t.match(faulty.text, 'The mail server is paused Ask the people who run this service.');
  t.match(faulty.text, /Mail server Nothing gets through since .*? UTC \(http_401\)\. It is tried again and again\./);
  t.notMatch(faulty.html, 'Slow down', 'what the relay said may be about another workspace');
  await sql`delete from invite.relays`;

  await sql`update invite.messages set not_before = now() - interval '301 seconds' where survey_id = ${survey} and status = 'queued' and not_before < now()`;
  t.strictSame(await first(), ['4 emails should have gone out more than five minutes ago. Ask the people who run this service.']);
  await sql`update invite.workers set heartbeat_at = now() - interval '1 hour'`;
  t.strictSame(await first(), ['No email goes out: no worker is running. Ask the people who run this service.']);
  t.match((await read()).text, 'Mail server No worker is running');
  await sql`update invite.workers set heartbeat_at = now()`;
  await sql`update invite.messages set not_before = now() - interval '299 seconds' where survey_id = ${survey} and status = 'queued' and not_before < now()`;
  t.strictSame(await first(), []);

  await store.setWorkspaceSuspended(workspace, true);
  t.match(await first(), [
    /^\d+ emails held: the workspace is suspended\. Ask the people who run this service\. Held emails go out once it isn&#39;t suspended any more\.$/,
  ]);
  await store.setWorkspaceSuspended(workspace, false);

  const failing = await createSurvey(store);
  await store.upsertMember(failing.workspace, 'owner@example.com', 'owner');
  await accept(30, (await createToken(store, failing.survey)).hash);
  await sql`update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null, last_error_code = 'gave_up'
    where survey_id = ${failing.survey} and invitation_id in (select id from invite.invitations where survey_id = ${failing.survey} order by id limit 3)`;
  await sql`insert into invite.result_changes (survey_id, starts_at, question, value, number)
    values (${failing.survey}, date_bin('15 minutes', now(), '2000-01-01 00:00Z'), '', 'sent', 27)`;
  t.strictSame(await first(failing.workspace), [], 'a tenth');
  await sql`update invite.result_changes set number = 26 where survey_id = ${failing.survey} and value = 'sent'`;
  t.strictSame(await first(failing.workspace), ['Many emails fail: 3 since T. See below why, fix that, and send them again.']);
  await store.foldResultCounts();
  t.match((await read(failing.workspace)).text, /Sent 26 invitations/, 'whether the counts are added up yet or not');
  await sql`update invite.messages set failed_at = now() - interval '25 hours' where survey_id = ${failing.survey} and status = 'failed'`;
  t.notMatch((await read(failing.workspace)).text, 'Failed since');

  const urls = ['a', 'b', 'c'].map((name) => `https://${name}.example/${'long/'.repeat(80)}`);
  const hooks = await Promise.all(urls.map((to) => createWebhook(store, failing.workspace, to)));
  await sql`update invite.webhook_endpoints set failing_since = now() where workspace_id = ${failing.workspace}`;
  await sql`update invite.webhook_endpoints set paused_at = now() where id = ${hooks[1]?.id ?? ''}`;
  await sql`update invite.webhook_endpoints set disabled_at = now() where id = ${hooks[2]?.id ?? ''}`;
  t.same((await first(failing.workspace)).sort(), [
    'The webhook a.example has failed since T. Its log says why.',
    'The webhook c.example is disabled, because it answered that it is gone. Resume or delete it.',
  ]);
  t.match((await read(failing.workspace)).html, `/workspaces/${failing.workspace}/webhooks/${hooks[0]?.id}`);
});

t.test('a test workspace shows its own emails by its own clock, and needs no worker and no mail server', async (t) => {
  const id = (await store.createTestWorkspace(workspace, undefined)) as string;
  const tested = await store.upsertSurvey({ workspaceId: id, title: 'Tried', state: 'active' });
  const { hash: secretHash } = await createTestToken(store, tested);
  await store.acceptTestTrigger({ secretHash, request: { recipients: [{ email: 'a@example.com' }], sendInSeconds: 60 } }, 1000);
  await sql`update invite.workers set heartbeat_at = now() - interval '1 hour'`;
  await sql`update invite.workspaces set test_now = test_now + interval '1 year' where id = ${id}`;
  const { text } = await read(id);
  t.match(text, calm);
  t.match(text, 'Mail server none: the emails of a test workspace go to its outbox');
  t.match(text, /It is about to be sent .*? 1 since/);
  t.match(text, 'Accepted 0 requests', 'a year ago by its clock');
  t.same(await facts(id), {
    ...{ requests: 0, recipients: 0, sent: 0, failed: 0, sending: 0, hasWorker: null },
    ...{ unsent: [['ready', null, 1]], failures: [], webhooks: [] },
  });
  await sql`update invite.workers set heartbeat_at = now()`;
});

t.test(
  'however many wait, each reason is counted up to a limit, and what is due is not hidden by what comes later',
  async (t) => {
    const many = await createSurvey(store);
    const { hash: secret } = await createToken(store, many.survey);
    const closed = await store.upsertSurvey({ workspaceId: many.workspace, title: 'Closed', state: 'closed' });
    const { hash: ofClosed } = await createToken(store, closed);
    await accept(4, ofClosed);
    await settle(closed, []);
    await store.setSurveyPaused(many.survey, true);
    await accept(9, secret);
    await settle(many.survey, []);
    await store.setSurveyPaused(many.survey, false);
    await accept(9, secret, { sendInSeconds: 86_400 });
    await accept(9, secret);
    const unsent = (limits: string) =>
      sql.unsafe(
        `select reason, hold_reason, emails from console.unsent_emails('${many.workspace}', now(), ${limits}) order by emails, reason`,
      );
    t.same(await unsent('100'), [
      { reason: 'held', hold_reason: 'survey_closed', emails: 4 },
      { reason: 'not_due', hold_reason: null, emails: 9 },
      { reason: 'requeueing', hold_reason: null, emails: 9 },
      { reason: 'ready', hold_reason: null, emails: 9 },
    ]);
    t.same(await unsent('5, 3'), [
      { reason: null, hold_reason: null, emails: 2 },
      { reason: 'ready', hold_reason: null, emails: 3 },
      { reason: 'held', hold_reason: 'survey_closed', emails: 4 },
      { reason: 'requeueing', hold_reason: null, emails: 5 },
      { reason: 'not_due', hold_reason: null, emails: 9 },
    ]);
  },
);
