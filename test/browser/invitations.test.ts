// The Invitations tab in a browser: the list, the state of the survey, batches, one invitation, the test email, and people without
// permission.
import t from 'tap';
import { createBatch, createSurvey, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { inspect, linkIn, openMenu, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo } = await startBrowser(t);
const recipients = Array.from({ length: 60 }, (_, index) => ({ email: `p${index}@example.com`, name: `Person ${index}` }));
const { workspace, survey, hash } = await createBatch(store, { recipients }, { state: 'draft' });
await store.upsertMember(workspace, 'ada@example.com', 'editor');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');
const path = `/surveys/${survey}/invitations`;
const statusOf = async (email: string) =>
  (await sql`select status from test.invitations where survey_id = ${survey} and email = ${email}`)[0]?.status;

t.test('a member sees what waits and why, pages through it, and finds one by the beginning of the address', async (t) => {
  await acceptTrigger(store, hash, { recipients: [{ email: 'late@example.com' }], sendInSeconds: 86_400 }, 10_000);
  await until('all is held', async () => (await sql`select from test.invitations where status = 'waiting'`).length === 60);
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(path);
  t.match(await page.getByRole('note').innerText(), /Draft.*60 emails are waiting/s);
  t.match(await page.getByRole('row', { name: /late@example.com/ }).innerText(), /Queued\s+Due in /);
  t.match(await page.getByRole('row', { name: /p59@example.com/ }).innerText(), /Waiting\s+Held: the survey is a draft/);
  await inspect(t, page, 'invitations');
  t.equal(await page.getByRole('row').count(), 51, 'a page has fifty');
  await page.getByRole('link', { name: 'Older invitations' }).click();
  t.equal(await page.getByRole('row').count(), 12);
  await page.getByRole('link', { name: 'Newest invitations' }).click();

  await page.getByRole('link', { name: 'Queued 1' }).click();
  t.equal(await page.getByRole('row').count(), 2);
  await page.getByRole('link', { name: 'Any status' }).click();
  await page.getByLabel('Email starts with').fill('P5');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=P5/);
  t.equal(await page.getByRole('row').count(), 12, 'p5 and p50 to p59');
  await inspect(t, page, 'invitations-search');
  await page.getByLabel('Email starts with').fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No invitations match' }).waitFor();
  await inspect(t, page, 'invitations-none');
});

t.test('one invitation has its history without its link, and can be cancelled', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`${path}?search=p59`);
  await page.getByRole('link', { name: 'p59@example.com', exact: true }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const [row] = await sql`select link_token from test.invitations where email = 'p59@example.com'`;
  t.notOk((await page.content()).includes(row?.link_token));
  await inspect(t, page, 'invitation');
  await page.getByRole('button', { name: 'Cancel the invitation' }).click();
  t.equal(await page.getByRole('status').innerText(), 'Email cancelled.');
  t.equal(await page.getByRole('button', { name: /Cancel|again/ }).count(), 0);
  t.equal(await statusOf('p59@example.com'), 'cancelled');
  await inspect(t, page, 'invitation-cancelled');
});

t.test('a batch is cancelled after a question that says what that does', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(path);
  await page.getByRole('link', { name: 'Batches' }).click();
  await inspect(t, page, 'batches');
  const scheduled = page.getByRole('row', { name: /Scheduled/ });
  await openMenu(scheduled, 'batch');
  await scheduled.getByRole('link', { name: 'Cancel…' }).click();
  const question = page.getByRole('region', { name: /^Cancel 1 unsent invitation of batch …\w+\?$/ });
  t.match(await question.innerText(), "This can't be undone");
  t.ok(((await question.boundingBox())?.y ?? 999) < 300, 'it is what the page shows');
  await inspect(t, page, 'batch-cancel');
  await page.getByRole('link', { name: 'Keep sending' }).click();
  t.equal(await statusOf('late@example.com'), 'queued');
  await page.getByRole('link', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel 1 unsent invitation' }).click();
  t.match(await page.getByRole('status').innerText(), 'Batch cancelled');
  t.equal(await statusOf('late@example.com'), 'cancelled');
  await inspect(t, page, 'batch');
});

t.test(
  'a test email reaches the member and leads to a preview that records nothing; the twenty-first of a day is refused',
  async (t) => {
    const before = await sql`select last_accepted_at from invite.trigger_token_overview`;
    const page = await open(t);
    await signIn(page, 'ada@example.com');
    await page.goto(path);
    await page.getByRole('link', { name: 'Send a test' }).click();
    await inspect(t, page, 'test-invitation');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    t.match(await page.getByRole('status').innerText(), 'Test email queued');
    const email = await mailTo('ada@example.com', 4);
    t.match(email, { subject: '[Test] Acme: Customer survey' });
    t.notMatch(email.headers, { 'List-Unsubscribe': String });
    await until('it is said to be sent', async () => {
      await page.reload();
      return /Sent/.test(await page.getByRole('table', { name: 'My last test emails' }).innerText());
    });
    await sql`
    insert into invite.test_invitations
      (survey_id, trigger_token_id, message_kind, email, recipient, requested_at, outcome, outcome_code, attempts, tried_at)
    select survey_id, trigger_token_id, 'reminder', email, recipient, requested_at - interval '2 minutes', p.*, now()
    from invite.test_invitations, (values ('rejected'::invite.delivery_outcome, 'http_422', 1), ('config', 'invalid_api_key', 3)) as p`;
    await page.reload();
    const last = await page.getByRole('table', { name: 'My last test emails' }).innerText();
    t.match(last, 'The mail server rejected it (http_422), after 1 attempt. Change the texts or the sender');
    t.match(last, "The mail server refuses this service's key, domain or settings (invalid_api_key), after 3 attempts. Retrying");
    await inspect(t, page, 'test-invitation-last');
    await sql`delete from invite.test_invitations where outcome <> 'accepted'`;
    await page.goto(linkIn(email));
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    const shown = page.frameLocator('.screen iframe >> nth=-1');
    await shown.getByRole('radio', { name: '9', exact: true }).check({ force: true });
    t.equal(await page.locator('main form[method=post]').count(), 0, 'around the page there is no form to submit');
    await inspect(t, page, 'preview');
    t.strictSame(await sql`select last_accepted_at from invite.trigger_token_overview`, before, 'the cooldown is as it was');
    t.equal((await sql`select from test.invitations`).length, 61);
    t.equal((await sql`select from invite.responses`).length, 0);

    await sql`
    insert into invite.test_invitations (survey_id, trigger_token_id, message_kind, email, recipient, requested_at)
    select survey_id, trigger_token_id, message_kind, email, recipient, requested_at from invite.test_invitations, generate_series(1, 19)`;
    await page.goto(`/surveys/${survey}/test-invitation`);
    await page.getByRole('button', { name: 'Send the reminder' }).click();
    await refused(t, page, 'within a day');
    await inspect(t, page, 'test-invitation-error');
  },
);

t.test('activating says what it sends, sends it, and closing holds it again', async (t) => {
  await acceptTrigger(store, hash, { recipients: [{ email: 'soon@example.com' }], sendInSeconds: 3600 }, 10_000);
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(path);
  await page.getByRole('link', { name: 'Activate survey…' }).click();
  t.match(
    await page.getByRole('region', { name: 'Activate “Customer survey”?' }).innerText(),
    'sends 59 emails now and 1 when it is due',
  );
  await inspect(t, page, 'activate');
  await page.getByRole('button', { name: 'Activate survey and send 59 emails' }).click();
  t.match(await page.getByRole('status').innerText(), 'The survey is active');
  await until('all is sent', async () => (await sql`select from test.invitations where status = 'sent'`).length === 59);
  await page.goto(path);
  t.match(await page.getByRole('row', { name: /p58@example.com/ }).innerText(), /Sent/);
  await inspect(t, page, 'invitations-active');

  await openMenu(page, 'survey');
  await page.getByRole('link', { name: 'Close survey…' }).click();
  t.match(
    await page.getByRole('region', { name: 'Close “Customer survey”?' }).innerText(),
    '1 scheduled email will be held. It goes out if you reopen the survey.',
  );
  await inspect(t, page, 'close');
  await page.getByRole('button', { name: 'Close survey and hold 1 email' }).click();
  t.match(await page.getByRole('status').innerText(), 'The survey is closed');
  await store.setWorkspaceSuspended(workspace, true);
  await page.goto(path);
  t.match(await page.getByRole('note').innerText(), 'On hold: the workspace is suspended');
  await page.getByRole('link', { name: 'Activate survey…' }).click();
  t.match(
    await page.getByRole('region', { name: 'Activate “Customer survey”?' }).innerText(),
    'sends nothing yet: the workspace is suspended',
  );
  await inspect(t, page, 'activate-suspended');
  await store.setWorkspaceSuspended(workspace, false);
});

t.test('what has failed is sent again, one invitation or a batch', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, 'eve@example.com', 'owner');
  const token = await createToken(store, fixture.survey);
  await acceptTrigger(store, token.hash, { recipients: recipients.slice(0, 3) }, 10_000);
  await until(
    'all is sent',
    async () => (await sql`select from test.invitations where survey_id = ${fixture.survey} and status = 'sent'`).length === 3,
  );
  await sql`
    update invite.messages set status = 'failed', sent_at = null, failed_at = now(), last_error_code = 'gave_up', last_error = 'No such host.'
    where survey_id = ${fixture.survey}`;
  const page = await open(t);
  await signIn(page, 'eve@example.com');
  await page.goto(`/surveys/${fixture.survey}/invitations?search=p0`);
  t.match(
    await page.getByRole('row', { name: /p0@example.com/ }).innerText(),
    'Not sent: every delivery attempt failed (gave_up)',
  );
  await page.getByRole('link', { name: 'p0@example.com', exact: true }).click();
  await inspect(t, page, 'invitation-failed');
  await page.getByRole('button', { name: 'Send the invitation again' }).click();
  t.match(await page.getByRole('status').innerText(), 'queued again');
  await page.goto(`/surveys/${fixture.survey}/batches`);
  await openMenu(page, 'batch');
  await page.getByRole('link', { name: 'Send again…' }).click();
  t.match(await page.getByRole('region', { name: /^Send 2 failed emails again of batch/ }).innerText(), 'They go out now');
  await page.getByRole('button', { name: 'Send 2 emails again' }).click();
  await until(
    'all is sent again',
    async () => (await sql`select from test.invitations where survey_id = ${fixture.survey} and status = 'sent'`).length === 3,
  );
});

t.test('people are reminded now: one, a batch, and all of a survey', async (t) => {
  const fixture = await createSurvey(store);
  const title = 'How was “Äpfel & Birnen” — the very long autumn fair, and would you come again?';
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, title });
  await store.upsertMember(fixture.workspace, 'rem@example.com', 'editor');
  const token = await createToken(store, fixture.survey, { defaultReminders: [3, 7] });
  for (const few of [recipients.slice(0, 3), recipients.slice(3, 5)])
    await acceptTrigger(store, token.hash, { recipients: few }, 10_000);
  const sent = async (kind: string) =>
    (
      await sql`
        select from invite.messages where survey_id = ${fixture.survey} and message_kind = ${kind}::invite.message_kind and status = 'sent'`
    ).length;
  const dayLater = () =>
    sql`update invite.messages set sent_at = now() - interval '25 hours' where survey_id = ${fixture.survey} and sent_at is not null`;
  await until('all is sent', async () => (await sent('invitation')) === 5);
  const page = await open(t);
  await signIn(page, 'rem@example.com');
  await page.goto(`/surveys/${fixture.survey}/invitations?confirm=remind`);
  t.match(await page.getByRole('main').innerText(), 'There is nobody to remind.', 'their emails have just left');
  await dayLater();
  await page.goto(`/surveys/${fixture.survey}/invitations?search=p0`);
  await page.getByRole('link', { name: 'p0@example.com', exact: true }).click();
  await inspect(t, page, 'invitation-remind');
  await page.getByRole('button', { name: 'Remind now' }).click();
  t.match(await page.getByRole('status').innerText(), 'The reminder is due now.');
  await until('one is reminded', async () => (await sent('reminder')) === 1);
  await page.reload();
  t.equal(await page.getByRole('button', { name: 'Remind now' }).count(), 0);

  await page.goto(`/surveys/${fixture.survey}/batches`);
  await page.locator('details.menu', { hasText: 'Remind now…' }).last().locator('summary').click();
  await page
    .getByRole('link', { name: /^Remind now…/ })
    .last()
    .click();
  t.match(await page.getByRole('region', { name: /^Remind batch …/ }).innerText(), 'A reminder goes to 2 people now.');
  await inspect(t, page, 'batch-remind');
  await page.getByRole('button', { name: 'Remind 2 people' }).click();
  t.match(await page.getByRole('status').innerText(), 'The reminders are due now.');
  await until('the batch is reminded', async () => (await sent('reminder')) === 3);

  await store.setSurveyState(fixture.survey, 'closed');
  await page.goto(`/surveys/${fixture.survey}/invitations`);
  await openMenu(page, 'survey');
  await page.getByRole('link', { name: 'Remind now…' }).click();
  t.match(
    await page.getByRole('main').innerText(),
    'A reminder goes to 2 people once sending resumes (on hold: the survey is closed).',
  );
  await inspect(t, page, 'survey-remind');
  await page.getByRole('button', { name: 'Remind 2 people' }).click();
  t.match(await page.getByRole('status').innerText(), 'The reminders are due now.');
  await store.setSurveyState(fixture.survey, 'active');
  await until('all are reminded', async () => (await sent('reminder')) === 5);
});

t.test('a delivered invitation is shown as sent, and beside it what its reminder does', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, 'flo@example.com', 'editor');
  const token = await createToken(store, fixture.survey, { defaultReminders: [3] });
  const metadata = { order: 'A-4711', lines: [1, 2] };
  await acceptTrigger(store, token.hash, { recipients: recipients.slice(0, 3), metadata }, 10_000);
  const pending = () =>
    sql`select from test.invitations where survey_id = ${fixture.survey} and status = 'queued' and message_kind = 'reminder'`;
  await until('all is sent', async () => (await pending()).length === 3);
  await sql`
    update invite.messages set status = 'failed', not_before = null, sweep_at = null, failed_at = now(), last_error_code = 'gave_up'
    where survey_id = ${fixture.survey} and number = 1 and invitation_id in (select id from invite.invitations where email = 'p1@example.com')`;
  await sql`
    update invite.messages set status = 'waiting', sweep_at = null
    where survey_id = ${fixture.survey} and number = 1 and invitation_id in (select id from invite.invitations where email = 'p2@example.com')`;
  await store.setSurveyState(fixture.survey, 'closed');
  const page = await open(t);
  await signIn(page, 'flo@example.com');
  await page.getByRole('link', { name: '3 sent' }).click();
  const row = async (name: string) =>
    (await page.getByRole('row', { name: new RegExp(`${name}@`) }).innerText()).replace(/\s+/g, ' ');
  t.match(await row('p0'), /Sent Reminder: due in 2 days/);
  t.match(await row('p1'), /Sent Reminder: not sent: every delivery attempt failed/);
  t.match(await row('p2'), /Sent Reminder: held: the survey is closed/);
  t.match(await page.getByRole('note').innerText(), '1 email is waiting');
  await inspect(t, page, 'invitations-reminders');
  await page.getByRole('link', { name: 'p1@example.com', exact: true }).click();
  t.notMatch(await page.getByRole('main').innerText(), "hasn't been sent");
  t.match(await page.getByRole('region', { name: 'Details' }).innerText(), /lines\s+\[1,2\]\s+order\s+A-4711/);
  await page.getByRole('button', { name: 'Send the reminder again' }).waitFor();
  await inspect(t, page, 'invitation-reminder');
  await page.goto(`/surveys/${fixture.survey}/batches`);
  await page.getByRole('link', { name: '3 sent' }).click();
  t.equal(await page.getByRole('row').count(), 4, 'the count leads to what it counts');
  await page.getByText('Message', { exact: true }).click();
  await inspect(t, page, 'batch-texts');
});

t.test('viewers and members of other workspaces see none of it', async (t) => {
  const page = await open(t);
  await signIn(page, 'vic@example.com');
  const [invitation] = await sql`select id from test.invitations where survey_id = ${survey} limit 1`;
  for (const end of ['invitations', `invitations/${invitation?.id}`, 'batches', 'test-invitation', 'preview']) {
    t.equal((await page.goto(`/surveys/${survey}/${end}`))?.status(), 403, end);
  }
  const other = await createSurvey(store);
  t.equal((await page.goto(`/surveys/${other.survey}/invitations`))?.status(), 404);
});
