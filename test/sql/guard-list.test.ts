// A bad list, second by second: how many of its emails leave before the guard pauses the workspace. docs/guard.md has the figures. And a domain that
// several workspaces send from, which is warned of and never paused.
import t from 'tap';
import { renderGuardNotice } from '../../src/mail/member-email.ts';
import { jobsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const START = Date.parse('2030-01-31T12:00:00Z');
const at = (second: number) => new Date(START + second * 1000).toISOString();
const recipients = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `n${index}@example.com` }));

/** Settles the next ones of a survey as sent. Returns their ids. */
async function send(survey: string, worker: string, count: number, second: number): Promise<string[]> {
  const claimed = await sql<{ id: string; claim_id: string }[]>`
    update invite.messages set status = 'sending', sweep_at = null, worker_id = ${worker}, claim_id = gen_random_uuid()
    where invitation_id in (
      select invitation_id from invite.messages where survey_id = ${survey} and status = 'queued' order by invitation_id limit ${count})
    returning invitation_id as id, claim_id`;
  const results = claimed.map((one) => ({ ...one, outcome: 'accepted', relay_message_id: `m-${one.id}` }));
  await sql`select invite.settle_invitations(${sql.json(results)}, at => ${at(second)}::text::timestamptz)`;
  return claimed.map(({ id }) => id);
}

const report = (ids: readonly string[], second: number) =>
  store.recordRelayEvents(
    'resend',
    ids.map((id) => ({
      event_id: `b-${id}`,
      type: 'hard_bounce',
      occurred_at: at(second),
      invitation_id: id,
      relay_message_id: `m-${id}`,
    })),
  );
const check = async (workspace: string, second: number) =>
  (await sql`select invite.check_guard(${workspace}, ${at(second)}::text::timestamptz) as verdict`)[0]?.verdict as string | null;

/** After so many seconds a relay reports a bounce; the check follows a second later. */
const DELAY = 5;
for (const [rate, most] of [
  [1, 210],
  [10, 260],
  [100, 1100],
] as const)
  t.test(`a list of which a fifth bounces is paused soon, at ${rate} emails a second`, async (t) => {
    const { workspace, survey, hash } = await createBatch(store, { recipients: recipients(1000) });
    await acceptTrigger(store, hash, { recipients: recipients(1000) }, 1e6);
    const worker = await createWorker(store);
    const sent: string[][] = [];
    let left = 0;
    for (let second = 0; second < 400; second += 1) {
      // The check of a second ago came first.
      if (second > 0 && (await check(workspace, second)) === 'pause') break;
      sent.push(await send(survey, worker, rate, second));
      left += rate;
      const bad = (sent[second - DELAY] ?? []).filter((id) => Number(id) % 5 === 0);
      if (bad.length > 0) await report(bad, second);
    }
    t.comment(`at ${rate} a second, ${left} left before the pause`);
    t.ok(left <= most, `${left}`);
    t.ok(left >= 200, 'fewer are not judged');
  });

t.test('a domain that several workspaces send from is warned of, once a day, and nobody is paused for others', async (t) => {
  const batches = await Promise.all([1, 2, 3].map(() => createBatch(store, { recipients: recipients(200) })));
  const worker = await createWorker(store);
  for (const { workspace, survey } of batches) {
    await sql`update invite.workspaces set sender = '{"email": "news@Shared.example"}' where id = ${workspace}`;
    const ids = await send(survey, worker, 150, 0);
    await report(ids.slice(0, 12), 10);
  }
  const [{ workspace = '' } = {}] = batches;
  t.equal(await check(workspace, 20), null, 'fewer than 200 of this workspace are not judged');
  await check(batches[1]?.workspace ?? '', 21);
  const warned = await sql`select subject, detail from invite.audit_log where action = 'guard_domain_warned'`;
  t.match(warned, [
    { subject: 'shared.example', detail: { sent: 450, reports: 36, workspaces: 3, outcome: 'bounced', hours: 1 } },
  ]);
  t.equal((await sql`select from invite.workspaces where guarded_at is not null and sender is not null`).length, 0);
  const jobs = (await jobsOf(sql, workspace)).filter(({ task }) => task === 'send_guard_notice');
  t.match(jobs, [{ payload: { email: null, verdict: 'warn', figure: { domain: 'shared.example' } } }]);
  const notice = {
    workspaceId: workspace,
    workspaceName: 'Acme',
    verdict: 'warn' as const,
    figure: warned[0]?.detail,
    isOwner: false,
  };
  const from = { name: 'Surveys', email: 'a@example.org' };
  const { subject, text } = renderGuardNotice(notice, 'operator@example.org', 'key', { publicUrl: 'https://i.example', from });
  t.equal(subject, "Many emails from shared.example don't arrive well");
  t.match(
    text,
    /^3 workspaces send from shared\.example, Acme among them\. Of all of these, 36 of 450 emails \(8%\) sent in the last hour bounced\./,
  );
  t.match(text, 'is never paused');
});
