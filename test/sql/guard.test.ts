// The guard: a workspace whose emails bounce or are reported as spam too often is warned and then held, alone, until a person releases it.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { idsOf, invitationsOf, jobsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, urlAs } = await createTestDatabase(t);

/** In the middle of a quarter hour. */
const NOW = new Date('2030-01-31T12:07:00Z');
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

type Fixture = Awaited<ReturnType<typeof createBatch>>;

/**
 * A workspace whose invitations were sent some minutes ago: they are settled by the service's own function.
 * @param more Its earlier ones. Undefined: another workspace.
 */
async function createSent(count: number, minutes: number, more?: Fixture) {
  const recipients = Array.from({ length: count }, (_, index) => ({ email: `n${index}@${minutes}.example` }));
  const fixture = more ?? (await createBatch(store, { recipients }));
  if (more !== undefined) await acceptTrigger(store, more.hash, { recipients }, 1_000_000);
  return { ...fixture, sent: await sendAll(fixture, minutes) };
}

/** Claims what is queued of a survey, and settles it as sent. Returns the ids of the invitations. */
async function sendAll({ survey }: Pick<Fixture, 'survey'>, minutes: number): Promise<string[]> {
  const worker = await createWorker(store);
  const claimed = await sql<{ id: string; claim_id: string }[]>`
    update invite.messages set status = 'sending', sweep_at = null, worker_id = ${worker}, claim_id = gen_random_uuid()
    where survey_id = ${survey} and status = 'queued'
    returning invitation_id as id, claim_id`;
  const results = claimed.map((one) => ({ ...one, outcome: 'accepted', relay_message_id: `relay-${one.id}` }));
  await sql`select invite.settle_invitations(${sql.json(results)}, at => ${before(minutes)})`;
  return claimed.map(({ id }) => id);
}

let reports = 0;
const report = (ids: readonly string[], type: 'hard_bounce' | 'complaint' | 'delivered' | 'soft_bounce', at = NOW) => {
  reports += 1;
  return store.recordRelayEvents(
    'resend',
    ids.map((id, index) => ({
      event_id: `report-${reports}-${index}`,
      type,
      occurred_at: at.toISOString(),
      invitation_id: id,
      relay_message_id: `relay-${id}`,
    })),
  );
};
const check = async (workspace: string, at = NOW) =>
  (await sql`select invite.check_guard(${workspace}, ${at}) as verdict`)[0]?.verdict as string | null;
const figures = (workspace: string, at = NOW) =>
  sql`select outcome, hours, sent::integer, reports::integer, verdict from invite.guard_figures(${workspace}, ${at})`;
const auditOf = (workspace: string) =>
  sql`select actor, action, detail from invite.audit_log where workspace_id = ${workspace} and action::text like 'guard%' order by id`;

/** One less than the limit, and the limit. By default the installation's own limits apply. */
const LIMITS = [
  { name: 'hard bounces within an hour', type: 'hard_bounce', minutes: 30, sent: 200, warn: [19, 20], pause: [19, 20] },
  { name: 'more hard bounces within an hour', type: 'hard_bounce', minutes: 30, sent: 400, warn: [19, 20], pause: [39, 40] },
  { name: 'hard bounces within a day', type: 'hard_bounce', minutes: 600, sent: 2000, warn: [49, 50], pause: [99, 100] },
  { name: 'complaints within an hour', type: 'complaint', minutes: 30, sent: 1000, warn: [4, 5], pause: [9, 10] },
  { name: 'complaints within a day', type: 'complaint', minutes: 600, sent: 4000, warn: [9, 10], pause: [11, 12] },
] as const;

for (const { name, type, minutes, sent, warn, pause } of LIMITS) {
  t.test(`${name}: ${warn[1]} of ${sent} warn, ${pause[1]} pause, one less doesn't`, async (t) => {
    const fixture = await createSent(sent, minutes);
    const upTo = async (count: number, from: number) => report(fixture.sent.slice(from, count), type);
    await upTo(warn[0], 0);
    t.equal(await check(fixture.workspace), null);
    await upTo(warn[1], warn[0]);
    if (warn[1] < pause[1]) {
      t.equal(await check(fixture.workspace), 'warn');
      t.equal(await check(fixture.workspace), null, 'once a day');
      await upTo(pause[0], warn[1]);
      t.equal(await check(fixture.workspace, new Date(NOW.getTime() + 60_000)), null);
      await upTo(pause[1], pause[0]);
    }
    t.equal(await check(fixture.workspace), 'pause');
    t.equal(await check(fixture.workspace), null, 'it is paused already');
    const entries = await auditOf(fixture.workspace);
    t.match(entries.at(-1), {
      actor: 'service',
      action: 'guard_paused',
      detail: { outcome: type === 'complaint' ? 'complained' : 'bounced', sent, reports: pause[1] },
    });
    t.match(await sql`select scope, paused_at from invite.paused_sending where workspace_id = ${fixture.workspace}`, [
      { scope: 'guard', paused_at: NOW },
    ]);
  });
}

t.test('few emails, or few reports, are an accident', async (t) => {
  const few = await createSent(199, 30);
  await report(few.sent, 'hard_bounce');
  t.equal(await check(few.workspace), null, '199 of 199');
  t.match(await figures(few.workspace), [{}, {}, { outcome: 'bounced', hours: 1, sent: 199, reports: 199, verdict: 'few' }, {}]);
});

t.test('an email counts once, for the hour in which it was sent, and soft bounces not at all', async (t) => {
  const old = await createSent(300, 60 * 30);
  const fixture = await createSent(300, 30, old);
  await report(old.sent, 'hard_bounce');
  await report(old.sent, 'complaint');
  await report(fixture.sent.slice(0, 10), 'hard_bounce');
  await report(fixture.sent.slice(0, 10), 'hard_bounce');
  await report(fixture.sent.slice(0, 10), 'complaint', before(29));
  await report(fixture.sent, 'soft_bounce');
  await report(fixture.sent, 'delivered');
  t.strictSame(
    (await figures(fixture.workspace)).map(({ outcome, hours, sent, reports }) => [outcome, hours, sent, reports]),
    [
      ['complained', 1, 300, 10],
      ['complained', 24, 300, 10],
      ['bounced', 1, 300, 10],
      ['bounced', 24, 300, 10],
    ],
    'never more reports than emails',
  );
  await sql`delete from invite.invitations where id = ${fixture.sent[0] ?? ''}`;
  t.match((await figures(fixture.workspace))[0], { sent: 299, reports: 9 }, 'what is deleted is gone from both');
  await sql`select invite.fold_result_counts()`;
  t.match((await figures(fixture.workspace))[0], { sent: 299, reports: 9 }, 'folded as well');
});

t.test('a reminder counts when it was sent, and so does a complaint about it', async (t) => {
  const fixture = await createSent(300, 60 * 30);
  await sql`
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
    select invitation_id, 1, survey_id, ${before(20)}, ${before(20)}, ${before(20)} from invite.messages
    where survey_id = ${fixture.survey} and status = 'sent'`;
  await sql`update invite.messages set is_last = false where survey_id = ${fixture.survey} and number = 0 and status = 'sent'`;
  await sql`update invite.batches set reminders = '{1}' where id = ${fixture.batch}`;
  await sendAll(fixture, 20);
  await report(fixture.sent.slice(0, 6), 'complaint');
  t.match((await figures(fixture.workspace))[0], { outcome: 'complained', hours: 1, sent: 300, reports: 6, verdict: 'pause' });
  t.equal((await sql`select * from invite.miscounted_results where survey_id = ${fixture.survey}`).length, 0);
});

t.test('it holds this workspace alone; its requests are accepted, and leave after the release', async (t) => {
  const fixture = await createSent(200, 30);
  const other = await createBatch(store, { recipients: [0, 1, 2].map((index) => ({ email: `n${index + 50}@30.example` })) });
  await report(fixture.sent.slice(0, 20), 'hard_bounce');
  t.match(
    (await jobsOf(sql, fixture.workspace)).filter(({ task }) => task === 'check_guard'),
    [{ task: 'check_guard' }],
    'one job, however many reports',
  );
  await store.setWorkspaceEvents(fixture.workspace, true);
  await createMember(store, fixture.workspace, 'owner', 'owner@example.com');
  await createMember(store, fixture.workspace, 'admin', 'admin@example.com');
  t.equal(await check(fixture.workspace), 'pause');
  t.strictSame(
    (await jobsOf(sql, fixture.workspace)).filter(({ task }) => task === 'send_guard_notice').length,
    2,
    'the owner and the operator get an email',
  );
  t.match(await sql`select type, code from invite.new_events where survey_id = ${fixture.survey}`, [
    { type: 'survey.held', code: 'guard' },
  ]);
  const answer = await acceptTrigger(store, fixture.hash, { recipients: [{ email: 'late@example.com' }] }, 10_000);
  t.match(answer, { outcome: 'accepted', holdReason: 'workspace_guarded' });
  const worker = await createWorker(store);
  t.same(await store.claimInvitations(await idsOf(sql, fixture.survey), worker), [], 'held');
  t.match(await sql`select hold_reason from invite.waiting_invitations where survey_id = ${fixture.survey}`, [
    { hold_reason: 'workspace_guarded' },
  ]);
  t.equal(
    (await store.claimInvitations(await idsOf(sql, other.survey), worker)).length,
    3,
    'a neighbor with addresses of the same',
  );

  t.equal(await store.releaseGuard(fixture.workspace, '  The list of 2019 is gone.  '), true);
  t.equal(await store.releaseGuard(fixture.workspace, 'again'), false);
  t.match((await auditOf(fixture.workspace)).at(-1), {
    actor: 'cli',
    action: 'guard_released',
    detail: { note: 'The list of 2019 is gone.' },
  });
  t.ok((await jobsOf(sql, fixture.workspace)).some(({ task }) => task === 'requeue_workspace'));
  await store.requeueWorkspace(fixture.workspace);
  await store.requeueWaiting(fixture.survey);
  t.match(
    (await invitationsOf(sql, fixture.survey)).filter(({ status }) => status !== 'sent'),
    [{ status: 'queued' }],
  );
});

t.test('after a release only what is sent since counts, whatever is reported late', async (t) => {
  const fixture = await createSent(400, 30);
  await report(fixture.sent.slice(0, 40), 'hard_bounce');
  t.equal(await check(fixture.workspace), 'pause');
  await sql`select invite.release_guard(${fixture.workspace}, 'cleaned', ${before(10)})`;
  await report(fixture.sent.slice(40, 400), 'hard_bounce');
  await report(fixture.sent, 'complaint');
  t.equal(await check(fixture.workspace), null);
  const since = await createSent(200, -10, fixture);
  await report(since.sent.slice(0, 20), 'hard_bounce', before(-11));
  t.equal(await check(fixture.workspace, before(-15)), 'pause', 'sent in a quarter hour after the release');
});

t.test('limits are settings of the installation; without any, the guard is off', async (t) => {
  const fixture = await createSent(50, 30);
  const limit = { warnShare: 0.1, pauseShare: 0.2, minSent: 10, minReports: 2 };
  await store.setGuardLimit('bounced', 2, limit);
  t.teardown(() => store.setGuardLimit('bounced', 2, { warnShare: null, pauseShare: null, minSent: null, minReports: null }));
  await report(fixture.sent.slice(0, 5), 'hard_bounce');
  t.equal(await check(fixture.workspace), 'warn');
  t.match(await store.listGuardLimits(), [
    {},
    {},
    {},
    { outcome: 'bounced', hours: 2, warn_share: 0.1, pause_share: 0.2, min_sent: 10 },
    {},
  ]);
  for (const wrong of [{ warnShare: 0.3 }, { pauseShare: 1.01 }, { minSent: 0 }, { minReports: 0 }, { warnShare: 0 }])
    await t.rejects(store.setGuardLimit('bounced', 2, { ...limit, ...wrong }), { code: '23514' });
  await t.rejects(store.setGuardLimit('bounced', 169, limit), { code: '23514' });
  t.match(await sql`select subject, detail from invite.audit_log where action = 'guard_limit_changed'`, [
    { subject: 'bounced 2 h', detail: { warn: 0.1, pause: 0.2, min_sent: 10, min_reports: 2 } },
  ]);
});

t.test('a member releases it once in seven days, with a note; then only the operator', async (t) => {
  const web = openDatabase(urlAs('invite_web'), { applicationName: 'tests' });
  t.teardown(() => web.end());
  const { console } = createStore(web);
  const fixture = await createSent(1, 30);
  const member = await createMember(store, fixture.workspace, 'admin', 'releaser@example.com');
  const editor = await createMember(store, fixture.workspace, 'editor', 'editor@example.com');
  const pause = () => sql`update invite.workspaces set guarded_at = clock_timestamp() where id = ${fixture.workspace}`;
  await pause();
  await t.rejects(console.releaseGuard(editor.session, fixture.workspace, 'x'), { code: 'IT403' });
  await t.rejects(console.guard(editor.session, fixture.workspace), { code: 'IT403' });
  for (const note of ['', '   ', 'x'.repeat(1001)])
    await t.rejects(console.releaseGuard(member.session, fixture.workspace, note), { code: '23514' });
  t.equal(await console.releaseGuard(member.session, fixture.workspace, 'x'.repeat(1000)), true);
  t.match((await auditOf(fixture.workspace)).at(-1), { actor: 'releaser@example.com', action: 'guard_released' });
  await pause();
  t.match(await console.guard(member.session, fixture.workspace), { mayRelease: false });
  await t.rejects(console.releaseGuard(member.session, fixture.workspace, 'again'), /workspaces_guard_operator/);
  await sql`update invite.workspaces set guard_since = guard_since - interval '7 days' where id = ${fixture.workspace}`;
  t.match(await console.guard(member.session, fixture.workspace), { mayRelease: true, hours: { length: 24 } });
  t.equal(await console.releaseGuard(member.session, fixture.workspace, 'a week later'), true);
});

t.test('a workspace that moves is not paused: the database where it arrives looks at it', async (t) => {
  const fixture = await createSent(200, 30);
  await report(fixture.sent.slice(0, 20), 'hard_bounce');
  await sql`update invite.workspaces set moved_to = 'bbbb' where id = ${fixture.workspace}`;
  t.equal(await check(fixture.workspace), null);
  await sql`update invite.workspaces set moved_to = null where id = ${fixture.workspace}`;
  t.equal(await check(fixture.workspace), 'pause');
});
