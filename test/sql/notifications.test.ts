// Which emails members get about low scores and their week, and when.
import t from 'tap';
import type { NotificationContent, Role } from '../../src/database/store.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

const { sql, store, connect } = await createTestDatabase(t);
const PER_HOUR = 5;

/** A survey with a member who is told of scores below a limit. */
async function createAlert(role: Role = 'owner', below = 4) {
  const made = await createSurvey(store);
  const { email } = await createMember(store, made.workspace, role, `${role}-${made.survey}@example.com`);
  await store.setScoreAlert(made.workspace, email, made.survey, 'score', below);
  return { ...made, email };
}

const respond = (survey: string, score: unknown, comment = 'Too slow') =>
  sql`select invite.record_response(${survey}, ${sql.json({ score, comment } as never)})`;
const prepare = (at: string) => sql`select invite.prepare_notifications(${at})`;

/** The emails to a member that have not ended, with the responses that each tells. */
const emailsTo = (email: string) => sql`
  select n.id, n.kind, n.week_ends_on::text, n.due_at, array(select l.response_id from invite.low_scores as l where l.notification_id = n.id order by 1) as responses
  from invite.notifications as n join invite.notified_members as m on m.id = n.notified_id
  where m.email = ${email} and n.ended_at is null order by n.id`;

async function contentOf(id: string, at = '2030-01-07T09:00:00Z'): Promise<NotificationContent> {
  const [row] = await sql`select * from invite.notification_content(${id}, ${at})`;
  return row as never;
}

/** Later than what other tests have left. */
let hours = 0;
const later = (minutes = 0) => new Date(Date.UTC(2030, 0, 8, 9, minutes) + 7_200_000 * hours).toISOString();
t.beforeEach(() => {
  hours += 1;
});

t.test('a member is told of a score below the limit, in an email of its own, and of no other', async (t) => {
  const { survey, email } = await createAlert();
  for (const score of [4, 10, null, '3', 3.5, 'none', { x: 1 }, 99999]) await respond(survey, score);
  await respond(survey, 3);
  await respond(survey, 0);
  await prepare(later());
  const emails = await emailsTo(email);
  const scores = await sql`
    select answers -> 'score' as score from invite.responses where id = any (${emails.flatMap(({ responses }) => responses)}) order by id`;
  t.strictSame(
    scores.map(({ score }) => score),
    ['3', 3, 0],
  );
  t.ok(emails.every(({ responses }) => responses.length === 1));
});

t.test('of hundreds of low scores within an hour, at most five emails tell, and each score is told once', async (t) => {
  const { survey, email } = await createAlert();
  const told: string[] = [];
  for (let minute = 0; minute < 60; minute += 10) {
    await sql`
      insert into invite.responses (survey_id, submitted_at, answers)
      select ${survey}, now(), '{"score": 1}' from generate_series(1, ${minute === 20 ? 200 : 2})`;
    await prepare(later(minute));
  }
  const emails = await emailsTo(email);
  t.ok(emails.length <= PER_HOUR, String(emails.length));
  t.ok(emails.some(({ responses }) => responses.length >= 200));
  told.push(...emails.flatMap(({ responses }) => responses));
  const [waiting] = await sql`
    select count(*)::integer as number from invite.low_scores as l join invite.notified_members as m on m.id = l.notified_id
    where m.email = ${email} and notification_id is null`;
  t.equal(told.length + waiting?.number, 210);
  t.ok(waiting?.number > 0, 'the rest waits');
  const [job] = await sql`select max(run_at) as at from graphile_worker.jobs where task_identifier = 'send_notifications'`;
  t.ok(job?.at > new Date(later()), 'a job wakes the worker when the hour has a place');
  await prepare(later(61));
  const after = (await emailsTo(email)).slice(emails.length);
  t.equal(after.length, 1, 'together');
  t.equal(after[0]?.responses.length, waiting?.number);
  t.equal(new Set([...told, ...(after[0]?.responses ?? [])]).size, 210);
  const { content } = await contentOf(emails.find(({ responses }) => responses.length >= 200)?.id);
  t.match(content, { total: 200, scores: { length: 25 } }, 'the email has a length');
});

t.test('two workers decide about a member once, and neither waits', async (t) => {
  const { survey, email } = await createAlert();
  await respond(survey, 1);
  const other = connect();
  await other.begin(async (transaction) => {
    await transaction`select invite.prepare_notifications(${later()})`;
    await prepare(later());
  });
  t.equal((await emailsTo(email)).length, 1);
});

t.test('a response never waits for a member who is being removed, and the member gets nothing', async (t) => {
  const { workspace, survey, email } = await createAlert('viewer');
  await respond(survey, 1);
  await prepare(later());
  const [{ id } = { id: '' }] = await emailsTo(email);
  const other = connect();
  await other.begin(async (transaction) => {
    await transaction`select invite.upsert_member(${workspace}, 'boss@example.com', 'owner')`;
    await transaction`select invite.remove_member(${workspace}, ${email})`;
    await respond(survey, 2);
  });
  t.match(await contentOf(id), { content: null, email: null }, 'also of what was decided before');
  t.same(await sql`select * from invite.claim_notifications(100, 60, ${later()}) where id = ${id}`, []);
  await prepare(later(1));
  t.same(await emailsTo(email), []);
  await store.upsertMember(workspace, email, 'viewer');
  await respond(survey, 1);
  await prepare(later(2));
  t.same(await emailsTo(email), [], 'a member who comes back has chosen nothing');
});

t.test('roles that see no addresses get none, and a role that changes meanwhile counts', async (t) => {
  const batch = await createBatch(store, { recipients: [{ email: 'ada@example.org', name: 'Ada' }] });
  const { email } = await createMember(store, batch.workspace, 'editor', 'told@example.com');
  await store.setScoreAlert(batch.workspace, email, batch.survey, 'score', 7);
  const [link] = await sql`select invite.link_token(i) as token from invite.invitations as i where i.batch_id = ${batch.batch}`;
  await sql`select invite.record_response(${batch.survey}, '{"score": 2, "comment": "Cold"}', ${link?.token})`;
  await prepare(later());
  const [{ id } = { id: '' }] = await emailsTo(email);
  t.match(await contentOf(id), {
    content: { scores: [{ email: 'ada@example.org', name: 'Ada', score: 2, highest: 10, comments: [{ text: 'Cold' }] }] },
  });
  await store.upsertMember(batch.workspace, email, 'viewer');
  const found = await contentOf(id);
  t.match(found, { content: { scores: [{ email: null, name: null, comments: [{ text: 'Cold' }] }] } });
  t.notOk(JSON.stringify(found.content).includes('ada@'));
});

t.test('an erased person is in no email: neither what waits nor what was decided holds a word', async (t) => {
  const batch = await createBatch(store, { recipients: [{ email: 'eve@example.org' }] });
  const { email } = await createMember(store, batch.workspace, 'owner', 'told2@example.com');
  await store.setScoreAlert(batch.workspace, email, batch.survey, 'score', 7);
  const [link] = await sql`select invite.link_token(i) as token from invite.invitations as i where i.batch_id = ${batch.batch}`;
  await sql`select invite.record_response(${batch.survey}, '{"score": 2, "comment": "MY SECRET WORDS"}', ${link?.token})`;
  await prepare(later());
  const [{ id } = { id: '' }] = await emailsTo(email);
  await sql`select invite.erase_email(${batch.workspace}, 'eve@example.org', with_response => true)`;
  t.match(await contentOf(id), { content: null });
  for (const table of ['notifications', 'low_scores', 'notified_members'])
    t.notOk(JSON.stringify(await sql`select * from invite.${sql(table)}`).includes('SECRET'), table);
  const jobs = await sql`select * from graphile_worker._private_jobs`;
  t.notOk(JSON.stringify(jobs).includes('SECRET'));
});

t.test('workspaces take turns', async (t) => {
  await sql`update invite.notifications set due_at = null, ended_at = now() where due_at is not null`;
  const large = await createAlert();
  const small = await createAlert();
  const [{ id: notified } = { id: '' }] = await sql`select id from invite.notified_members where email = ${large.email}`;
  await sql`
    insert into invite.notifications (notified_id, kind, created_at, due_at)
    select ${notified}, 'low_scores', ${later()}, ${later()} from generate_series(1, 100)`;
  await respond(small.survey, 1);
  await prepare(later(1));
  const [{ id } = { id: '' }] = await emailsTo(small.email);
  const claimed = await sql`select id from invite.claim_notifications(2, 60, ${later(2)})`;
  t.ok(
    claimed.some((one) => one.id === id),
    'the small one is among the first two',
  );
  t.equal(
    (await sql`select * from invite.claim_notifications(200, 60, ${later(2)})`).length,
    99,
    'what is claimed is claimed once',
  );
  t.equal(
    (await sql`select * from invite.claim_notifications(200, 60, ${later(4)})`).length,
    101,
    'a lost worker loses its lease',
  );
});

t.test('what could not be sent is tried again for a day; an attempt that comes late settles nothing', async (t) => {
  const { survey, email } = await createAlert();
  await respond(survey, 1);
  await prepare(later());
  const [{ id } = { id: '' }] = await emailsTo(email);
  const state = async () => (await sql`select due_at, outcome, ended_at from invite.notifications where id = ${id}`)[0];
  const claim = (at: string) => sql`select * from invite.claim_notifications(1000, 60, ${at})`;
  const settle = (attempts: number, code: string, again: boolean, at: string) =>
    sql`select invite.settle_notification(${id}, ${attempts}, ${code}, ${again}, ${at})`;
  await claim(later());
  await settle(1, 'timeout', true, later());
  t.match(await state(), { outcome: 'timeout', ended_at: null });
  await claim(later(5));
  await settle(1, 'sent', false, later(5));
  t.match(await state(), { outcome: 'timeout' });
  const tomorrow = new Date(Date.parse(later()) + 25 * 3_600_000).toISOString();
  await settle(2, 'timeout', true, tomorrow);
  t.match(await state(), { due_at: null, ended_at: new Date(tomorrow) });
  t.same(await sql`select * from invite.low_scores where notification_id = ${id}`, []);
});

t.test('test workspaces never alert', async (t) => {
  const { workspace, survey, email } = await createAlert();
  const test = await store.createTestWorkspace(workspace, undefined);
  const [copy] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  t.equal(await constraint(store.setScoreAlert(test, email, copy?.id, 'score', 4)), 'notified_members_of_test');
  t.equal(await constraint(store.setWeeklyReport(test, email, true, undefined)), 'notified_members_of_test');
  await respond(copy?.id, 1);
  await prepare(later());
  t.same(await emailsTo(email), []);
  t.ok(survey);
});

t.test('a rule must fit its question', async (t) => {
  const { workspace, survey, email } = await createAlert();
  const elsewhere = await createSurvey(store);
  const set = (question: string, below: number, id = survey, who = email) =>
    store.setScoreAlert(workspace, who, id, question, below);
  t.equal(await constraint(set('comment', 4)), 'score_alerts_question_known');
  t.equal(await constraint(set('none', 4)), 'score_alerts_question_known');
  for (const below of [0, -1, 12, 2_000_000]) t.equal(await constraint(set('score', below)), 'score_alerts_below_range');
  await t.rejects(set('score', 4, elsewhere.survey), { code: 'P0002' });
  await t.rejects(set('score', 4, survey, 'nobody@example.com'), { code: 'P0002' });
  await set('score', 11);
  await set('score', 11);
  const entries =
    await sql`select detail from invite.audit_log where workspace_id = ${workspace} and action = 'notifications_changed' order by id`;
  t.match(
    entries.map(({ detail }) => detail.scores_below),
    [4, 11],
    'what changes nothing is no entry',
  );
});

t.test('the next report is on a Monday at eight in every zone, also where the clocks change', async (t) => {
  const [wrong] = await sql`
    select count(*)::integer as number, min(z.name) as example
    from (select name from invite.time_zones) as z
    cross join generate_series('2026-01-01 00:30Z'::timestamptz, '2027-03-31', interval '157 hours') as a (at)
    cross join lateral (select invite.next_report_at(z.name, a.at) as due_at) as d
    cross join lateral (select d.due_at at time zone z.name as local) as l
    where extract(isodow from l.local) <> 1 or l.local::time <> '08:00' or d.due_at <= a.at or d.due_at > a.at + interval '7 days 2 hours'`;
  t.match(wrong, { number: 0 });
});

t.test('a report comes each week by the clock of the member, once, and after an outage only the newest', async (t) => {
  await sql`update invite.notifications set due_at = null, ended_at = now() where due_at is not null`;
  const { workspace, email } = await createAlert();
  // The clocks of Berlin go forward on 31 March 2030 at night, a Sunday: Monday comes an hour earlier.
  await sql`select invite.set_weekly_report(${workspace}, ${email}, true, 'Europe/Berlin', '2030-03-20 12:00Z')`;
  const due = async () =>
    (await sql`select report_due_at from invite.notified_members where email = ${email}`)[0]?.report_due_at.toISOString();
  t.equal(await due(), '2030-03-25T07:00:00.000Z');
  await prepare('2030-03-25 06:59:59Z');
  t.same(await emailsTo(email), []);
  await prepare('2030-03-25 07:00Z');
  await prepare('2030-03-25 07:01Z');
  t.match(await emailsTo(email), [{ kind: 'weekly_report', week_ends_on: '2030-03-25' }]);
  t.equal(await due(), '2030-04-01T06:00:00.000Z');
  await prepare('2030-04-23 12:00Z');
  t.match(await emailsTo(email), [{}, { week_ends_on: '2030-04-22' }]);
  t.equal(await due(), '2030-04-29T06:00:00.000Z');
  t.equal(await constraint(store.setWeeklyReport(workspace, email, true, 'Mars/Base')), 'notified_members_time_zone_known');
  await store.setWeeklyReport(workspace, email, false, undefined);
  await prepare('2030-05-01 12:00Z');
  t.equal((await emailsTo(email)).length, 2);
});

t.test('a report has the figures of the week, what fell, and the comments; a week without responses says so', async (t) => {
  const { workspace, survey, email } = await createAlert('viewer');
  const at = (day: string) => `${day} 12:00Z`;
  const add = (day: string, score: number, comment: string) =>
    sql`insert into invite.responses (survey_id, submitted_at, answers) values (${survey}, ${at(day)}, ${sql.json({ score, comment })})`;
  for (const score of [10, 9, 9, 8]) await add('2030-02-05', score, 'Before');
  await add('2030-02-12', 10, 'Lovely');
  await add('2030-02-13', 2, 'Broken twice');
  await add('2030-02-14', 1, 'x'.repeat(2000));
  await add('2030-02-15', 7, 'Neither');
  // Sunday night in Berlin belongs to the week; the hour after doesn't.
  await sql`insert into invite.responses (survey_id, submitted_at, answers) values
    (${survey}, '2030-02-17 22:59Z', '{"score": 3}'), (${survey}, '2030-02-17 23:01Z', '{"score": 10, "comment": "Next week"}')`;
  const report = async (day: string) =>
    (await sql`select invite.weekly_report(${workspace}, 'viewer', 'Europe/Berlin', ${day}, ${`${day} 07:00Z`}) as report`)[0]
      ?.report;
  const found = await report('2030-02-18');
  t.match(found, {
    first_day: '2030-02-11',
    last_day: '2030-02-17',
    surveys: [{ survey_id: survey, responses: 5, responses_before: 4, score: { value: 4.6, before: { value: 9 } } }],
    best: [{ score: 10, comment: 'Lovely' }],
    worst: [
      { score: 1, comment: /^x{500}$/ },
      { score: 2, comment: 'Broken twice' },
    ],
  });
  t.equal(found.best.length + found.worst.length, 3);
  t.match(await report('2031-02-17'), { surveys: [], best: [], worst: [], attention: [] });
  t.ok(email);
});

t.test('a link stops one kind for its member; a wrong one tells and changes nothing', async (t) => {
  const { workspace, survey, email } = await createAlert();
  await respond(survey, 1);
  await prepare(later());
  await store.setWeeklyReport(workspace, email, true, undefined);
  const [{ id } = { id: '' }] = await emailsTo(email);
  const { token } = await contentOf(id);
  const chosen = async () => (await store.listNotifications(workspace))[0];
  const [home, rest] = [token.slice(0, 8), token.slice(8)];
  for (const wrong of [`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, `none0000${rest}`, `${home}${'A'.repeat(33)}`])
    await store.stopNotifications(wrong, 'low_scores');
  t.match(await chosen(), { score_alerts: 1 });
  await store.stopNotifications(token, 'low_scores');
  await store.stopNotifications(token, 'low_scores');
  t.match(await chosen(), { score_alerts: 0, waiting_emails: 0, report_due_at: Date }, 'what waits goes too');
  await store.stopNotifications(token, 'weekly_report');
  t.match(await chosen(), { report_due_at: null });
  const [entry] =
    await sql`select actor, detail from invite.audit_log where workspace_id = ${workspace} order by id desc limit 1`;
  t.match(entry, { actor: email, detail: { weekly_report: false } });
});

t.test('what ended a week ago is deleted, and with a survey its rules', async (t) => {
  const { workspace, survey, email } = await createAlert();
  await respond(survey, 1);
  await prepare('2020-01-01 00:00Z');
  await sql`update invite.notifications set due_at = null, ended_at = '2020-01-01 00:00Z' where ended_at is null`;
  await sql`update invite.low_scores set noticed_at = '2020-01-01 00:00Z'`;
  await sql`select invite.prune_expired('notifications')`;
  t.same(await sql`select * from invite.notifications where ended_at < '2020-02-01'`, []);
  t.same(await sql`select * from invite.low_scores`, []);
  await until('the survey is deleted', async () => !(await store.deleteSurvey(survey)).more);
  t.match(await store.listNotifications(workspace), [{ email, score_alerts: 0 }]);
});
