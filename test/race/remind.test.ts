// Reminding now races with a second one, a claim, a settle, a response, a cancel and an erasure, interleaved by hand.
import t from 'tap';
import { clearJobs, idsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
type Session = typeof sql;

/** Creates an invitation that left two days ago; with a list of reminders, the first of these is queued. */
async function createSent(reminders: number[] = []) {
  const fixture = await createBatch(store, { reminders });
  const [id = 0] = await idsOf(sql, fixture.survey);
  const worker = await createWorker(store);
  const claimBy = async (session: Session) =>
    (await session`select id, claim_id, link_token from invite.claim_invitations(${[id]}::bigint[], ${worker})`)[0];
  const claimed = await claimBy(sql);
  const settleBy = (session: Session, one: typeof claimed) =>
    session`
      select settled, cardinality(locked) as locked
      from invite.settle_invitations(${sql.json([{ id: one?.id, claim_id: one?.claim_id, outcome: 'accepted' }] as never)})`;
  await settleBy(sql, claimed);
  await sql`update invite.messages set sent_at = now() - interval '2 days' where invitation_id = ${id} and number = 0`;
  await clearJobs(sql);
  const messages = async () =>
    (await sql`select number, status from invite.messages where invitation_id = ${id} order by number`).map(
      ({ number, status }) => `${number} ${status}`,
    );
  const due = () => sql`update invite.messages set not_before = now(), due_at = now() where invitation_id = ${id} and number = 1`;
  return { ...fixture, id, claimBy, settleBy, due, messages, linkToken: claimed?.link_token as string };
}

const remindBy = (session: Session, id: number) => session`select reminded, left_alone from invite.remind_now(${id})`;
const sessions = async () => [await openSession(database), await openSession(database)] as const;
const REMINDED = [{ reminded: 1, left_alone: 0 }];
const LEFT = [{ reminded: 0, left_alone: 1 }];

t.test('of two at once the second waits, and reminds nobody: one reminder, one job', async (t) => {
  for (const reminders of [[], [3]]) {
    const { id, survey, messages } = await createSent(reminders);
    const [one, two] = await sessions();
    await one.sql`begin`;
    t.match(await remindBy(one.sql, id), REMINDED);
    const second = remindBy(two.sql, id).execute();
    await two.untilBlocked();
    await one.sql`commit`;
    t.match(await second, LEFT);
    t.strictSame(await messages(), ['0 sent', '1 queued']);
    t.equal((await jobsOf(sql, survey)).length, 1);
  }
});

t.test('one that meets a claim of the reminder waits for it, and leaves what is being sent', async (t) => {
  const { id, due, claimBy, messages } = await createSent([3]);
  await due();
  const [claimer, reminder] = await sessions();
  await claimer.sql`begin`;
  t.ok(await claimBy(claimer.sql));
  const reminded = remindBy(reminder.sql, id).execute();
  await reminder.untilBlocked();
  await claimer.sql`commit`;
  t.match(await reminded, LEFT);
  t.strictSame(await messages(), ['0 sent', '1 sending']);
});

t.test('a claim skips what is being made due, and takes it afterwards, once', async (t) => {
  const { id, claimBy, messages } = await createSent([3]);
  const [reminder, claimer] = await sessions();
  await reminder.sql`begin`;
  t.match(await remindBy(reminder.sql, id), REMINDED);
  t.equal(await claimBy(claimer.sql), undefined);
  await reminder.sql`commit`;
  t.ok(await claimBy(claimer.sql));
  t.equal(await claimBy(claimer.sql), undefined);
  t.strictSame(await messages(), ['0 sent', '1 sending']);
});

t.test(
  'one that meets a settle waits for it, and leaves what has just left, with the reminder that the settle queued',
  async (t) => {
    for (const reminders of [[3], [3, 7]]) {
      const { id, due, claimBy, settleBy, messages } = await createSent(reminders);
      await due();
      const claimed = await claimBy(sql);
      const [settler, reminder] = await sessions();
      await settler.sql`begin`;
      await settleBy(settler.sql, claimed);
      const reminded = remindBy(reminder.sql, id).execute();
      await reminder.untilBlocked();
      await settler.sql`commit`;
      t.match(await reminded, LEFT);
      t.strictSame(await messages(), ['0 sent', '1 sent', '2 queued'].slice(0, reminders.length + 1));
    }
  },
);

t.test('a settle that meets one says so, and queues the next of the list when it is brought again', async (t) => {
  const { id, due, claimBy, settleBy, messages } = await createSent([3, 7]);
  await due();
  const claimed = await claimBy(sql);
  const [reminder, settler] = await sessions();
  await reminder.sql`begin`;
  t.match(await remindBy(reminder.sql, id), LEFT);
  t.match(await settleBy(settler.sql, claimed), [{ settled: 0, locked: 1 }]);
  await reminder.sql`commit`;
  t.match(await settleBy(settler.sql, claimed), [{ settled: 1, locked: 0 }]);
  t.strictSame(await messages(), ['0 sent', '1 sent', '2 queued']);
});

t.test('one that meets a response waits for it, and emails nobody who has responded', async (t) => {
  for (const reminders of [[], [3]]) {
    const { id, survey, linkToken, messages } = await createSent(reminders);
    const [respondent, reminder] = await sessions();
    await respondent.sql`begin`;
    await respondent.sql`select invite.record_response(${survey}, '{"score": 9}', ${linkToken})`;
    const reminded = remindBy(reminder.sql, id).execute();
    await reminder.untilBlocked();
    await respondent.sql`commit`;
    t.match(await reminded, LEFT);
    t.strictSame(await messages(), ['0 sent', '1 answered'].slice(0, reminders.length + 1));
  }
});

t.test('a response that meets one waits for it, and drops the reminder', async (t) => {
  for (const reminders of [[], [3]]) {
    const { id, survey, linkToken, messages } = await createSent(reminders);
    const [reminder, respondent] = await sessions();
    await reminder.sql`begin`;
    t.match(await remindBy(reminder.sql, id), REMINDED);
    const answer = respondent.sql`select outcome from invite.record_response(${survey}, '{"score": 9}', ${linkToken})`.execute();
    await respondent.untilBlocked();
    await reminder.sql`commit`;
    t.match(await answer, [{ outcome: 'recorded' }]);
    t.strictSame(await messages(), ['0 sent', '1 answered']);
  }
});

t.test('a cancel that meets one waits for it, and cancels what it made', async (t) => {
  const { id, batch, messages } = await createSent();
  const [reminder, canceller] = await sessions();
  await reminder.sql`begin`;
  t.match(await remindBy(reminder.sql, id), REMINDED);
  const cancelled = canceller.sql`select cancelled from invite.cancel_batch(${batch})`.execute();
  await canceller.untilBlocked();
  await reminder.sql`commit`;
  t.match(await cancelled, [{ cancelled: 1 }]);
  t.strictSame(await messages(), ['0 sent', '1 cancelled']);
});

t.test('an erasure that meets one waits for it, and cancels what it made; after it nothing is made', async (t) => {
  const { id, workspace, messages } = await createSent();
  const [reminder, eraser] = await sessions();
  await reminder.sql`begin`;
  t.match(await remindBy(reminder.sql, id), REMINDED);
  const erased = eraser.sql`select * from invite.erase_email(${workspace}, 'ada@example.com')`.execute();
  await eraser.untilBlocked();
  await reminder.sql`commit`;
  t.match(await erased, [{ erased: 1 }]);
  t.strictSame(await messages(), ['0 sent', '1 cancelled']);
  t.match(await remindBy(sql, id), LEFT);
});

t.test('it locks messages by invitation, as settles do, so that they cannot block each other', async (t) => {
  const { survey, batch } = await createBatch(store, { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }] });
  const [first = 0, second = 0] = await idsOf(sql, survey);
  await sql`
    update invite.messages set status = 'sent', sent_at = now() - interval '2 days', not_before = null, sweep_at = null where survey_id = ${survey}`;
  const [holder, reminder, looker] = [await openSession(database), await openSession(database), await openSession(database)];
  await holder.sql`begin`;
  await holder.sql`select from invite.messages where invitation_id = ${second} for no key update`;
  const answer = reminder.sql`select * from invite.remind_batch_now(${batch})`.execute();
  await reminder.untilBlocked();
  t.equal((await looker.sql`select from invite.messages where invitation_id = ${first} for no key update skip locked`).length, 0);
  await holder.sql`commit`;
  t.match(await answer, [{ reminded: 2 }]);
});
