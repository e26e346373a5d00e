// The pictures in docs/pages.md, of an imaginary shop. Not a test: `npm run pictures` takes them again into docs/pictures.
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { startBrowser } from './browser.ts';

const DIRECTORY = new URL('../../docs/pictures/', import.meta.url).pathname;
const DESK = { width: 1280, height: 900 };
const OWNER = 'ingrid@fjord-outdoor.example';
const FIRST = ['Amara', 'Ben', 'Chloe', 'Deniz', 'Emma', 'Farid', 'Greta', 'Hiro'];
const LAST = ['Okafor', 'Sorensen', 'Laurent', 'Novak', 'Haddad', 'Lindqvist', 'Tanaka', 'Berg', 'Costa', 'Moreau'];

const COMMENTS = [
  'It arrived a day early, and well packed.',
  'The jacket is lovely; the parcel was left in the rain.',
  'Easy to order, easy to return.',
  'Two emails about one delivery is one too many.',
];
const MESSAGE = `Hello {{recipient_name}},

thank you for your order! Would you tell us in two minutes how it went?

{{survey_link}}

Your team at {{workspace_name}}`;
const QUESTIONS = [
  {
    id: 'score',
    type: 'score',
    label: 'How likely are you to recommend us to a friend?',
    required: true,
    min_label: 'Not at all likely',
    max_label: 'Extremely likely',
    nps: true,
  },
  { id: 'delivery', type: 'choice', label: 'How was the delivery?', choices: ['Quick', 'As promised', 'Late'] },
  { id: 'comment', type: 'text', label: 'What could we do better?' },
];

const { store, sql, open, signIn } = await startBrowser(t);
const workspace = await store.upsertWorkspace({ name: 'Fjord Outdoor' });
await store.upsertMember(workspace, OWNER, 'owner');
const survey = await store.upsertSurvey({
  workspaceId: workspace,
  title: 'How was your order?',
  state: 'active',
  questions: QUESTIONS,
  publicUrl: 'https://fjord-outdoor.example/feedback',
});
const { token, hash } = await createToken(store, survey, {
  name: 'Webshop',
  cooldownSeconds: 0,
  defaultSubject: 'How was your order, {{recipient_name}}?',
  defaultMessage: MESSAGE,
  defaultReminderDays: 5,
});
await fill();

/** Eighty orders of the last month: most got an invitation, and more than half of those responded. */
async function fill() {
  for (let order = 0; order < 80; order += 1) {
    const [first, last] = [FIRST[order % FIRST.length] ?? '', LAST[order % LAST.length] ?? ''];
    const [name, email] = [`${first} ${last}`, `${first}.${last}@mail.example`.toLowerCase()];
    const metadata = { order_id: `A-${4180 + order}`, country: ['NO', 'DK', 'FR'][order % 3] ?? '', items: 1 + (order % 4) };
    await acceptTrigger(
      store,
      hash,
      { recipients: [{ email, name }], metadata, sendInSeconds: 86_400 * (1 + (order % 3)) },
      10_000,
    );
  }
  await sql`
    update invite.invitations
    set status = 'sent', due_at = null, sweep_at = null, sent_at = now() - interval '28 days' + id * interval '8.5 hours'
    where id <= 78`;
  await sql`
    update invite.invitations
    set status = 'failed', sent_at = null, failed_at = now() - interval '3 hours', attempts = 1, last_error_code = 'invalid_recipient',
      last_error = '550 no such mailbox'
    where id = 76`;
  await sql`
    insert into invite.responses (survey_id, invitation_id, answers, metadata, submitted_at)
    select i.survey_id, i.id,
      jsonb_build_object('score', (array[9, 10, 8, 9, 3, 10, 7, 9, 10, 6, 8])[1 + i.id % 11],
        'delivery', (array['Quick', 'As promised', 'As promised', 'Late'])[1 + i.id % 7 % 4])
        || case when i.id % 2 = 0 then jsonb_build_object('comment', (${COMMENTS}::text[])[1 + i.id % 4]) else '{}' end,
      b.metadata, i.sent_at + (1 + i.id % 30) * interval '11 minutes'
    from invite.invitations as i join invite.batches as b on b.id = i.batch_id
    where i.status = 'sent' and i.id % 9 not in (2, 4, 5, 7) order by i.sent_at`;
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, jsonb_build_object('score', 4 + n % 7), now() - n * interval '70 hours' from generate_series(9, 1, -1) as n`;
  await sql`
    update invite.invitations as i set responded_at = r.submitted_at from invite.responses as r where r.invitation_id = i.id`;
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select id, 'responded', survey_id, responded_at from invite.invitations where responded_at is not null
    union all
    select id, case when id % 19 = 16 and responded_at is null then 'bounced' else 'delivered' end::invite.invitation_outcome, survey_id,
      sent_at + interval '20 seconds'
    from invite.invitations where status = 'sent'`;
  await sql`select invite.recount_results(${survey})`;
}

async function picture(t: Test, page: Page, name: string) {
  await page.screenshot({ path: `${DIRECTORY}${name}.png` });
  t.pass(name);
}

t.test('the pictures', async (t) => {
  mkdirSync(DIRECTORY, { recursive: true });
  const page = await open(t, { viewport: DESK });
  await signIn(page, OWNER);
  await page.setViewportSize({ ...DESK, height: 1110 });
  await page.goto(`/surveys/${survey}/results`);
  await picture(t, page, 'results');
  await page.setViewportSize(DESK);
  await page.goto(`/surveys/${survey}/invitations`);
  await picture(t, page, 'invitations');

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/surveys/${survey}/api-trigger/${token}`);
  await page.locator('.composer').evaluate((composer) => composer.scrollIntoView());
  await page.mouse.wheel(0, -16);
  await page.setViewportSize({ ...DESK, height: 760 });
  await page
    .locator('.stage iframe')
    .last()
    .contentFrame()
    .frameLocator('iframe')
    .getByText('thank you for your order')
    .waitFor();
  await picture(t, page, 'token');

  await sql`update invite.surveys set public_url = null`;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/surveys/${survey}/questions`);
  await picture(t, page, 'questions');
  const phone = await open(t, { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 });
  const [invitation] =
    await sql`select link_token from invite.invitations where responded_at is null and status = 'sent' limit 1`;
  await phone.goto(`/s/${survey}?invitation=${invitation?.link_token}`);
  await phone.getByRole('radio', { name: '9' }).check({ force: true });
  await phone.getByLabel('As promised').check();
  await picture(t, phone, 'survey');
});
