// The emails to members about what happened: what they say, that each is sent once, and the link that stops them.
import t from 'tap';
import { createLog, type Log } from '../../src/log.ts';
import type { Outcome } from '../../src/relay/relay.ts';
import { createNotifier } from '../../src/worker/notifier.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createKeeper } from '../fixtures/mail.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, silent, until } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'));
const render = { publicUrl: 'https://s.example', from: { name: 'Acme', email: 'surveys@example.com' } };
const TITLES = ['Order', '<b>Ü & "co"</b>', 'שאלון לקוחות', '顧客アンケート', 'x'.repeat(255)];

let number = 0;
/** A member who is told of scores below 7, and a person who gave one. */
async function createCase(role: 'owner' | 'viewer' = 'owner', comment = 'The delivery was <late>,\nand nobody answered.') {
  number += 1;
  const batch = await createBatch(store, { recipients: [{ email: 'ada@example.org', name: 'Ada Lovelace' }] });
  await store.upsertSurvey({ workspaceId: batch.workspace, id: batch.survey, title: TITLES[number % TITLES.length] ?? '' });
  const { email } = await createMember(store, batch.workspace, role, `member${number}@example.com`);
  await store.setScoreAlert(batch.workspace, email, batch.survey, 'score', 7);
  const [link] = await sql`select invite.link_token(i) as token from invite.invitations as i where i.batch_id = ${batch.batch}`;
  const respond = () => sql`select invite.record_response(${batch.survey}, ${sql.json({ score: 2, comment })}, ${link?.token})`;
  return { ...batch, email, respond };
}

/** Sends what is due with this outcome, until nothing is. */
async function sendAll(outcome: Outcome = { kind: 'accepted' }, log: Log = silent) {
  const { messages, sender } = createKeeper(outcome);
  const notifier = createNotifier({ store, sender, render, log });
  notifier.wake();
  await until('everything was tried', async () => {
    const [left] = await sql`
      select
        (select count(*) from invite.notifications where due_at <= now() or leased_until > now())
        + (select count(*) from invite.low_scores where notification_id is null) as number`;
    return Number(left?.number) === 0;
  });
  await notifier.stop();
  return messages;
}

t.test('an email about a low score says who said what, and leads to the response', async (t) => {
  const { workspace, survey, email, respond } = await createCase();
  await respond();
  const [message, ...others] = await sendAll();
  t.equal(others.length, 0);
  const [{ id } = { id: '' }] = await sql`select id from invite.responses where survey_id = ${survey}`;
  t.match(message, { to: { email }, subject: /^2 of 10: / });
  for (const part of [message?.text ?? '', message?.html ?? '']) {
    t.match(part, 'ada@example.org');
    t.match(part, `https://s.example/surveys/${survey}/responses/${id}`);
    t.match(part, `https://s.example/workspaces/${workspace}/notifications`);
    t.notMatch(part, /undefined|null|NaN|\[object/);
  }
  t.match(message?.text, 'The delivery was <late>,\nand nobody answered.');
  t.match(message?.html, 'The delivery was &#60;late&#62;,');
  t.notMatch(message?.html, /<img/);
  t.same(await sendAll(), [], 'once');
});

t.test('a viewer’s email has no address, no name and no way to them', async (t) => {
  const { respond } = await createCase('viewer');
  await respond();
  const [message] = await sendAll();
  t.match(message?.text, 'The delivery was');
  t.notMatch(JSON.stringify(message), /ada@|Lovelace|mailto/);
});

t.test('one that may not have left is tried again with the same key, and the log has no address', async (t) => {
  const { email, respond } = await createCase();
  await respond();
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => lines.push(line) });
  const [first] = await sendAll({ kind: 'unknown', code: 'timeout', detail: email }, log);
  await sql`update invite.notifications set due_at = now() where due_at is not null`;
  const [second] = await sendAll();
  t.equal(first?.idempotencyKey, second?.idempotencyKey);
  t.equal(first?.html, second?.html);
  t.match(lines.join(''), 'email to a member attempted');
  t.notMatch(lines.join(''), /@example|delivery was/);
  t.same(await sendAll(), []);
});

t.test('one that the relay refuses for good is given up', async (t) => {
  const { workspace, respond } = await createCase();
  await respond();
  t.equal((await sendAll({ kind: 'rejected', code: 'no', detail: 'no' })).length, 1);
  t.same(await sendAll(), []);
  t.match(await store.listNotifications(workspace), [{ waiting_emails: 0, last_outcome: 'no' }]);
});

t.test('a worker that was lost while it sent: the email is sent again with its key once its lease ends', async (t) => {
  const { respond } = await createCase();
  await respond();
  await store.prepareNotifications();
  const [claimed] = await store.claimNotifications(1, 60);
  t.ok(claimed);
  const { messages, sender } = createKeeper({ kind: 'accepted' });
  const notifier = createNotifier({ store, sender, render, log: silent });
  notifier.wake();
  await notifier.stop();
  t.equal(messages.length, 0);
  await sql`update invite.notifications set due_at = now(), leased_until = now() where due_at is not null`;
  const [message] = await sendAll();
  t.equal(message?.idempotencyKey, `notification.${claimed?.id}`);
});

t.test('many low scores come as one email with the lowest; their number is exact', async (t) => {
  const { survey } = await createCase();
  await sql`
    insert into invite.responses (survey_id, submitted_at, answers)
    select ${survey}, now(), jsonb_build_object('score', n % 7, 'comment', repeat('w', 1200)) from generate_series(1, 300) as n`;
  const [message, ...others] = await sendAll();
  t.equal(others.length, 0);
  t.match(message?.subject, /^300 low scores: /);
  t.match(message?.text, 'And 275 more: https://s.example/workspaces/');
  t.ok((message?.html.length ?? 0) < 100_000, 'Gmail would cut it off');
});

t.test('a weekly report has figures, what fell, comments and what needs attention; without responses it says so', async (t) => {
  const { workspace, survey, email, respond } = await createCase('owner', 'Cold pizza');
  await respond();
  await sendAll();
  await store.setWeeklyReport(workspace, email, true, 'Asia/Tokyo');
  const week = async (day: string) => {
    await sql`update invite.notified_members set report_due_at = now() where email = ${email}`;
    await store.prepareNotifications();
    await sql`update invite.notifications set week_ends_on = ${day} where kind = 'weekly_report' and due_at is not null`;
    return (await sendAll())[0];
  };
  const [next] = await sql`select (date_trunc('week', now() at time zone 'Asia/Tokyo') + interval '7 days')::date::text as day`;
  await sql`
    insert into invite.responses (survey_id, submitted_at, answers)
    select ${survey}, now() - interval '7 days', '{"score": 9, "comment": "Great"}' from generate_series(1, 12)`;
  const message = await week(next?.day);
  t.match(message?.subject, /: 1 response to Acme$/);
  for (const part of [message?.text ?? '', message?.html ?? '']) {
    for (const word of [
      'Average 2.0',
      '−7.0 from the week before',
      '12 the week before',
      'Cold pizza',
      '1 low score, below 5',
      'Read them',
    ])
      t.ok(part.includes(word), word);
    t.notMatch(part, /undefined|null|NaN|\[object|ada@/);
  }
  t.match(message?.headers, { 'List-Unsubscribe': /\/weekly-report>$/ });
  const quiet = await week('2020-01-06');
  t.match(quiet?.text, 'No responses this week.');
  t.match(quiet?.subject, '30 Dec to 5 Jan 2020: 0 responses to Acme');
});

t.test('the link in an email asks by GET, and stops by one POST of an email program', async (t) => {
  const { workspace, respond } = await createCase();
  await respond();
  const [message] = await sendAll();
  t.equal(message?.headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click');
  const address = /<https:\/\/s\.example(.*)>/.exec(message?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
  const rules = async () => (await store.listNotifications(workspace))[0]?.score_alerts;
  const asked = await fetch(server.url + address);
  t.equal(asked.status, 200);
  t.match(await asked.text(), `<form method="post" action="${address}">`);
  t.equal(await rules(), 1, 'a GET, as of a program that checks links, stops nothing');
  const wrong = address.replace(/[\w-]{4}\/low/, 'AAAA/low');
  for (const path of [wrong, address, address]) {
    const stopped = await fetch(server.url + path, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
    t.equal(stopped.status, 200);
    t.match(await stopped.text(), 'You get no more emails about low scores');
    t.equal(await rules(), path === wrong ? 1 : 0);
  }
  for (const path of [address.replace('low-scores', 'constructor'), '/notifications/short/low-scores'])
    t.equal((await fetch(server.url + path, { method: 'POST' })).status, 404);
});
