// Each fault raises its one alert within its time, and an ordinary day none. The faults are real ones of a running service: what /metrics said
// before and during each is given to Prometheus' own tool, which tells which alerts of deploy/alerts.yaml fire.
import { equal } from 'node:assert/strict';
import t, { type Test } from 'tap';
import { startConfiguredMetrics } from '../../src/commands/service.ts';
import type { Outcome } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { startTestServer } from '../fixtures/http.ts';
import { clearJobs } from '../fixtures/inspect.ts';
import { checkAlerts, checkRules, hasPromtool, type Phase, type Samples, samplesOf } from '../fixtures/promtool.ts';
import { createSurvey, createTestDatabase, createToken, silent, testConfig, until } from '../fixtures/setup.ts';
import { RENDER } from '../fixtures/test-workspaces.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

if (!hasPromtool) {
  t.plan(0, 'promtool is missing: install Prometheus to test the alerts');
  process.exit(0);
}

const { sql, store, url, urlAs } = await createTestDatabase(t);
const metrics = await startConfiguredMetrics(testConfig({ METRICS_PORT: '0' }), url, silent);
t.teardown(metrics.close);
const { recorder } = metrics;
const { post } = await startTestServer(t, urlAs('invite_web'), {}, silent, recorder);
const { survey, workspace } = await createSurvey(store);
const { secret } = await createToken(store, survey);

let outcome: Outcome = { kind: 'accepted' };
const startWorking = async () => {
  const sender = { maxBatch: 1, send: async () => [outcome], close: async () => {} };
  const worker = startWorker({
    ...{ databaseUrl: url, databasePool: 4, concurrency: 4, log: silent, recorder },
    delivery: { sender, render: RENDER, concurrency: 5, relay: { name: 'resend', rate: undefined } },
  });
  await worker.started;
  return worker;
};
let worker = await startWorking();
t.teardown(() => worker.stop());

const read = async (from = metrics.url ?? ''): Promise<Samples> => samplesOf(await (await fetch(from)).text());
let last = 0;
const invite = async (count = 3) => {
  for (let left = count; left > 0; left -= 1) {
    last += 1;
    equal((await post({ email: `p${last}@example.com` }, { secret })).status, 200);
  }
};
const sent = () =>
  until('all are sent', async () => (await sql`select from invite.messages where status in ('queued', 'sending')`).length === 0);
/** A minute in which something happens. */
async function minute(happens: () => Promise<unknown>): Promise<[Samples, Samples]> {
  const before = await read();
  await happens();
  return [before, await read()];
}

const calm = await minute(async () => {
  await invite();
  await sent();
});
const ordinary: Phase = { minutes: 60, samples: calm };

/** @param after Minutes after which the alert must have fired; it is silent five minutes after the end. */
function raises(t: Test, alerts: readonly string[], samples: Phase['samples'], after: number): void {
  checkAlerts(t.testdir({}), [ordinary, { minutes: after + 10, samples }, ordinary], {
    59: [],
    [60 + after]: alerts,
    [60 + after + 9]: alerts,
    [60 + after + 10 + 59]: [],
  });
}

t.test('the rules can be read', async (t) => t.match(checkRules(), 'SUCCESS'));

t.test('a day of ordinary load raises none, with a pause for maintenance and a relay that is busy for minutes', async (t) => {
  const paused = await minute(async () => {
    await store.setSendingPaused(true);
    await invite();
  });
  await store.setSendingPaused(false);
  await sent();
  const busy: [Samples, Samples] = [
    calm[0],
    { ...calm[1], 'invitation_trigger_relay_paused{relay="resend",condition="busy"}': 1 },
  ];
  const phases = [
    { minutes: 700, samples: calm },
    { minutes: 30, samples: paused },
    { minutes: 300, samples: calm },
    { minutes: 4, samples: busy },
    { minutes: 406, samples: calm },
  ];
  checkAlerts(t.testdir({}), phases, Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [hour * 60 + 59, []])));
});

t.test('a process that is down', async (t) => raises(t, ['InvitationProcessDown'], undefined, 4));

t.test('a database that cannot be reached', async (t) => {
  const away = await startConfiguredMetrics(
    testConfig({ METRICS_PORT: '0' }),
    'postgres://nobody:x@127.0.0.1:1/none?connect_timeout=1',
    silent,
  );
  t.teardown(away.close);
  const samples = await read(away.url ?? '');
  t.equal(samples.invitation_trigger_database_up, 0);
  raises(t, ['InvitationDatabaseDown'], [samples, samples], 2);
});

t.test('a relay that refuses the key', async (t) => {
  outcome = { kind: 'config', code: 'http_401', detail: 'The key is unknown.' };
  const refused = await minute(async () => {
    await invite();
    await until('it is paused', async () => Object.keys(await read()).some((name) => name.includes('condition="fault"')));
    // The alert about what is overdue must not come as well.
    await sql`update invite.messages set due_at = due_at - interval '1 hour', not_before = not_before - interval '1 hour' where status = 'queued'`;
  });
  raises(t, ['InvitationRelayFault'], refused, 3);
  outcome = { kind: 'accepted' };
  await sql`update invite.relays set condition = 'healthy', paused_until = null, code = null`;
  await sql`update invite.messages set sweep_at = now(), not_before = now() where status = 'queued'`;
  await sql`select invite.sweep_invitations()`;
  await sent();
});

t.test('a relay that rejects many emails', async (t) => {
  outcome = { kind: 'rejected', code: 'invalid_content', detail: 'No.' };
  const rejected = await minute(async () => {
    await invite();
    await sent();
  });
  outcome = { kind: 'accepted' };
  raises(t, ['InvitationEmailsRejected'], rejected, 20);
});

t.test('no worker, and what is due stays', async (t) => {
  await worker.stop();
  const without = await minute(async () => {
    await invite();
    await sql`update invite.messages set due_at = due_at - interval '1 hour', not_before = not_before - interval '1 hour' where status = 'queued'`;
  });
  t.equal(without[1].invitation_trigger_workers, 0);
  t.ok((without[1].invitation_trigger_queue_overdue_seconds ?? 0) > 3000);
  raises(t, ['InvitationWorkersMissing'], without, 3);
  t.test('beside a worker that takes others, it is overdue', async (t) => {
    const [before, after] = without;
    const busy = { ...after, invitation_trigger_workers: 1 };
    raises(t, ['InvitationsOverdue', 'InvitationsStuck'], [before, busy], 5);
  });
  worker = await startWorking();
  await sql`update invite.messages set sweep_at = now() where status = 'queued'`;
  await sent();
});

t.test('requests and pages that fail', async (t) => {
  const failing = await minute(async () => {
    for (let count = 0; count < 3; count += 1) recorder?.request('/api/invitation-trigger', 500, 'internal_error', 0.01);
    await invite();
    await sent();
  });
  raises(t, ['InvitationRequestsFail'], failing, 4);
  const one = await minute(async () => {
    recorder?.request('/api/invitation-trigger', 503, 'not_ready', 0.01);
    await invite();
    await sent();
  });
  checkAlerts(t.testdir({}), [ordinary, { minutes: 1, samples: one }, ordinary], { 60: [], 62: [], 64: [], 66: [], 90: [] });
  const pages = await minute(async () => {
    for (const status of [200, 500]) recorder?.request('/u/:token', status, status === 500 ? 'internal_error' : undefined, 0.01);
    await invite();
    await sent();
  });
  raises(t, ['InvitationPagesFail'], pages, 12);
});

t.test('jobs that gave up, lost workers, failing webhooks, a forgotten pause', async (t) => {
  await worker.stop();
  await clearJobs(sql);
  await sql`select graphile_worker.add_job('match_relay_events', max_attempts => 1)`;
  const gaveUp = await minute(() => sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'it broke'`);
  await clearJobs(sql);
  worker = await startWorking();
  raises(t, ['InvitationJobsGivenUp'], [gaveUp[0], { ...gaveUp[1], invitation_trigger_workers: 1 }], 6);

  const lost = await minute(async () => recorder?.recovered(1));
  checkAlerts(t.testdir({}), [ordinary, { minutes: 10, samples: lost }, ordinary, ordinary], {
    59: [],
    69: ['InvitationWorkersLost'],
    160: [],
  });

  const { id } = await createWebhook(store, workspace, 'https://hooks.example/x');
  const failing = await minute(() => sql`update invite.webhook_endpoints set failing_since = now() where id = ${id}`);
  raises(t, ['InvitationWebhooksFail'], failing, 62);
  await store.deleteWebhook(id);

  const guarded = await minute(() => sql`update invite.workspaces set guarded_at = now() where id = ${workspace}`);
  raises(t, ['InvitationGuardPaused'], guarded, 3);
  await store.releaseGuard(workspace, 'A note');

  const paused = await minute(() => store.setWorkspacePaused(workspace, true));
  raises(t, ['InvitationSendingPaused'], paused, 24 * 60 + 2);
  await store.setWorkspacePaused(workspace, false);
});

t.test('nothing is scraped', async (t) => {
  checkAlerts(t.testdir({}), [{ minutes: 20, samples: calm }], { 19: [] });
  checkAlerts(t.testdir({}), [], { 4: [], 8: ['InvitationMetricsMissing'] });
});
