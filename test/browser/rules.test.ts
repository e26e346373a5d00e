// When emails leave, as an owner says it in a browser: on a phone, by keyboard, and without JavaScript. What a change would do is shown first.
import t from 'tap';
import { createBatch } from '../fixtures/setup.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { sql, store, open, signIn } = await startBrowser(t);
const { workspace, survey } = await createBatch(store, { recipients: [{ email: 'bo@acme.example' }] }, { state: 'draft' });
const NAME = 'Bundesverband der Wohnungseigentümergemeinschaften und Hausverwaltungen Berlin-Brandenburg e. V. '
  .repeat(2)
  .slice(0, 255);
const ZONE = 'America/Argentina/ComodRivadavia';
await store.upsertWorkspace({ id: workspace, name: NAME.trim() });
await store.upsertMember(workspace, 'ada@acme.example', 'owner');
await store.upsertMember(workspace, 'ed@acme.example', 'editor');
const PATH = `/workspaces/${workspace}/rules`;
const rules = async () => (await store.findWorkspace(workspace)) ?? {};

t.test('an owner on a narrow phone takes the suggestion, sees what it does, and unsets all again', async (t) => {
  const page = await open(t, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await signIn(page, 'ada@acme.example');
  await openPage(page, 'Settings', 'When emails leave');
  await page.getByText('No rule is set: emails leave when they are due.').waitFor();
  await inspect(t, page, 'rules-unset');
  await page.getByRole('button', { name: 'Use the suggestion' }).click();
  await page.getByRole('heading', { name: 'Save these rules?' }).waitFor();
  t.match(await page.getByRole('main').innerText(), /1 email is waiting or scheduled|Of 1 email waiting or scheduled/);
  await inspect(t, page, 'rules-suggested');
  t.match(await rules(), { rest_days: null }, 'nothing is saved yet');
  await page.getByRole('button', { name: 'Save rules' }).click();
  t.match(await page.getByRole('status').first().innerText(), 'Changes saved.');
  t.match(await rules(), { rest_days: 30, time_zone: 'Europe/Vienna', max_delay_hours: 168 });
  await inspect(t, page, 'rules-set');

  await page.getByLabel('Time zone').fill(ZONE);
  await page
    .getByLabel('Closed days')
    .fill(
      Array.from(
        { length: 20 },
        (_, day) =>
          `2030-01-${String(day + 1).padStart(2, '0')}..2030-01-${String(day + 1).padStart(2, '0')}\n2031-0${1 + (day % 9)}-11`,
      ).join('\n'),
    );
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await inspect(t, page, 'rules-long');
  await page.getByRole('button', { name: 'Change them' }).click();
  t.equal(await page.getByLabel('Time zone').inputValue(), ZONE, 'the form keeps what was not saved');
  t.match(await rules(), { time_zone: 'Europe/Vienna' });

  await page.getByLabel('Rest').fill('');
  await page.getByRole('button', { name: 'Any time' }).click();
  for (const field of ['Closed days', 'Time zone', 'Maximum delay']) await page.getByLabel(field).fill('');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('No rule is set').waitFor();
  t.match(await rules(), { rest_days: null, open_hours: null, closed_days: null, time_zone: null, max_delay_hours: null });
});

t.test('by keyboard alone, and told what is wrong', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@acme.example');
  await page.goto(PATH);
  await page.getByLabel('Rest').focus();
  await page.keyboard.type('40x');
  await page.getByLabel('Time zone').focus();
  await page.keyboard.type('Tokio');
  await page.keyboard.press('Enter');
  await refused(t, page, 'Enter a number of days.');
  await inspect(t, page, 'rules-refused');
  await page.getByLabel('Rest').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  await refused(t, page, 'Enter a time zone such as Europe/Berlin.');
  await page.getByLabel('Time zone').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('asia/tokyo');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Save these rules?' }).waitFor();
  t.match(await page.getByRole('main').innerText(), /none → 40 days[\s\S]*UTC → Asia\/Tokyo/);
  await page.getByRole('button', { name: 'Save rules' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Changes saved.').waitFor();
  t.match(await rules(), { rest_days: 40, time_zone: 'Asia/Tokyo' });
  await store.setWorkspaceRules(workspace, { restDays: null, timeZone: null });
});

t.test('without JavaScript, a maximum delay shows how many emails it would skip', async (t) => {
  // Paused, so that no worker takes the email.
  await store.setSurveyPaused(survey, true);
  await store.setSurveyState(survey, 'active');
  await sql`update invite.surveys set activated_at = now() - interval '4 days' where id = ${survey}`;
  await sql`update invite.messages set due_at = due_at - interval '3 days' where survey_id = ${survey}`;
  const page = await open(t, { javaScriptEnabled: false });
  await signIn(page, 'ada@acme.example');
  await page.goto(PATH);
  await page.getByLabel('Maximum delay').fill('2 days');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByText('1 would be skipped').waitFor();
  await page.getByRole('button', { name: 'Save rules and skip 1 email' }).click();
  await page.getByText('Changes saved.').waitFor();
  t.match(await rules(), { max_delay_hours: 48 });
});

t.test('an editor may not change a workspace, and gives a survey its own time zone', async (t) => {
  await store.setWorkspaceRules(workspace, { restDays: 30, openHours: '{[480,1200)}', maxDelayHours: null, timeZone: ZONE });
  const page = await open(t);
  await signIn(page, 'ed@acme.example');
  t.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  t.equal((await page.goto(PATH))?.status(), 403);
  await page.goto(`/surveys/${survey}/settings`);
  await inspect(t, page, 'rules-survey-settings');
  await page.getByRole('link', { name: 'Time zone and maximum delay' }).click();
  await page.getByLabel('Time zone').fill('Asia/Tokyo');
  await inspect(t, page, 'rules-survey');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Changes saved.').waitFor();
  await page.goto(`/surveys/${survey}/invitations`);
  await page
    .getByText(
      "Emails leave Mon 08:00–20:00 in the recipient's time zone (Asia/Tokyo if unknown), at most one invitation in 30 days per person.",
    )
    .waitFor();
});

t.test('Home says what rests and what waits', async (t) => {
  await store.setWorkspaceRules(workspace, { restDays: null, openHours: null });
  const recipients = Array.from({ length: 3 }, (_, index) => ({ email: `p${index}@acme.example` }));
  const other = await createBatch(store, { recipients }, { state: 'draft' });
  await store.upsertMember(other.workspace, 'olga@acme.example', 'owner');
  const putOff = (of: string, rule: string) => sql`
    update invite.messages set status = 'queued', rule = ${rule}, sweep_at = now() + interval '10 days',
      not_before = now() + interval '1 day' + (invitation_id % 2) * interval '1 hour'
    where survey_id = ${of}`;
  await putOff(survey, 'resting');
  await putOff(other.survey, 'outside_hours');
  const page = await open(t, { viewport: { width: 320, height: 640 } });
  await signIn(page, 'olga@acme.example');
  await page.getByText('3 wait, the first for').waitFor();
  await inspect(t, page, 'rules-home-wait');
  const own = await open(t);
  await signIn(own, 'ada@acme.example');
  await own.getByText(/1 rests until/).waitFor();
  await inspect(t, own, 'rules-home-rest');
  await own.getByRole('link', { name: '1 rests' }).click();
  await own.getByRole('link', { name: 'Delayed by a rule' }).waitFor();
  t.equal(await own.locator('tbody tr').count(), 1);
  await inspect(t, own, 'rules-delayed');
});

t.test('a forecast on a narrow phone and in the dark: its numbers, and who is behind one', async (t) => {
  const fixture = await createBatch(
    store,
    { recipients: [{ email: `${'a'.repeat(64)}@${'b'.repeat(60)}.example` }] },
    { state: 'draft' },
  );
  await store.upsertMember(fixture.workspace, 'eve@acme.example', 'owner');
  await createBatch(store, { recipients: [{ email: 'x@acme.example' }] });
  await sql`
    insert into invite.invitations (batch_id, workspace_id, survey_id, email)
    select i.batch_id, i.workspace_id, i.survey_id, 'p' || n || '@acme.example'
    from invite.invitations as i, generate_series(1, 99) as n where i.survey_id = ${fixture.survey}`;
  await sql`
    insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
    select i.id, i.survey_id, d.at, d.at, d.at
    from invite.invitations as i, lateral (select now() + i.id % 40 * interval '1 day' as at) as d
    where i.survey_id = ${fixture.survey} and i.email <> 'x@acme.example'
    on conflict do nothing`;
  await store.suppressEmail(fixture.workspace, 'p1@acme.example');
  const page = await open(t, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
  await signIn(page, 'eve@acme.example');
  await page.goto(`/surveys/${fixture.survey}/invitations?confirm=active`);
  await inspect(t, page, 'activate-forecast');
  await page.getByRole('link', { name: 'Who gets an email when' }).click();
  await page.getByText('Show as table').click();
  await inspect(t, page, 'forecast');
  await page.getByRole('figure').getByRole('row').nth(2).getByRole('link').click();
  await page.getByRole('table', { name: 'Recipients' }).waitFor();
  await inspect(t, page, 'forecast-list');
  await page.getByRole('link', { name: '1', exact: true }).click();
  t.match(
    await page.getByRole('region', { name: 'Not sent: the address is on the do-not-email list' }).innerText(),
    'p1@acme.example',
  );
});
