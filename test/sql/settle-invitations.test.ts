// settle_invitations: what each outcome does to an invitation, when it is tried again, and which claim may settle it.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Settlement } from '../../src/database/store.ts';
import { clearJobs, idsOf, invitationsOf, jobsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const { sql, store, connect } = await createTestDatabase(t);
const AT = '2040-01-01T10:00:00.000Z';
const day = 86_400;

/** Settles at AT. Returns the number of settled rows. */
const settle = async (results: Partial<Settlement>[], maxAttempts = 12) => {
  const [row] = await sql`select settled from invite.settle_invitations(${sql.json(results as never)}, ${maxAttempts}, ${AT})`;
  return row?.settled as number;
};

/** Creates one claimed invitation. settle() ends its claim and returns the invitation with its last message, the jobs, and the seconds from AT until that message is due. */
async function createClaim(request: Parameters<typeof createBatch>[1] = {}) {
  const fixture = await createBatch(store, request);
  const { survey } = fixture;
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), worker);
  if (claimed === undefined) throw new Error('nothing was claimed');
  await clearJobs(sql);
  const mine = { id: claimed.id, claim_id: claimed.claimId };
  return {
    ...fixture,
    mine,
    linkToken: claimed.linkToken,
    settle: async (result: Partial<Settlement>, maxAttempts = 12) => {
      const settled = await settle([{ ...mine, ...result }], maxAttempts);
      const [row] = await invitationsOf(sql, survey);
      const jobs = await jobsOf(sql, survey);
      const dueIn = row?.due_at ? (row.due_at.getTime() - Date.parse(AT)) / 1000 : null;
      return { settled, row, jobs, dueIn };
    },
  };
}

const unclaimed = { claim_id: null, worker_id: null };

t.test('accepted: the invitation is sent, and nothing more is queued', async (t) => {
  const claim = await createClaim();
  const { settled, row, jobs } = await claim.settle({ outcome: 'accepted', relay_message_id: 'relay-1' });
  t.equal(settled, 1);
  t.match(row, {
    ...unclaimed,
    status: 'sent',
    message_kind: 'invitation',
    due_at: null,
    sweep_at: null,
    relay_message_id: 'relay-1',
  });
  t.equal(row?.sent_at?.toISOString(), AT);
  t.equal(row?.reminded_at, null);
  t.strictSame(jobs, []);
});

t.test(
  'accepted with reminder days: a reminder is queued beside the sent invitation, without a job until it is near',
  async (t) => {
    const claim = await createClaim({ reminders: [3] });
    const { row, jobs, dueIn } = await claim.settle({ outcome: 'accepted' });
    t.match(row, { ...unclaimed, status: 'queued', message_kind: 'reminder', attempts: 0 });
    t.equal(row?.sent_at?.toISOString(), AT);
    t.equal(dueIn, 3 * day);
    const messages = await sql`
    select number, status, is_last, not_before, sweep_at, sent_at, attempts from invite.messages where survey_id = ${claim.survey} order by number`;
    t.match(messages, [
      { number: 0, status: 'sent', is_last: false, not_before: null, sweep_at: null, sent_at: new Date(AT), attempts: 1 },
      { number: 1, status: 'queued', is_last: true, sent_at: null, attempts: 0 },
    ]);
    t.equal(messages.length, 2);
    t.equal(row?.sweep_at?.toISOString(), '2040-01-04T09:59:00.000Z', 'the sweep takes it a minute before');
    t.strictSame(jobs, []);
  },
);

t.test("a reminder's days have 24 hours, whatever the server's time zone", async (t) => {
  const claim = await createClaim({ reminders: [200] });
  const session = connect();
  await session`set timezone = 'Europe/Berlin'`;
  await session`
    select invite.settle_invitations(${sql.json([{ ...claim.mine, outcome: 'accepted' }])}, at => ${AT})`;
  const [row] = await invitationsOf(sql, claim.survey);
  t.equal(
    row?.due_at?.toISOString(),
    new Date(Date.parse(AT) + 200 * day * 1000).toISOString(),
    'summer time has begun meanwhile',
  );
});

t.test('an accepted reminder is the end', async (t) => {
  const claim = await createClaim({ reminders: [3] });
  await claim.settle({ outcome: 'accepted' });
  const worker = await createWorker(store);
  const [reminder] = await sql`
    select * from invite.claim_invitations(${[Number(claim.mine.id)]}::bigint[], ${worker}, '2040-01-04 10:00:00Z')`;
  t.match(reminder, { message_kind: 'reminder', attempts: 1 });
  t.equal(await settle([{ id: claim.mine.id, claim_id: reminder?.claim_id, outcome: 'accepted' }]), 1);
  const [row] = await invitationsOf(sql, claim.survey);
  t.match(row, { ...unclaimed, status: 'sent', message_kind: 'reminder', due_at: null });
  t.ok(row?.reminded_at);
});

/** Creates a claimed invitation; sent() settles its next message as accepted on a day after AT, and lists what is then known of all. */
async function createSeries(reminders: number[]) {
  const claim = await createClaim({ reminders });
  const worker = await createWorker(store);
  const at = (days: number) => new Date(Date.parse(AT) + days * day * 1000).toISOString();
  const claimAt = async (days: number) => {
    const [claimed] = await sql`
      select claim_id, message_kind from invite.claim_invitations(${[Number(claim.mine.id)]}::bigint[], ${worker}, ${at(days)})`;
    return claimed?.claim_id as string | undefined;
  };
  const sent = async (days: number) => {
    const claimId = days === 0 ? claim.mine.claim_id : await claimAt(days);
    const result = [{ id: claim.mine.id, claim_id: claimId, outcome: 'accepted' }];
    await sql`select invite.settle_invitations(${sql.json(result as never)}, at => ${at(days)})`;
    const rows = await sql`
      select number, status, is_last, extract(epoch from due_at - ${AT}::timestamptz)::float8 / ${day} as due
      from invite.messages where invitation_id = ${claim.mine.id} order by number`;
    const last = rows.at(-1);
    t.ok(rows.every(({ is_last }, place) => is_last === (place === rows.length - 1)));
    return last?.status === 'queued' ? [last.number, last.due] : `${last?.number} ${last?.status}`;
  };
  return { ...claim, claimAt, sent, at };
}

t.test('a list of five reminders counts from the first email, each to its day, and ends', async (t) => {
  const { sent, claimAt } = await createSeries([1, 3, 7, 14, 365]);
  t.strictSame(await sent(0), [1, 1]);
  t.equal(await claimAt(0.999), undefined, 'not before its day');
  t.strictSame(await sent(1), [2, 3]);
  t.strictSame(await sent(3.5), [3, 7]);
  t.strictSame(await sent(7), [4, 14]);
  t.strictSame(await sent(14), [5, 365]);
  t.equal(await sent(365), '5 sent');
});

t.test('a reminder that left late never brings the next one within 24 hours', async (t) => {
  const { sent } = await createSeries([3, 7, 8, 9]);
  await sent(0);
  t.strictSame(await sent(6), [2, 7], 'a day later is its day');
  t.strictSame(await sent(20), [3, 21]);
  t.strictSame(await sent(21.25), [4, 22.25]);
  t.equal(await sent(22.25), '4 sent');
});

t.test('after a response, a bounce or a cancellation between two reminders, none follows', async (t) => {
  for (const [ended, end] of Object.entries({
    responded: ({ survey, linkToken }) => store.submitResponse(survey, { score: 9 }, linkToken),
    bounced: ({ mine }) => sql`update invite.invitations set bounced_at = now() where id = ${mine.id}`,
    cancelled: ({ mine }) => store.cancelInvitation(mine.id),
  } satisfies Record<string, (series: Awaited<ReturnType<typeof createSeries>>) => PromiseLike<unknown>>)) {
    const series = await createSeries([3, 7]);
    await series.sent(0);
    const claimId = await series.claimAt(3);
    await end(series);
    const result = [{ id: series.mine.id, claim_id: claimId, outcome: 'accepted' }];
    await sql`select invite.settle_invitations(${sql.json(result as never)}, at => ${series.at(3)})`;
    const rows =
      await sql`select number, status, is_last from invite.messages where invitation_id = ${series.mine.id} order by number`;
    t.match(rows, [{}, { number: 1, status: 'sent', is_last: true }], ended);
    t.equal(rows.length, 2, ended);
  }
});

t.test('a reminder that fails has none after it', async (t) => {
  const { sent, claimAt, mine, survey } = await createSeries([3, 7]);
  await sent(0);
  await settle([{ id: mine.id, claim_id: (await claimAt(3)) ?? '', outcome: 'rejected' }]);
  t.match(await invitationsOf(sql, survey), [{ status: 'failed', message_kind: 'reminder', due_at: null }]);
});

t.test('retry: the first time it is tried again after 30 to 36 seconds, and a job is queued for that time', async (t) => {
  const claim = await createClaim();
  const { row, jobs, dueIn } = await claim.settle({ outcome: 'retry', code: 'relay_busy', detail: 'Too many requests.' });
  t.match(row, { ...unclaimed, status: 'queued', message_kind: 'invitation', attempts: 1 });
  t.match(row, { last_error_code: 'relay_busy', last_error: 'Too many requests.', sent_at: null });
  t.ok(dueIn !== null && dueIn >= 30 && dueIn <= 36, `${dueIn} s`);
  t.equal(jobs.length, 1);
  t.match(jobs[0], { task: 'send_invitations', payload: { invitation_ids: [Number(claim.mine.id)] } });
  t.strictSame(jobs[0]?.run_at, row?.due_at);
  t.equal(row?.sweep_at?.getTime(), (row?.due_at?.getTime() ?? 0) + 30_000, 'a lost job is found half a minute later');
});

t.test('unknown: it is tried again as retry is', async (t) => {
  const claim = await createClaim();
  const { row, jobs, dueIn } = await claim.settle({ outcome: 'unknown', code: 'timeout' });
  t.match(row, { ...unclaimed, status: 'queued', attempts: 1, last_error_code: 'timeout' });
  t.ok(dueIn !== null && dueIn >= 30 && dueIn <= 36, `${dueIn} s`);
  t.equal(jobs.length, 1);
});

t.test('unconfirmed: it is not tried again, and what a person may do is said', async (t) => {
  const claim = await createClaim({ reminders: [3] });
  const { row, jobs } = await claim.settle({
    outcome: 'unconfirmed',
    code: 'timeout',
    detail: 'The relay did not respond in time.',
  });
  t.match(row, { ...unclaimed, status: 'failed', due_at: null, sent_at: null, last_error_code: 'unconfirmed' });
  t.match(
    row?.last_error,
    /^The email may have arrived\. If it has not, send it again by hand\. The relay did not respond in time\.$/,
  );
  t.strictSame(jobs, []);
});

t.test(
  'since when an email may have been sent is the time of the first such attempt, until one is accepted or a person retries',
  async (t) => {
    const claim = await createClaim({ reminders: [3] });
    const since = async () =>
      (await sql`select unconfirmed_since from test.invitations where survey_id = ${claim.survey}`)[0]?.unconfirmed_since;
    const again = async () => {
      await sql`update invite.messages set not_before = now() where survey_id = ${claim.survey} and status = 'queued'`;
      const worker = await createWorker(store);
      return (await store.claimInvitations([Number(claim.mine.id)], worker))[0];
    };
    const end = async (outcome: Settlement['outcome'], claimId = '') =>
      settle([{ id: claim.mine.id, claim_id: claimId, outcome }]);
    await claim.settle({ outcome: 'retry' });
    t.equal(await since(), null, 'certainly not sent');
    await end('unknown', (await again())?.claimId);
    const first = await since();
    t.strictSame(first, new Date(AT));
    await sql`update invite.messages set unconfirmed_since = '2039-01-01Z' where survey_id = ${claim.survey}`;
    const next = await again();
    t.strictSame(next?.unconfirmedSince, new Date('2039-01-01'));
    await end('unconfirmed', next?.claimId);
    t.strictSame(await since(), new Date('2039-01-01'));
    t.match(await store.retryBatch(claim.batch), { queued: 1 });
    t.equal(await since(), null);
    await end('unknown', (await again())?.claimId);
    await end('accepted', (await again())?.claimId);
    t.equal(await since(), null, 'the reminder is another email');
  },
);

t.test('config: it is tried again later, and the attempt is not counted', async (t) => {
  const claim = await createClaim();
  const { row, jobs, dueIn } = await claim.settle({ outcome: 'config', code: 'bad_key' }, 1);
  t.match(row, { ...unclaimed, status: 'queued', attempts: 0, last_error_code: 'bad_key' });
  t.ok(dueIn !== null && dueIn >= 30 && dueIn <= 36, `${dueIn} s`);
  t.equal(jobs.length, 1);
});

t.test('released: it is due again at once, and the attempt is not counted', async (t) => {
  const claim = await createClaim();
  const before = (await invitationsOf(sql, claim.survey))[0]?.due_at;
  const { row, jobs } = await claim.settle({ outcome: 'released' }, 1);
  t.match(row, { ...unclaimed, status: 'queued', attempts: 0, last_error_code: null });
  t.strictSame(row?.due_at, before);
  t.equal(jobs.length, 1);
  t.strictSame(jobs[0]?.run_at, before);
  t.equal(row?.sweep_at?.toISOString(), '2040-01-01T10:00:30.000Z');
});

t.test('suppressed and rejected are ends, with their reason', async (t) => {
  for (const [outcome, status] of [
    ['suppressed', 'suppressed'],
    ['rejected', 'failed'],
  ] as const) {
    const claim = await createClaim({ reminders: [3] });
    const { row, jobs } = await claim.settle({ outcome, code: 'because', detail: 'Because.' });
    t.match(row, { ...unclaimed, status, due_at: null, sent_at: null, last_error_code: 'because', last_error: 'Because.' });
    t.strictSame(jobs, []);
  }
});

t.test('an accepted email clears the error of an earlier attempt', async (t) => {
  const claim = await createClaim();
  await sql`update invite.messages set last_error_code = 'timeout', last_error = 'Timed out.' where invitation_id = ${claim.mine.id}`;
  const { row } = await claim.settle({ outcome: 'accepted' });
  t.match(row, { last_error_code: null, last_error: null });
});

t.test('it is tried again after the eleventh attempt and given up after the twelfth', async (t) => {
  for (const outcome of ['retry', 'unknown'] as const) {
    for (const [attempts, status, code] of [
      [11, 'queued', 'relay_busy'],
      [12, 'failed', 'gave_up'],
    ] as const) {
      const claim = await createClaim();
      await sql`update invite.messages set attempts = ${attempts} where invitation_id = ${claim.mine.id}`;
      const { row } = await claim.settle({ outcome, code: 'relay_busy', detail: 'Too many requests.' });
      t.match(row, { status, attempts, last_error_code: code, last_error: 'Too many requests.' }, `${outcome} ${attempts}`);
    }
  }
});

t.test('a misconfigured relay is never a reason to give up', async (t) => {
  const claim = await createClaim();
  await sql`update invite.messages set attempts = 12 where invitation_id = ${claim.mine.id}`;
  t.match((await claim.settle({ outcome: 'config' })).row, { status: 'queued', attempts: 11 });
});

t.test('neither is a relay that asks for a pause, however often it does', async (t) => {
  const claim = await createClaim();
  await sql`update invite.messages set attempts = 12 where invitation_id = ${claim.mine.id}`;
  const { row } = await claim.settle({ outcome: 'retry', code: 'relay_busy', retry_after_seconds: 1 });
  t.match(row, { status: 'queued', attempts: 11, last_error_code: 'relay_busy' });
});

t.test('the wait doubles with each attempt up to six hours, plus at most a fifth', async (t) => {
  for (const [attempts, seconds] of [
    [1, 30],
    [2, 60],
    [3, 120],
    [10, 15_360],
    [11, 21_600],
    [12, 21_600],
    [1000, 21_600],
  ] as const) {
    const [row] = await sql`
      select min(s)::float as least, max(s)::float as most, count(distinct s)::integer as different
      from (select extract(epoch from invite.retry_delay(${attempts}, null)) as s from generate_series(1, 50)) as delays`;
    t.ok(row?.least >= seconds && row?.most <= seconds * 1.2, `attempt ${attempts}: ${row?.least} to ${row?.most} s`);
    t.ok(row?.different > 1, 'at random, so that what failed together does not come back together');
  }
});

t.test(
  'a relay that names a longer wait gets it, a shorter one does not shorten the backoff, and a day is the most',
  async (t) => {
    for (const [asked, seconds] of [
      [600, 600],
      [5, 30],
      [10 * day, day],
    ] as const) {
      const claim = await createClaim();
      const { dueIn } = await claim.settle({ outcome: 'retry', retry_after_seconds: asked });
      t.ok(dueIn !== null && dueIn >= seconds && dueIn <= seconds * 1.2, `asked for ${asked} s: ${dueIn} s`);
    }
  },
);

t.test('a claim that does not hold the row changes nothing', async (t) => {
  const claim = await createClaim();
  const before = await invitationsOf(sql, claim.survey);
  const { settled, jobs } = await claim.settle({ claim_id: randomUUID(), outcome: 'accepted' });
  t.equal(settled, 0);
  t.strictSame(await invitationsOf(sql, claim.survey), before);
  t.strictSame(jobs, []);
});

t.test('a second settle of the same claim changes nothing', async (t) => {
  const claim = await createClaim();
  await claim.settle({ outcome: 'retry' });
  const before = await invitationsOf(sql, claim.survey);
  t.equal((await claim.settle({ outcome: 'accepted' })).settled, 0);
  t.strictSame(await invitationsOf(sql, claim.survey), before);
});

t.test('a worker that was declared lost settles nothing that another has claimed since', async (t) => {
  const claim = await createClaim();
  const [held] = await invitationsOf(sql, claim.survey);
  await store.recoverWorkers(0, held?.worker_id ?? '');
  const worker = await createWorker(store);
  const [again] = await store.claimInvitations([Number(claim.mine.id)], worker);
  t.equal((await claim.settle({ outcome: 'rejected' })).settled, 0);
  t.match((await invitationsOf(sql, claim.survey))[0], { status: 'sending', claim_id: again?.claimId, attempts: 2 });
});

t.test('someone who has responded meanwhile gets no reminder and no further attempt', async (t) => {
  for (const outcome of ['accepted', 'retry', 'unknown', 'unconfirmed', 'config', 'released'] as const) {
    const claim = await createClaim({ reminders: [3] });
    await store.submitResponse(claim.survey, { score: 9 }, claim.linkToken);
    const { row, jobs } = await claim.settle({ outcome });
    const status = outcome === 'accepted' ? 'sent' : 'answered';
    t.match(row, { ...unclaimed, status, message_kind: 'invitation', due_at: null }, outcome);
    t.strictSame(jobs, []);
  }
});

t.test('the results of many emails are written in one call', async (t) => {
  const { survey } = await createBatch(store, { recipients: [1, 2, 3].map((n) => ({ email: `person${n}@example.com` })) });
  const claimed = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  await clearJobs(sql);
  const outcomes = ['accepted', 'rejected', 'released'] as const;
  const settled = await settle(
    claimed.map(({ id, claimId }, index) => ({ id, claim_id: claimId, outcome: outcomes[index] ?? 'accepted' })),
  );
  t.equal(settled, 3);
  t.strictSame(
    (await invitationsOf(sql, survey)).map((row) => row.status),
    ['sent', 'failed', 'queued'],
  );
  t.equal((await jobsOf(sql, survey)).length, 1);
});

t.test('no results are settled without complaint', async (t) => {
  t.equal(await settle([]), 0);
});

t.test('an unknown outcome is rejected, never retried without end', async (t) => {
  const claim = await createClaim();
  t.equal(await sqlstate(settle([{ ...claim.mine, outcome: 'perhaps' as never }])), '22P02');
});

t.test('emails that failed together share a few jobs when they are tried again', async (t) => {
  const recipients = Array.from({ length: 100 }, (_, index) => ({ email: `person${index}@example.com` }));
  const { survey } = await createBatch(store, { recipients });
  const worker = await createWorker(store);
  const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
  await clearJobs(sql);
  await settle(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'retry' })));
  const jobs = await jobsOf(sql, survey);
  t.ok(jobs.length <= 8, `${jobs.length} jobs`);
  t.equal(jobs.flatMap((job) => job.payload.invitation_ids).length, 100);
});
