// `status` says what is going on, and first whether somebody must act.
import t from 'tap';
import { actsIn } from '../../src/commands/status.ts';
import type { Status } from '../../src/database/store.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { clearJobs, idsOf } from '../fixtures/inspect.ts';
import { run } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, silent } from '../fixtures/setup.ts';
import { RENDER } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { sql, store, url } = await createTestDatabase(t);
const env = { DATABASE_URL: url, DATA_DIR: t.testdir({}) };
const fixture = await createSurvey(store);
const { hash } = await createToken(store, fixture.survey);
const accept = (count: number, name = 'p') => {
  const recipients = Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@example.com` }));
  return acceptTrigger(store, hash, { recipients }, 10_000);
};
const text = async () => {
  const { code, stdout, stderr } = await run(env, 'status');
  t.equal(stderr, '');
  return { code, stdout };
};

t.test('without a worker somebody must act; with one, and nothing due, all is well', async (t) => {
  const none = await text();
  t.equal(none.code, 7);
  t.match(none.stdout, /^No worker is running: no email leaves\. Start one\.\n/);
  const worker = startWorker({
    ...{ databaseUrl: url, databasePool: 4, concurrency: 4, log: silent },
    delivery: {
      sender: { maxBatch: 1, send: async () => [{ kind: 'accepted' }], close: async () => {} },
      render: RENDER,
      concurrency: 5,
      relay: { name: 'resend', rate: undefined },
    },
  });
  await worker.started;
  const calm = await text();
  t.equal(calm.code, 0, calm.stdout);
  t.match(calm.stdout, /^All is well\.\n/);
  t.match(calm.stdout, 'Unsent    nothing is due');
  await worker.stop();
});

t.test('what was accepted and sent, why the rest has not left, and who paused it', async (t) => {
  const worker = await createWorker(store);
  await accept(5);
  const [one, two] = await store.claimInvitations((await idsOf(sql, fixture.survey)).slice(0, 2), worker);
  await store.settleInvitations([
    { id: one?.id ?? '', claim_id: one?.claimId ?? '', outcome: 'accepted' },
    { id: two?.id ?? '', claim_id: two?.claimId ?? '', outcome: 'rejected', code: 'blocked' },
  ]);
  // Long ago, in no list, and of a test.
  await sql`update invite.batches set recipients = recipients where false`;
  const test = await store.createTestWorkspace(fixture.workspace, undefined);
  t.ok(test);
  await store.setWorkspacePaused(fixture.workspace, true);
  const { stdout, code } = await run(env, 'status', '--json');
  const status = JSON.parse(stdout) as Status & { ok: boolean; act: string[] };
  t.match(status.recent, [
    { seconds: 60, requests: 1, recipients: 5, sent: 1, failed: 1 },
    { seconds: 3600, requests: 1, recipients: 5, sent: 1, failed: 1 },
  ]);
  t.match(status.unsent, [{ unsentReason: 'held', holdReason: 'workspace_paused', emails: 3 }]);
  t.match(status.pauses, [{ scope: 'workspace', id: fixture.workspace, pausedBy: 'cli' }]);
  t.strictSame([code, status.act], [0, []], 'a pause is what somebody wanted');
  const words = (await text()).stdout;
  t.match(words, 'Accepted  1 request (5 recipients) in the last minute, 1 request (5 recipients) in the last hour');
  t.match(words, 'Sent      1 email (1 failed) in the last minute');
  t.match(words, /^Unsent {4}3 emails: workspace_paused, the oldest due \d+ seconds? ago$/m);
  t.match(words, /^Paused {4}workspace \S+, for \d+ seconds?, by cli$/m);
  await store.setWorkspacePaused(fixture.workspace, false);
});

t.test('what waits under sending limits, how many emails, and until when', async (t) => {
  const { workspace } = fixture;
  await sql`select invite.set_cap(${workspace}, 'recipient', 'gmail.com', 10, null), invite.set_cap(${workspace}, 'workspace', '', 500, null)`;
  await sql`select invite.set_shared_cap('gmx.example', 100, null)`;
  const test = (await store.createTestWorkspace(fixture.workspace, undefined)) ?? '';
  const slots = [
    { workspace, scope: 'recipient', domain: 'gmail.com', hours: 0, small: 0, used: 0 },
    { workspace, scope: 'recipient', domain: 'gmail.com', hours: 30, small: 1200, used: 0 },
    { workspace, scope: 'workspace', domain: '', hours: 0, small: 7, used: 7 },
    { workspace, scope: 'shared', domain: 'gmx.example', hours: 1, small: 1, used: 0 },
    { workspace: test, scope: 'recipient', domain: 'gmail.com', hours: 1, small: 9, used: 0 },
  ];
  await sql`
    insert into invite.cap_slots (workspace_id, scope, domain, slot, small, used)
    select s.workspace, s.scope, s.domain, date_trunc('hour', now(), 'UTC') + s.hours * interval '1 hour', s.small, s.used
    from jsonb_to_recordset(${sql.json(slots)}) as s (
      workspace text, scope invite.cap_scope, domain text, hours integer, small integer, used integer)`;
  const { stdout } = await run(env, 'status', '--json');
  const { caps } = JSON.parse(stdout) as Status;
  const until = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours + 1) * 3_600_000).toISOString();
  t.match(caps, [
    { scope: 'recipient', domain: 'gmail.com', workspaceId: workspace, emails: 1200, until: until(30) },
    { scope: 'shared', domain: 'gmx.example', workspaceId: null, emails: 1, until: until(1) },
  ]);
  t.equal(caps.length, 2);
  t.match(
    (await text()).stdout,
    new RegExp(
      `^Limits {4}1,200 emails to gmail\\.com of workspace ${workspace}, until ....-..-.. ..:00:00 UTC at most\n {10}1 email to gmx\\.example of all workspaces, until .* UTC at most$`,
      'm',
    ),
  );
  await sql`delete from invite.caps`;
  await sql`delete from invite.shared_caps`;
});

t.test('what is at fault comes first: relay, late emails, given-up jobs, webhooks', async (t) => {
  await sql`update invite.workers set relay = 'resend', heartbeat_at = now(), jobs_taken_at = now()`;
  await sql`insert into invite.relays (id, condition, since, code, detail) values ('resend', 'fault', '2030-01-31T09:00Z', 'http_401', 'Unknown key.')`;
  await clearJobs(sql);
  await sql`select graphile_worker.add_job('match_relay_events', max_attempts => 1)`;
  await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'it broke'`;
  const { id } = await createWebhook(store, fixture.workspace, 'https://hooks.example/x');
  await sql`update invite.webhook_endpoints set failing_since = now() where id = ${id}`;
  const { code, stdout } = await text();
  t.equal(code, 7);
  t.match(
    stdout,
    /^Nothing gets through the relay resend \(http_401\) since 2030-01-31 09:00:00 UTC\.\n1 job of match_relay_events gave up: see the view failing_jobs\.\n1 webhook endpoint failing: see the view webhook_overview\.\n\n/,
  );
  t.match(stdout, 'Relay     resend: fault, http_401: Unknown key.');
  t.match(stdout, 'Jobs      1 match_relay_events gave_up: it broke');
  t.match(stdout, 'Webhooks  1 endpoint, 1 failing, 0 paused');
});

t.test('an email is late after five minutes, unless somebody holds it or the relay is paused', (t) => {
  const now = new Date('2030-01-31T10:00:00Z');
  const oldestDueAt = new Date('2030-01-31T09:00:00Z');
  const calm: Status = {
    ...{ notWritable: null, recent: [], relays: [], pauses: [], caps: [], jobs: [], broken: [] },
    unsent: [{ unsentReason: 'ready', holdReason: null, emails: 2, oldestDueAt }],
    workers: [{ hostname: 'a', pid: 1, isRunning: true, startedAt: now, heartbeatAt: now, sending: 0 }],
    webhooks: { endpoints: 0, failing: 0, paused: 0, unpublished: 0 },
  };
  t.strictSame(actsIn(calm, now), ['2 emails (ready), due since 2030-01-31 09:00:00 UTC, have not left.']);
  t.strictSame(actsIn(calm, new Date(oldestDueAt.getTime() + 299_000)), []);
  const relay = { relay: 'ses', condition: 'busy', since: null, pausedUntil: now, code: null, detail: null } as const;
  t.strictSame(actsIn({ ...calm, relays: [relay] }, now), []);
  t.strictSame(
    actsIn({ ...calm, unsent: [{ unsentReason: 'held', holdReason: 'survey_paused', emails: 2, oldestDueAt }] }, now),
    [],
  );
  t.end();
});
