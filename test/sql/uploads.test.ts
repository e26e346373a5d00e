// Uploads: what each line says, batches within the quota, exactly once, cancelling, erasing.
import t from 'tap';
import type { NewLine } from '../../src/database/store.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';
import { acceptUploads, createUpload, line, people } from '../fixtures/uploads.ts';

const { sql, store, connect } = await createTestDatabase(t);

const upload = (survey: string, lines: readonly NewLine[], sendAt?: string) => createUpload(store, survey, lines, sendAt);
const work = () => acceptUploads(store);
const outcomes = async (id: string) =>
  Object.fromEntries(
    (await sql`select number, outcome from invite.upload_lines where upload_id = ${id}`).map((l) => [l.number, l.outcome]),
  );
const broken = (constraint_name: string) => Object.assign(new Error(), { constraint_name });
const invited = async (survey: string): Promise<string[]> =>
  (await sql`select email from invite.invitations where survey_id = ${survey} order by id`).map(({ email }) => email);

t.test('each line says what will become of it', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceRules(workspace, { restDays: 30 } as never);
  const first = await upload(survey, [line(1, 'rests@example.com')]);
  await store.sendUpload(first, false);
  await work();
  await sql`update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'never@example.com', 'manual')`;
  await sql`
    insert into invite.recipient_choices (workspace_id, email, survey_id, chosen_at) values (${workspace}, 'declined@example.com', ${survey}, now())`;
  const id = await upload(survey, [
    line(2, 'ada@example.com', { name: 'Ada', metadata: { order: '1' } }),
    line(3, 'ADA@example.com'),
    line(4, 'never@example.com'),
    line(5, 'declined@example.com'),
    line(6, undefined),
    line(7, 'rests@example.com'),
  ]);
  t.same(await outcomes(id), { 2: 'new', 3: 'repeated', 4: 'suppressed', 5: 'declined', 6: 'invalid', 7: 'resting' });
  const [{ days } = { days: 0 }] = await sql`
    select round(extract(epoch from leaves_at - now()) / 86400)::integer as days from invite.upload_lines where upload_id = ${id} and number = 7`;
  t.equal(days, 30);
  await store.sendUpload(id, false);
  await work();
  t.same(await invited(survey), ['rests@example.com', 'ada@example.com', 'rests@example.com']);
  t.same(await outcomes(id), { 3: 'repeated', 4: 'suppressed', 5: 'declined', 6: 'invalid' }, 'what is left says why');
  t.match(await store.findUpload(id), { state: 'sent', accepted: 2, people: 2 });
});

t.test('a long list goes out in batches within the quota, and leaves a fifth of it to backends', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await sql`update invite.settings set recipients_per_hour = 2500`;
  t.teardown(() => sql`update invite.settings set recipients_per_hour = null`);
  const id = await upload(survey, people(4500));
  const hours = await sql`
    select round(extract(epoch from coalesce(leaves_at, now()) - now()) / 3600)::integer as hour, count(*)::integer as people
    from invite.upload_lines where upload_id = ${id} group by 1 order by 1`;
  t.same(hours, [
    { hour: 0, people: 2000 },
    { hour: 1, people: 2000 },
    { hour: 2, people: 500 },
  ]);
  await store.sendUpload(id, false);
  await work();
  const sizes = async () =>
    (
      await sql`
      select b.recipients from invite.upload_batches as u join invite.batches as b on b.id = u.batch_id where u.upload_id = ${id} order by b.id`
    ).map(({ recipients }) => recipients);
  t.same(await sizes(), [1000, 1000]);
  t.match(await store.findUpload(id), { state: 'sending', waits_for: 'flood_protection', accepted: 2000 });
  const [quota] = await sql`select * from invite.workspace_quota(${workspace}, 2500, now())`;
  t.equal(quota?.remaining, 500);

  for (const expected of [
    [1000, 1000, 1000, 1000],
    [1000, 1000, 1000, 1000, 500],
  ]) {
    await sql`update invite.batches set accepted_at = accepted_at - interval '1 hour' where survey_id = ${survey}`;
    await sql`update invite.uploads set next_at = now() where id = ${id}`;
    await work();
    t.same(await sizes(), expected);
  }
  await work();
  t.match(await store.findUpload(id), { state: 'sent', accepted: 4500, unaccepted: null });
  t.equal(new Set(await invited(survey)).size, 4500);
});

t.test('a batch that fails midway is accepted once', async (t) => {
  const { survey } = await createSurvey(store);
  const id = await upload(survey, people(2500));
  await store.sendUpload(id, false);
  const other = connect();
  await store.stepUpload(id);
  await other
    .begin(async (tx) => {
      await tx`select invite.step_upload(${id})`;
      throw new Error('crash');
    })
    .catch(() => {});
  t.equal((await invited(survey)).length, 1000);
  // Two workers at the same time: the second finds it locked.
  await other.begin(async (tx) => {
    await tx`select invite.step_upload(${id})`;
    await store.stepUpload(id);
  });
  t.equal((await invited(survey)).length, 2000);
  await work();
  t.equal(new Set(await invited(survey)).size, 2500);
  t.equal((await invited(survey)).length, 2500);
});

t.test('an upload is cancelled as a whole, while it is being sent', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const id = await upload(survey, people(1500));
  await store.sendUpload(id, false);
  await store.stepUpload(id);
  await store.cancelUpload(id);
  await work();
  t.match(await store.findUpload(id), { state: 'cancelled', accepted: 1000 });
  t.same(await sql`select status, count(*)::integer from invite.messages where survey_id = ${survey} group by status`, [
    { status: 'cancelled', count: 1000 },
  ]);
  t.same(
    (
      await sql`select action, actor, detail ->> 'people' as people from invite.audit_log where workspace_id = ${workspace} and action in ('list_sent', 'list_cancelled') order by id`
    ).map((a) => [a.action, a.actor, a.people]),
    [
      ['list_sent', 'cli', '1500'],
      ['list_cancelled', 'cli', '1500'],
    ],
  );
});

t.test('the same list again is asked about', async (t) => {
  const { survey } = await createSurvey(store);
  const first = await upload(survey, people(3));
  await store.sendUpload(first, false);
  const second = await upload(survey, people(3));
  await t.rejects(store.sendUpload(second, false), broken('uploads_repeated'));
  await store.sendUpload(second, true);
  await work();
  t.equal((await invited(survey)).length, 6);
  await t.rejects(store.sendUpload(second, true), broken('uploads_sent'));
});

t.test('what would never end is refused', async (t) => {
  const { survey } = await createSurvey(store);
  const empty = await store.createUpload(survey, 'empty.csv');
  await t.rejects(store.sendUpload(empty, false), broken('uploads_unchecked'));
  const bad = await upload(survey, [line(1, undefined)]);
  await t.rejects(store.sendUpload(bad, false), broken('uploads_empty'));
  await t.rejects(upload(survey, people(1), '2001-01-01T10:00'), broken('uploads_send_at_range'));
  const long = await store.createUpload(survey, 'long.csv');
  for (let from = 1; from <= 20_000; from += 5000) await store.putUploadLines(long, people(5000, from));
  await t.rejects(store.putUploadLines(long, people(1, 20_001)), broken('uploads_lines_range'));
});

t.test('a token by hand has no secret, and there is one', async (t) => {
  const { survey } = await createSurvey(store);
  for (const count of [1, 2]) {
    await store.sendUpload(await upload(survey, people(count)), false);
    await work();
  }
  const tokens =
    await sql`select name, cooldown_seconds, secret_hint, is_by_hand from invite.trigger_tokens where survey_id = ${survey}`;
  t.same(tokens, [{ name: 'Invited by hand', cooldown_seconds: 0, secret_hint: '', is_by_hand: true }]);
});

t.test('a workspace keeps the ten newest lists that are not sent', async (t) => {
  const { survey } = await createSurvey(store);
  const ids: string[] = [];
  for (let count = 1; count <= 12; count += 1) ids.push(await upload(survey, people(count)));
  const kept = (await sql`select id from invite.uploads where survey_id = ${survey}`).map(({ id }) => id);
  t.same(kept.sort(), ids.slice(2).sort());
});

t.test('erasing an address deletes its lines, also of columns that have another meaning', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const id = await upload(survey, [line(1, 'ada@example.com'), line(2, 'bada@example.com')]);
  await store.putUploadLines(id, [
    { number: 3, cells: ['x', ' Ada@Example.com '], recipient: undefined },
    { number: 4, cells: ['Ada <ada@example.com>'], recipient: undefined },
  ]);
  await store.eraseEmail(workspace, 'ADA@example.com', false);
  t.same(Object.keys(await outcomes(id)), ['2']);
});

t.test('lists that are not sent go after a day, lines after a week, and the rest after 90 days', async (t) => {
  const { survey } = await createSurvey(store);
  const unsent = await upload(survey, people(3));
  const sent = await upload(survey, [...people(2), line(3, undefined)]);
  await store.sendUpload(sent, false);
  await work();
  const count = async () => {
    await store.pruneExpired('uploads');
    return (
      await sql`
      select u.id, (select count(*)::integer from invite.upload_lines as l where l.upload_id = u.id) as lines
      from invite.uploads as u where survey_id = ${survey} order by created_at`
    ).map(({ id, lines }) => [id === sent ? 'sent' : 'unsent', lines]);
  };
  t.same(await count(), [
    ['unsent', 3],
    ['sent', 1],
  ]);
  const age = (days: number) =>
    sql`update invite.uploads set created_at = created_at - ${days} * interval '1 day', ended_at = ended_at - ${days} * interval '1 day' where survey_id = ${survey}`;
  await age(1);
  t.same(await count(), [['sent', 1]]);
  await age(6);
  t.same(await count(), [['sent', 0]]);
  await age(83);
  t.same(await count(), []);
  t.ok(unsent);
});

t.test('a workspace that is suspended waits, and the next one gets its turn', async (t) => {
  const one = await createSurvey(store);
  const two = await createSurvey(store);
  const first = await upload(one.survey, people(2));
  const second = await upload(two.survey, people(2));
  await store.sendUpload(first, false);
  await store.sendUpload(second, false);
  await sql`update invite.workspaces set suspended_at = now() where id = ${one.workspace}`;
  await work();
  t.match(await store.findUpload(first), { state: 'sending', waits_for: 'workspace_disabled', accepted: 0 });
  t.match(await store.findUpload(second), { state: 'sent', accepted: 2 });
});

t.test('a deleted survey takes its uploads with it', async (t) => {
  const { survey } = await createSurvey(store);
  await store.sendUpload(await upload(survey, people(1500)), false);
  await work();
  while ((await store.deleteSurvey(survey)).more);
  t.same(await sql`select from invite.uploads where survey_id = ${survey}`, []);
});
