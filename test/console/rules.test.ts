// The page "When emails leave" over HTTP: what is refused, what a preview says, and what the audit log and a token's page show of the rules.
import t from 'tap';
import type { PageContext } from '../../src/console/frame.ts';
import { previewMain } from '../../src/console/rules/rules-view.ts';
import type { Forecast } from '../../src/database/store.ts';
import { UNSET } from '../../src/rules.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey, token } = await createBatch(store);
const owner = await createMember(store, workspace, 'owner');
const editor = await createMember(store, workspace, 'editor');
const PATH = `/workspaces/${workspace}/rules`;

const textOf = async (response: Response): Promise<string> =>
  (await response.text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
/** The form with all hours open. */
const FORM = Object.fromEntries([
  ...['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].flatMap((day) => [
    [`hours-${day}`, 'yes'],
    [`hours-${day}-from`, '00:00'],
    [`hours-${day}-to`, '00:00'],
  ]),
  ['action', 'preview'],
  ...['restDays', 'closedDays', 'timeZone', 'maxDelayHours'].map((name) => [name, '']),
]) as Record<string, string>;
const post = (fields: Record<string, string>, path = PATH, member = owner) => visit(url, path, member, { ...FORM, ...fields });

t.test('what is wrong is said at its field, and what was typed stays', async (t) => {
  const wrong: [Record<string, string>, string][] = [
    [{ restDays: '1.5' }, 'Enter a number of days.'],
    [{ restDays: '0' }, 'A rest is 1 to 365 days.'],
    [{ restDays: '366' }, 'A rest is 1 to 365 days.'],
    [{ timeZone: 'Tokio+3' }, 'Enter a time zone such as Europe/Berlin.'],
    [{ maxDelayHours: 'a week' }, 'Enter a time such as 7 days or 36 hours.'],
    [{ maxDelayHours: '366 days' }, 'A delay is at least an hour and at most 365 days.'],
    [{ maxDelayHours: '0' }, 'A delay is at least an hour and at most 365 days.'],
    [{ closedDays: '2030-12-24\r\n2030-02-30' }, "Line 2: 2030-02-30 isn't a date such as 2026-12-24."],
    [{ 'hours-mon-to': '08:10' }, 'Enter full quarter hours, such as 08:15.'],
  ];
  for (const [fields, sentence] of wrong) {
    const response = await post({ restDays: '30', ...fields });
    t.equal(response.status, 422, JSON.stringify(fields));
    const text = await textOf(response);
    t.match(text, sentence);
    t.equal(text.match(/ autofocus/g)?.length, 1, 'one field has the focus');
    for (const value of Object.values(fields)) t.ok(text.includes(value), value);
  }
  t.match(await store.findWorkspace(workspace), { rest_days: null });
});

t.test('a rest is at most what the operator keeps, also a suggested one', async (t) => {
  const brief = await startTestServer(t, urlAs('invite_web'), { RETENTION_DAYS: '29' });
  const ask = (fields: Record<string, string>) => visit(brief.url, PATH, owner, { ...FORM, ...fields });
  t.equal((await ask({ restDays: '29' })).status, 200);
  const refused = await ask({ restDays: '30' });
  t.equal(refused.status, 422);
  const refusal = await textOf(refused);
  t.match(refusal, 'A rest can be at most 29 days, because addresses are erased after that.');
  t.match(refusal, 'value="30"');
  t.match(await textOf(await ask({ action: 'suggest' })), 'Rest</dt><dd>none → <strong>29 days</strong>');
  t.equal((await ask({ action: 'save', rules: '{"restDays":30}' })).status, 400);
  await store.setRetention('batches', 29);
  const text = await textOf(await post({ action: 'suggest' }));
  t.match(text, "A rest can't be longer than batches are kept");
  t.match(text, 'value="7 days"', 'the form shows the rest of the suggestion');
  await store.setRetention('batches', null);
});

t.test('a preview saves nothing and carries only what changes; without a change there is none', async (t) => {
  await store.setWorkspaceRules(workspace, { restDays: 30, timeZone: 'Asia/Tokyo' });
  const unchanged = await post({ restDays: '30', timeZone: 'asia/tokyo' });
  t.equal(unchanged.headers.get('location'), `${PATH}?done=rules_unchanged`);
  const text = await textOf(await post({ restDays: '', timeZone: 'Asia/Tokyo', maxDelayHours: '36h' }));
  t.match(text, 'Rest</dt><dd>30 days → <strong>none</strong>');
  t.match(text, 'value="{"restDays":null,"maxDelayHours":36}"');
  t.match(await store.findWorkspace(workspace), { rest_days: 30, max_delay_hours: null });
  await store.setWorkspaceRules(workspace, { timeZone: 'Europe/Oslo' });
  await post({ action: 'save', rules: '{"restDays":null,"maxDelayHours":36}' });
  t.match(await store.findWorkspace(workspace), { rest_days: null, max_delay_hours: 36, time_zone: 'Europe/Oslo' });
});

const NOTHING: Forecast = {
  ...{
    lookedAt: 0,
    atOnce: 0,
    later: 0,
    skipped: 0,
    delayed: 0,
    delayedUntil: null,
    secondsAtLeast: null,
    unit: 'hour',
    timeZone: 'UTC',
  },
  ...{ bars: [], reasons: [] },
};

t.test('a preview counts up to a bound', (t) => {
  const page = { csrf: 'x', now: new Date('2030-01-01T00:00Z') } as PageContext;
  const shown = (forecast: object) =>
    previewMain(page, {
      stored: UNSET,
      changes: { restDays: 30 },
      forecast: { ...NOTHING, ...forecast },
      maxCount: 10_000,
      isSurvey: false,
      path: '/',
    })
      .toString()
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ');
  t.match(shown({}), 'No email is waiting or scheduled now');
  t.match(shown({ lookedAt: 5 }), '5 emails are waiting or scheduled, and would leave as planned.');
  const some = shown({
    ...{ lookedAt: 240, skipped: 12, delayed: 40, delayedUntil: new Date('2030-01-03T08:00Z') },
    reasons: [{ reason: 'too_late', emails: 12 }],
  });
  t.match(
    some,
    /Of 240 emails.* 12 would be skipped: they.* 40 would leave later than planned, the last 3 Jan \d+, 08:00 UTC\. 188 would leave as planned/,
  );
  t.match(some, 'Save rules and skip 12 emails');
  const all = shown({ lookedAt: 10_001, skipped: 10_001, reasons: [{ reason: 'too_late', emails: 10_001 }] });
  t.match(all, /More than 10,000 emails are waiting or scheduled. Of the first 10,000: 10,000 would be skipped/);
  t.match(all, 'Save rules and skip 10,000 or more emails');
  t.end();
});

t.test('the audit log writes rules as people read them', async (t) => {
  await store.setWorkspaceRules(workspace, { restDays: 14, openHours: '{[480,1200)}', closedDays: '{[2030-12-24,2030-12-27)}' });
  const text = await textOf(await visit(url, `/workspaces/${workspace}/audit`, owner));
  t.match(text, 'Rules about when emails leave changed');
  t.match(text, 'changed: closed days, open hours, rest days');
  t.match(text, 'rest days: 14');
  t.match(text, 'open hours: Mon 08:00-20:00');
  t.match(text, 'closed days: 2030-12-24..2030-12-26');
});

t.test("a token's page offers to ignore a rest where there is one", async (t) => {
  const path = `/surveys/${survey}/api-trigger/${token}`;
  await store.setWorkspaceRules(workspace, { restDays: null });
  t.notMatch(await textOf(await visit(url, path, owner)), 'Ignore the rest');
  await store.setWorkspaceRules(workspace, { restDays: 14 });
  t.match(await textOf(await visit(url, path, owner)), /rest of 14 days holds back[\s\S]*Ignore the rest/);
  t.notMatch(await textOf(await visit(url, path, editor)), 'Ignore the rest');
  await visit(url, `${path}/rest`, owner, { ignore: 'yes' });
  await store.setWorkspaceRules(workspace, { restDays: null });
  t.match(await textOf(await visit(url, path, owner)), 'Keep to the rest', 'as long as it is set');
});

t.test("a survey without its own rules says its workspace's, and without any says none", async (t) => {
  await store.setWorkspaceRules(workspace, { restDays: null, openHours: null, closedDays: null, maxDelayHours: null });
  t.notMatch(await textOf(await visit(url, `/surveys/${survey}/invitations`, editor)), 'Emails leave');
  t.match(
    await textOf(await visit(url, `/surveys/${survey}/settings`, editor)),
    'No rule is set: emails leave when they are due.',
  );
  await store.setWorkspaceRules(workspace, { restDays: 14 });
  t.match(
    await textOf(await visit(url, `/surveys/${survey}/invitations`, editor)),
    'People get at most one invitation in 14 days.',
  );
  t.match(await textOf(await visit(url, `/surveys/${survey}/rules`, editor)), 'the workspace’s rest: 14 days');
});
