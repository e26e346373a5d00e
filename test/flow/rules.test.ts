// The commands that say and change when emails may leave.
import t from 'tap';
import { runCommand } from '../../src/cli.ts';
import { formatOpenHours } from '../../src/hours.ts';
import { formatDelay, rulesInWords, SUGGESTION, suggestedRules, UNSET } from '../../src/rules.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { url, sql, store } = await createTestDatabase(t);
const SUGGESTED = suggestedRules(undefined);

async function run(...args: string[]) {
  const out: string[] = [];
  const code = await runCommand(args, {
    env: { DATABASE_URL: url, RETENTION_DAYS: '90' },
    stdout: (text) => out.push(text),
    stderr: (text) => out.push(text),
  });
  return { code, text: out.join('') };
}

t.test('a workspace starts without rules; each option sets one, and none removes it', async (t) => {
  const { workspace } = await createSurvey(store);
  t.match(await run('workspace', 'rules', workspace), { code: 0, text: 'No rule is set: emails leave when they are due.' });
  const days = `${t.testdir({ days: '2030-12-24..2030-12-26\n\n2031-01-01\n' })}/days`;
  const all = [
    '--rest',
    '14',
    '--hours',
    'Mon-Fri 09:00-12:00 13:00-17:00, Sat 22:00-02:00',
    '--zone',
    'America/Argentina/ComodRivadavia',
  ];
  t.same(await run('workspace', 'rules', workspace, ...all, '--closed-days', days, '--max-delay', '36h'), {
    code: 0,
    text: `rest         14 days
hours        Mon-Fri 09:00-12:00 13:00-17:00, Sat 22:00-24:00, Sun 00:00-02:00
zone         America/Argentina/ComodRivadavia
closed_days  2030-12-24..2030-12-26, 2031-01-01
max_delay    36 hours

Emails leave Mon–Fri 09:00–12:00 13:00–17:00, Sat 22:00–24:00, Sun 00:00–02:00, except on closed days, in the recipient's time zone (America/Argentina/ComodRivadavia if unknown), at most one invitation in 14 days per person, within 36 hours.
`,
  });
  await run('workspace', 'rules', workspace, '--max-delay', '2d', '--rest', 'none');
  const json = JSON.parse((await run('workspace', 'rules', workspace, '--json')).text);
  t.same(json, {
    id: workspace,
    rest_days: null,
    hours: 'Mon-Fri 09:00-12:00 13:00-17:00, Sat 22:00-24:00, Sun 00:00-02:00',
    time_zone: 'America/Argentina/ComodRivadavia',
    closed_days: [
      { from: '2030-12-24', to: '2030-12-26' },
      { from: '2031-01-01', to: '2031-01-01' },
    ],
    max_delay_hours: 48,
  });
  const unset = ['--hours', 'none', '--zone', 'none', '--closed-days', 'none', '--max-delay', 'none'];
  t.match(await run('workspace', 'rules', workspace, ...unset), { code: 0, text: 'No rule is set' });
});

t.test('what is wrong changes nothing, and the message says what to write', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const wrong: [string[], number, string][] = [
    [['--rest', '0'], 2, 'a number of days, such as 30'],
    [['--rest', '91'], 4, 'RETENTION_DAYS (90 days)'],
    [['--hours', 'Mon 08:00-08:10'], 2, "08:10 isn't a quarter of an hour"],
    [['--hours', 'Workdays'], 2, 'write Mon-Fri 08:00-20:00'],
    [['--zone', 'Tokio+3'], 4, 'Enter a time zone such as Europe/Berlin.'],
    [['--closed-days', '/no/such/file'], 2, "It can't be read"],
    [['--closed-days', `${t.testdir({ days: '2030-12-24\n2030-02-30\n' })}/days`], 2, 'Line 2: 2030-02-30'],
    [['--max-delay', '7w'], 2, 'such as 7d or 36h'],
    [['--max-delay', '366d'], 4, 'at least an hour and at most 365 days'],
  ];
  for (const [options, code, text] of wrong)
    t.match(await run('workspace', 'rules', workspace, '--rest', '7', ...options), { code, text }, options.join(' '));
  t.match(await store.findWorkspace(workspace), { rest_days: null, open_hours: null, time_zone: null, closed_days: null });
  t.match(await run('survey', 'rules', survey, '--zone', 'Tokio'), { code: 4, text: 'Enter a time zone' });
  t.match(await run('workspace', 'rules', 'none'), { code: 3, text: 'There is no workspace none.' });
  t.match(await run('workspace', 'rules', 'none', '--rest', '7'), { code: 3, text: 'There is no workspace none.' });
  t.match(await run('survey', 'rules', 'none', '--zone', 'UTC'), { code: 3, text: 'There is no survey none.' });
  await run('workspace', 'rules', workspace, '--rest', '30');
  t.match(await run('retention', 'set', 'batches', '29'), { code: 4, text: 'Shorten the rest first' });
  t.match(await run('retention', 'set', 'batches', '30'), { code: 0 });
  t.match(await run('workspace', 'rules', workspace, '--rest', '31'), { code: 4, text: 'than batches are kept' });
  await run('retention', 'set', 'batches', 'never');
});

t.test("a survey has a time zone and a delay of its own; the other rules are its workspace's", async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await run('workspace', 'rules', workspace, '--suggested', '--zone', 'Europe/Berlin', '--rest', 'none');
  t.match(await run('survey', 'rules', survey, '--zone', 'Asia/Tokyo', '--max-delay', '1d'), {
    code: 0,
    text: "Emails leave Mon–Fri 08:00–20:00 in the recipient's time zone (Asia/Tokyo if unknown), within 1 day.",
  });
  t.match(await run('survey', 'rules', survey, '--zone', 'none', '--max-delay', 'none'), {
    code: 0,
    text: '(Europe/Berlin if unknown), within 7 days.',
  });
});

t.test('setup proposes rules, and sets them if asked', async (t) => {
  const proposed = await run('setup', '--name', 'Plain', '--email', 'ada@example.com');
  t.match(proposed.text, 'invitation-trigger workspace rules plain --suggested');
  t.match(await store.findWorkspace('plain'), { rest_days: null, open_hours: null, max_delay_hours: null });
  const set = await run('setup', '--name', 'Ruled', '--email', 'ada@example.com', '--suggested-rules');
  t.notMatch(set.text, 'workspace rules');
  t.match(await store.findWorkspace('ruled'), { rest_days: 30, open_hours: SUGGESTED.openHours, max_delay_hours: 168 });
  const { restDays, openHours, maxDelayHours } = SUGGESTED;
  t.equal(SUGGESTION, `a rest of ${restDays} days, ${formatOpenHours(openHours)}, at most ${formatDelay(maxDelayHours)} late`);
});

t.test('check says which time zones the server no longer knows, and which rests outlast addresses', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceRules(workspace, { timeZone: 'Europe/Kyiv', restDays: 200 });
  await store.setSurveyRules(survey, { timeZone: 'America/Nuuk' });
  const { text } = await run('check');
  t.match(text, `a rest of 200 days is longer than RETENTION_DAYS`);
  t.notMatch(text, 'time zone');
  await sql`delete from invite.time_zones where name in ('Europe/Kyiv', 'America/Nuuk')`;
  const found = (await run('check')).text;
  t.match(found, `the server doesn't know the time zones America/Nuuk, Europe/Kyiv`);
});

t.test('a sentence says what the rules do; without rules there is none', async (t) => {
  const sentences: [Partial<typeof UNSET>, string | undefined][] = [
    [{}, undefined],
    [{ timeZone: 'Asia/Tokyo' }, undefined],
    [{ restDays: 30 }, 'People get at most one invitation in 30 days.'],
    [{ restDays: 1 }, 'People get at most one invitation a day.'],
    [{ maxDelayHours: 1 }, 'Emails leave within 1 hour.'],
    [{ restDays: 1, maxDelayHours: 24 }, 'Emails leave within 1 day, at most one invitation a day per person.'],
    [
      { closedDays: '{[2030-12-24,2030-12-25)}' },
      "Emails leave on all but the closed days in the recipient's time zone (UTC if unknown).",
    ],
    [
      { ...SUGGESTED, timeZone: 'Europe/Berlin' },
      "Emails leave Mon–Fri 08:00–20:00 in the recipient's time zone (Europe/Berlin if unknown), at most one invitation in 30 days per person, within 7 days.",
    ],
  ];
  for (const [rules, sentence] of sentences) t.equal(rulesInWords({ ...UNSET, ...rules }), sentence);
});

t.test('a forecast says what leaves when if the survey were active, in a time zone, and what does not', async (t) => {
  const { workspace, survey } = await createBatch(
    store,
    { recipients: ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.com` })) },
    { state: 'draft' },
  );
  t.match(await run('survey', 'forecast', survey), {
    code: 0,
    text: /^On hold: survey_draft\. .*\n\nOf 4 emails, 4 would leave now and 0 later\.\n\nEmails by hour, UTC:\n[-\d]{10} \d\d:00 {2}4 {2}#{40}\n$/,
  });
  await store.suppressEmail(workspace, 'a@example.com');
  await sql`update invite.messages set due_at = '2999-06-03 20:00Z', not_before = '2999-06-03 20:00Z' where survey_id = ${survey}`;
  await store.setWorkspaceRules(workspace, { timeZone: 'Asia/Tokyo', closedDays: '{[2999-06-04,2999-06-06)}' });
  await sql`update invite.invitations set time_zone = 'UTC' where email = 'b@example.com'`;
  t.match(
    (await run('survey', 'forecast', survey)).text,
    '2999-06-04  1  ####################\n2999-06-06  2  ########################################\n\nNot sent:\n1  suppressed\n',
  );
  t.match(
    (await run('survey', 'forecast', survey, '--zone', 'UTC')).text,
    '2999-06-03  1  ####################\n2999-06-05  2  ####',
  );
  const json = JSON.parse((await run('survey', 'forecast', survey, '--json')).text);
  t.match(json, {
    ...{ id: survey, hold_reason: 'survey_draft', emails: 4, at_once: 0, later: 3, unit: 'day', time_zone: 'Asia/Tokyo' },
    bars: [
      { at: '2999-06-03T15:00:00Z', local: '2999-06-04 00:00', emails: 1 },
      { at: '2999-06-05T15:00:00Z', emails: 2 },
    ],
    reasons: [{ reason: 'suppressed', emails: 1 }],
  });
  await sql`delete from invite.messages where survey_id = ${survey}`;
  t.match(await run('survey', 'forecast', survey), { code: 0, text: 'No email is waiting or scheduled.' });
  t.match(await run('survey', 'forecast', 'none'), { code: 3, text: 'There is no survey none.' });
});
