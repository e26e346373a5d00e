// `invite` and `upload`: a CSV file from the command line, with the rights of invite_admin.
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { run, runJson } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';
import { acceptUploads } from '../fixtures/uploads.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const dir = t.testdir({});
const env = { DATABASE_URL: urlAs('invite_admin'), DATA_DIR: dir };

const file = (text: string, name = 'people.csv') => {
  writeFileSync(`${dir}/${name}`, text);
  return `${dir}/${name}`;
};
const work = () => acceptUploads(store);
const invited = (survey: string) =>
  sql`select email, name, metadata from invite.invitations where survey_id = ${survey} order by id`;

t.test('a file is checked, sent, shown and cancelled', async (t) => {
  const { survey } = await createSurvey(store);
  const path = file('E-Mail;Name;Order\nada@example.com;Ada;A-1\nnobody;Bo;\nADA@example.com;Ada;A-2\n');
  const checked = await run(env, 'invite', survey, path, '--columns', 'email,name,metadata');
  t.equal(checked.stderr, '');
  t.match(
    checked.stdout,
    /^3 lines: 1 person to invite, 2 not\.\nline 3 {2}The address isn't a valid email address: it has no @\.\nline 4 {2}An earlier line/,
  );
  t.match(checked.stdout, 'Emails by hour, UTC:');
  const [, id = ''] = /upload send (\S+)/.exec(checked.stdout) ?? [];
  t.same(await invited(survey), [], 'nothing is sent yet');
  t.match((await run(env, 'upload', 'send', id)).stdout, '1 person is being invited.');
  await work();
  t.same(await invited(survey), [{ email: 'ada@example.com', name: 'Ada', metadata: { Order: 'A-1' } }]);
  t.match(await runJson(env, 'upload', 'show', id), { state: 'sent', accepted: 1, sent_by: 'cli' });

  const again = await run(env, 'invite', survey, path, '--columns', 'email,name,metadata', '--send');
  t.not(again.code, 0);
  t.match(again.stderr, 'Confirm that the same people get a second invitation');
  t.match((await run(env, 'upload', 'cancel', id)).stdout, 'Its emails are being cancelled.');
  await work();
  t.same(await sql`select status from invite.messages where survey_id = ${survey}`, [{ status: 'cancelled' }]);
});

t.test('a time, and a list that is deleted', async (t) => {
  const { survey } = await createSurvey(store, { state: 'draft' });
  const path = file('ada@example.com\n');
  const sent = await runJson<{ id: string; hold_reason: string }>(
    env,
    ...['invite', survey, path, '--send', '--at', '2026-12-24T09:00', '--zone', 'Europe/Oslo'],
  );
  t.equal(sent.hold_reason, 'survey_draft');
  await work();
  t.same(await sql`select scheduled_at from invite.batches where survey_id = ${survey}`, [
    { scheduled_at: new Date('2026-12-24T08:00:00Z') },
  ]);
  const { id } = await runJson<{ id: string }>(env, 'invite', survey, file('bo@example.com\n'));
  t.match((await run(env, 'upload', 'cancel', id)).stdout, 'Nobody was invited.');
  t.equal((await run(env, 'upload', 'show', id)).code, 3);
});

t.test('what is wrong', async (t) => {
  const { survey } = await createSurvey(store);
  const fails = async (words: string[], text: string, status?: number) => {
    const { code, stderr } = await run(env, ...words);
    status === undefined ? t.not(code, 0) : t.equal(code, status, text);
    t.match(stderr, text);
  };
  await fails(['invite', 'none', file('a@example.com')], 'There is no survey none.');
  await fails(['invite', survey, `${dir}/none.csv`], "can't be read", 2);
  await fails(['invite', survey, dir], "can't be read", 2);
  await fails(['invite', survey, file('\n')], 'There is nobody in this list.', 4);
  await fails(['invite', survey, file('a@example.com'), '--columns', 'mail'], 'A column is one of');
  await fails(['invite', survey, file('a@example.com'), '--at', 'tomorrow'], 'It must be a time');
  await fails(['upload', 'send', 'none'], 'There is no upload none.');
  t.same(await sql`select from invite.uploads where survey_id = ${survey}`, [], 'nothing is left of what failed');
});
