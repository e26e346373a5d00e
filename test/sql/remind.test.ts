// Reminding now: an invitation, a batch or a survey. Each gets one more email, or is left alone.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { clearJobs, idsOf, invitationsOf, jobsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const START = Date.parse('2040-01-01T10:00:00.000Z');
/** Days after the first email left. */
const at = (days: number) => new Date(START + days * 86_400_000).toISOString();
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `Person${index}@Example.com` }));

/** Creates a batch whose invitations left at START. */
async function createSent(reminders: number[] = [], count = 1) {
  const fixture = await createBatch(store, { recipients: people(count), reminders });
  const ids = await idsOf(sql, fixture.survey);
  const id = ids[0] ?? 0;
  const worker = await createWorker(store);
  let linkToken = '';
  const claim = async (days: number) => {
    const claimed = await sql`select * from invite.claim_invitations(${ids}::bigint[], ${worker}, ${at(days)})`;
    linkToken = claimed[0]?.link_token ?? linkToken;
    return claimed.map((row) => ({ id: row.id, claim_id: row.claim_id, message_kind: row.message_kind }));
  };
  const settle = (claims: object[], days: number, outcome = 'accepted') =>
    sql`select invite.settle_invitations(${sql.json(claims.map((one) => ({ ...one, outcome })) as never)}, at => ${at(days)})`;
  /** Sends what is due. Returns how many emails that were. */
  const deliver = async (days: number) => {
    const claims = await claim(days);
    await settle(claims, days);
    return claims.length;
  };
  /** The messages of the first invitation: number, status, and the day when it is due. */
  const messages = async () => {
    const rows = await sql`
      select number, status, extract(epoch from due_at - ${at(0)}::timestamptz)::float8 / 86400 as due, is_last
      from invite.messages where invitation_id = ${id} order by number`;
    t.ok(
      rows.every(({ is_last }, place) => is_last === (place === rows.length - 1)),
      'the last one is the last',
    );
    return rows.slice(1).map(({ number, status, due }) => `${number} ${status} ${due}`);
  };
  const remind = async (days: number) =>
    ({ ...(await sql`select * from invite.remind_now(${id}, ${at(days)})`)[0] }) as Record<string, unknown>;
  await sql`update invite.messages set due_at = ${at(0)}, not_before = ${at(0)} where survey_id = ${fixture.survey}`;
  t.equal(await deliver(0), count);
  await clearJobs(sql);
  return { ...fixture, ids, id, claim, settle, deliver, messages, remind, worker, link: () => linkToken };
}

const REMINDED = { reminded: 1, left_alone: 0, next_id: null };
const LEFT = { reminded: 0, left_alone: 1, next_id: null };

t.test('without a list, the first reminder is made, is due now, has a job, and leaves', async (t) => {
  const { survey, ids, remind, messages, deliver } = await createSent();
  t.strictSame(await remind(1), REMINDED);
  t.strictSame(await messages(), ['1 queued 1']);
  const [row] = await sql`select not_before, sweep_at from invite.messages where survey_id = ${survey} and is_last`;
  t.strictSame(row?.not_before, new Date(at(1)));
  t.strictSame(row?.sweep_at, new Date(START + 86_400_000 + 30_000));
  const [job, ...others] = await jobsOf(sql, survey);
  t.match(job, { task: 'send_invitations', payload: { invitation_ids: ids }, run_at: new Date(at(1)) });
  t.same(others, []);
  t.equal(await deliver(1), 1);
  t.strictSame(await messages(), ['1 sent 1'], 'and none follows');
  t.match(await invitationsOf(sql, survey), [{ status: 'sent', message_kind: 'reminder', reminded_at: new Date(at(1)) }]);
});

t.test('a reminder that is queued for later is due now, and the list goes on at its own days', async (t) => {
  const { remind, messages, deliver } = await createSent([3, 7, 14]);
  t.strictSame(await remind(2), REMINDED);
  t.strictSame(await messages(), ['1 queued 2']);
  t.equal(await deliver(2), 1);
  t.strictSame(await messages(), ['1 sent 2', '2 queued 7']);
  t.strictSame(await remind(6.5), REMINDED);
  t.equal(await deliver(6.5), 1);
  t.strictSame((await messages()).at(-1), '3 queued 14');
});

t.test('the next one of the list still comes at least 24 hours after a reminder that was sent by hand', async (t) => {
  const { remind, messages, deliver } = await createSent([6, 7]);
  await remind(5.75);
  await deliver(6.5);
  t.strictSame(await messages(), ['1 sent 5.75', '2 queued 7.5']);
});

t.test('after the list there are more numbers, five in all', async (t) => {
  const { remind, messages, deliver } = await createSent([1, 2]);
  await deliver(1);
  await deliver(2);
  for (const [number, day] of [
    [3, 3],
    [4, 5],
    [5, 7],
  ] as const) {
    t.strictSame(await remind(day), REMINDED);
    t.equal(await deliver(day), 1);
    t.strictSame((await messages()).at(-1), `${number} sent ${day}`);
  }
  t.strictSame(await remind(30), LEFT);
});

t.test('within 24 hours of the message before, and while one is on its way, it is left alone', async (t) => {
  const { remind, messages, deliver, claim, settle } = await createSent([3]);
  t.strictSame(await remind(0.999), LEFT);
  t.strictSame(await messages(), ['1 queued 3']);
  t.strictSame(await remind(1), REMINDED);
  t.strictSame(await remind(1.5), LEFT, 'it is due already');
  const claims = await claim(1.6);
  t.strictSame(await remind(1.7), LEFT, 'it is being sent');
  await settle(claims, 1.7, 'retry');
  t.strictSame(await remind(1.7), LEFT, 'it is tried again');
  await deliver(2);
  t.strictSame(await remind(2.999), LEFT);
  t.strictSame(await remind(3), REMINDED);
});

type Sent = Awaited<ReturnType<typeof createSent>>;
const end = (id: number, change: string) =>
  sql.unsafe(`update invite.messages set ${change} where invitation_id = ${id} and is_last`);
const ENDED = 'not_before = null, sweep_at = null';
/** With no reminder to come, or with one that is queued for later. */
const REFUSED: Record<string, [lists: number[][], (sent: Sent) => PromiseLike<unknown>]> = {
  responded: [[[], [30]], ({ survey, link }) => store.submitResponse(survey, { score: 9 }, link())],
  bounced: [[[], [30]], ({ id }) => sql`update invite.invitations set bounced_at = now() where id = ${id}`],
  suppressed: [[[], [30]], ({ workspace }) => store.suppressEmail(workspace, 'PERSON0@example.com')],
  erased: [[[], [30]], ({ workspace }) => store.eraseEmail(workspace, 'person0@example.com', false)],
  declined: [
    [[], [30]],
    ({ workspace, survey }) =>
      sql`insert into invite.recipient_choices (workspace_id, email, survey_id) values (${workspace}, 'person0@example.com', ${survey})`,
  ],
  'cancelled while it was being sent': [[[]], ({ id }) => end(id, 'cancelled_at = now()')],
  cancelled: [[[30]], ({ id }) => store.cancelInvitation(String(id))],
  'skipped by a rule': [[[30]], ({ id }) => end(id, `status = 'skipped', rule = 'too_late', skipped_at = now(), ${ENDED}`)],
  failed: [[[30]], ({ id }) => end(id, `status = 'failed', failed_at = now(), ${ENDED}`)],
  held: [[[30]], ({ id }) => end(id, `status = 'waiting', sweep_at = null`)],
};
t.test('until the last day before its link expires, and not after the survey has ended', async (t) => {
  for (const [ends, last] of [
    ['link_days = 10', 9],
    [`closes_at = '${at(4)}'`, 4],
  ] as const) {
    const sent = await createSent([30], 2);
    await sql.unsafe(`update invite.surveys set ${ends} where id = '${sent.survey}'`);
    t.strictSame(await sent.remind(last + 0.001), LEFT, ends);
    t.strictSame(await sent.remind(last), REMINDED, ends);
  }
});

for (const [what, [lists, change]] of Object.entries(REFUSED)) {
  t.test(`${what}: it is left as it is`, async (t) => {
    for (const reminders of lists) {
      const sent = await createSent(reminders);
      await change(sent);
      const before = await sql`select * from invite.messages where survey_id = ${sent.survey} order by number`;
      t.strictSame(await sent.remind(5), LEFT);
      t.match(await sql`select * from invite.remind_batch_now(${sent.batch}, ${at(5)})`, [LEFT]);
      const [row] = await sql`select reminded, next_id from invite.remind_survey_now(${sent.survey}, at => ${at(5)})`;
      t.match(row, { reminded: 0, next_id: null });
      t.strictSame(await sql`select * from invite.messages where survey_id = ${sent.survey} order by number`, before);
      t.strictSame(await jobsOf(sql, sent.survey), []);
    }
  });
}

t.test('what was never sent is left alone', async (t) => {
  const queued = await createBatch(store);
  const scheduled = await createBatch(store, { sendAt: new Date(Date.now() + 86_400_000) });
  for (const { survey, batch } of [queued, scheduled]) {
    const [id] = await idsOf(sql, survey);
    const before = await invitationsOf(sql, survey);
    t.match(await store.remindInvitation(String(id)), { reminded: 0, leftAlone: 1 });
    t.match(await store.remindBatch(batch), { reminded: 0, leftAlone: 1 });
    t.match(await store.remindSurvey(survey), { reminded: 0, leftAlone: 0, nextId: null });
    t.strictSame(await invitationsOf(sql, survey), before);
  }
});

t.test("another workspace's suppression of the address holds nothing back", async (t) => {
  const [mine, theirs] = [await createSent(), await createSent()];
  await store.suppressEmail(theirs.workspace, 'person0@example.com');
  t.strictSame(await mine.remind(1), REMINDED);
  t.strictSame(await theirs.remind(1), LEFT);
});

t.test('a batch is reminded at once, and of a survey nothing else', async (t) => {
  const sent = await createSent([3], 5);
  const other = await createSent([3], 2);
  await store.submitResponse(sent.survey, { score: 9 }, sent.link());
  t.match(await sql`select * from invite.remind_batch_now(${sent.batch}, ${at(1)})`, [{ reminded: 4, left_alone: 1 }]);
  t.equal((await jobsOf(sql, sent.survey)).length, 1, 'one job');
  t.equal(await sent.deliver(1), 4);
  t.strictSame(await other.messages(), ['1 queued 3']);
});

t.test('a survey is reminded in bounded steps, each invitation once, also one that is sent again meanwhile', async (t) => {
  const { survey, ids, deliver } = await createSent([3], 5);
  const other = await createSent([3]);
  // The second has no reminder, and the third is beyond its first: both are in the order of their ids.
  await sql`delete from invite.messages where invitation_id = ${ids[1] ?? 0} and number = 1`;
  await sql`update invite.messages set is_last = true where invitation_id = ${ids[1] ?? 0}`;
  await sql`
    update invite.messages set status = 'sent', sent_at = ${at(0)}, not_before = null, sweep_at = null where invitation_id = ${ids[2] ?? 0} and number = 1`;
  const step = async (after: unknown, day: number) =>
    (await sql`select * from invite.remind_survey_now(${survey}, ${after as string}, 2, ${at(day)})`)[0];
  t.match(await step(0, 1), { reminded: 2, left_alone: 0, next_id: String(ids[1]) });
  t.equal(await deliver(1), 2);
  t.match(await step(ids[1], 2), { reminded: 2, next_id: String(ids[3]) });
  t.match(await step(ids[3], 2), { reminded: 1, next_id: null });
  t.match(await step(ids[4], 2), { reminded: 0, left_alone: 0, next_id: null });
  t.equal(await deliver(2), 3);
  t.strictSame(await other.messages(), ['1 queued 3']);
});

t.test('the pages count whom a reminder would reach, and nobody of another survey', async (t) => {
  const sent = await createSent([3], 4);
  const other = await createSent([]);
  const { session } = await createMember(store, sent.workspace, 'editor', `editor-${sent.survey}@example.com`);
  await store.submitResponse(sent.survey, { score: 9 }, sent.link());
  await sql`update invite.messages set sent_at = now() - interval '25 hours' where number = 0 and survey_id in (${sent.survey}, ${other.survey})`;
  const count = (of: { batch?: string; invitation?: string } = {}) => store.console.countRemindable(session, sent.survey, of);
  t.equal(await count(), 3);
  t.equal(await count({ batch: sent.batch }), 3);
  t.equal(await count({ batch: other.batch }), 0);
  t.equal(await count({ invitation: String(sent.ids[3]) }), (await count({ invitation: String(sent.ids[0]) })) === 0 ? 1 : 0);
  t.equal(await count({ invitation: String(other.id) }), 0);
  t.equal(await store.console.remindBatch(session, sent.survey, sent.batch), 3);
  t.equal(await count(), 0);
});

t.test('it is recorded as an event, if its workspace records events', async (t) => {
  for (const records of [true, false]) {
    const { survey, remind, deliver } = await createSent();
    await sql`update invite.messages set records_events = ${records} where survey_id = ${survey}`;
    await remind(1);
    await deliver(1);
    const events = await sql`select type from invite.new_events where survey_id = ${survey} and type = 'invitation.reminded'`;
    t.equal(events.length, records ? 1 : 0);
  }
});

t.test('what does not exist raises P0002', async (t) => {
  for (const remind of [
    () => store.remindInvitation('-1'),
    () => store.remindBatch(randomUUID()),
    () => store.remindSurvey('nope'),
  ])
    t.equal(await sqlstate(remind()), 'P0002');
});

t.test('the console role can remind, and the HTTP role cannot', async (t) => {
  const { id } = await createSent();
  const [console, http] = (['invite_admin', 'invite_web'] as const).map((role) => {
    const pool = openDatabase(database.urlAs(role), { applicationName: 'tests' });
    t.teardown(() => pool.end());
    return createStore(pool);
  });
  t.equal(await sqlstate(http?.remindInvitation(String(id)) as Promise<unknown>), '42501');
  t.match(await console?.remindInvitation(String(id)), { leftAlone: 1 });
});
