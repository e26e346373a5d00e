// The emails to members: a sign-in link whose secret is created when it is sent, and a test email whose links record nothing.
import t from 'tap';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { createLog, type Log } from '../../src/log.ts';
import type { Outcome, OutgoingMessage } from '../../src/relay/relay.ts';
import { hashSecret } from '../../src/secret.ts';
import { createMemberEmail } from '../../src/worker/member-email.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createKeeper } from '../fixtures/mail.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, silent } from '../fixtures/setup.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { sql, store } = await createTestDatabase(t);
const { workspace, survey } = await createSurvey(store, { state: 'draft', publicUrl: 'https://acme.example/survey' });
await store.upsertMember(workspace, 'ada@example.com', 'owner');
const { token } = await createToken(store, survey, {
  defaultSubject: 'A question, {{recipient_name}}',
  defaultMessage: 'Here: {{survey_link}}',
  defaultReminderSubject: 'Again',
});
const bob = await createMember(store, workspace, 'editor', 'bob@example.com');
const render = { publicUrl: 'https://s.example', from: { name: 'Acme', email: 'surveys@example.com' } };

/** Requests a link. Returns the id of its row, its messages, and the function that sends it. */
async function requestLink(email: string, outcome: Outcome = { kind: 'accepted' }, log: Log = silent) {
  await store.console.requestSignInLink(email, undefined);
  const [row] = await sql`select id from invite.sign_in_links where email = ${email} order by requested_at desc limit 1`;
  const { messages, sender } = createKeeper(outcome);
  return { id: row?.id as string, messages, send: createMemberEmail({ store, sender, render, log }).sendSignInLink };
}
const secretIn = (message: OutgoingMessage | undefined) => /\/sign-in\/([\w-]{51})$/m.exec(message?.text ?? '')?.[1] ?? '';

t.test('a member gets a link that signs in, in both parts of the email', async (t) => {
  const { id, messages, send } = await requestLink('ada@example.com');
  await send(id, 1);
  t.match(messages, [
    {
      to: { email: 'ada@example.com' },
      subject: 'Your sign-in link',
      headers: { 'Message-ID': /@example\.com>$/, 'Auto-Submitted': 'auto-generated' },
    },
  ]);
  const secret = secretIn(messages[0]);
  t.match(messages[0]?.text, /^Here's your sign-in link for Acme\. It works once and expires in 10 minutes\.\n/);
  t.match(messages[0]?.html, `href="https://s.example/sign-in/${secret}"`);
  for (const name of ['List-Unsubscribe', 'Feedback-ID']) t.notMatch(messages[0]?.headers, { [name]: String });
  t.match(await store.console.findSignInLink(hashSecret(secret), undefined), { email: 'ada@example.com' });
  t.notOk(JSON.stringify(await sql`select * from invite.sign_in_links`).includes(secret), 'the table has only its hash');
});

t.test('nobody else gets a sign-in email', async (t) => {
  const { id, messages, send } = await requestLink('nobody@example.com');
  await send(id, 1);
  t.equal(messages.length, 0);
});

t.test('a sign-in email that may not have left is tried again with a new secret; a rejected one is not', async (t) => {
  const unknown: Outcome = { kind: 'unknown', code: 'timeout', detail: 'ada@example.com' };
  const { id, messages, send } = await requestLink('ada@example.com', unknown);
  for (const attempt of [1, 2])
    await t.rejects(send(id, attempt), { message: /^the sign-in email may not have been sent: unknown$/ });
  const [first, second] = messages.map(secretIn);
  t.not(first, second);
  t.not(messages[0]?.idempotencyKey, messages[1]?.idempotencyKey);
  t.ok(await store.console.findSignInLink(hashSecret(second ?? ''), undefined), 'the last one counts');
  const rejected = await requestLink('ada@example.com', { kind: 'rejected', code: 'no', detail: 'no' });
  await rejected.send(rejected.id, 1);
});

t.test('the log has neither the address nor the link', async (t) => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => lines.push(line) });
  const { id, messages, send } = await requestLink('ada@example.com', { kind: 'accepted' }, log);
  await send(id, 1);
  t.match(lines.join(''), 'sign-in email attempted');
  t.equal(secretIn(messages[0]).length, 51);
  for (const secret of ['ada@example.com', secretIn(messages[0])]) t.notOk(lines.join('').includes(secret));
});

/** Requests a test email. Returns its id, its messages, and the function that sends it. */
async function requestTest(kind: 'invitation' | 'reminder', outcome: Outcome = { kind: 'accepted' }, language?: string) {
  await store.console.requestTestInvitation(bob.session, survey, { tokenId: token, kind, language });
  const [row] = await sql`select id from invite.test_invitations order by requested_at desc limit 1`;
  const { messages, sender } = createKeeper(outcome);
  return { id: row?.id as string, messages, send: createMemberEmail({ store, sender, render, log: silent }).sendTestInvitation };
}

t.test("a test email has the token's texts, and its links lead only to the preview", async (t) => {
  const { id, messages, send } = await requestTest('invitation');
  await send(id, 1);
  const [message] = messages;
  t.match(message, { to: { email: 'bob@example.com' }, subject: /^\[Test\] / });
  t.same(Object.keys(message?.headers ?? {}), ['Message-ID', 'Auto-Submitted'], 'no email program can unsubscribe by it');
  const preview = `https://s.example/surveys/${survey}/preview`;
  t.strictSame(message?.text.match(/https?:\S+/g), [preview, `${preview}#unsubscribe`]);
  t.strictSame([...new Set(message?.html.match(/https?:[^"<\s]+/g))].sort(), [preview, `${preview}#unsubscribe`]);
});

t.test('a test email is what a recipient of the chosen language gets, and leads to the preview in it', async (t) => {
  await store.setTokenTranslation(token, 'pt', { subject: 'Uma pergunta', message: 'Aqui: {{survey_title}}' });
  await store.setSurveyTranslation(survey, 'pt-BR', { title: 'Pesquisa' });
  const { id, messages, send } = await requestTest('invitation', { kind: 'accepted' }, 'pt-BR');
  await send(id, 1);
  const [message] = messages;
  t.equal(message?.subject, '[Test] Uma pergunta');
  t.match(message?.text, 'Aqui: Pesquisa');
  t.match(message?.text, LANGUAGES.pt.emailReason.replace('{workspace}', 'Acme'));
  t.match(message?.html, '<html lang="pt" dir="ltr">');
  t.match(message?.text, `https://s.example/surveys/${survey}/preview?language=pt-BR`);
  t.match(await store.console.listTestInvitations(bob.session, survey), [{ language: 'pt-BR' }]);
  const [template] = await store.console.listTestTemplates(bob.session, survey);
  t.match(template, { language: 'en', translated: ['pt', 'pt-BR'] });
  await store.setTokenTranslation(token, 'ar', { reminder_subject: 'سؤال', message: 'هنا' });
  const arabic = await requestTest('reminder', { kind: 'accepted' }, 'ar');
  await arabic.send(arabic.id, 1);
  t.match(arabic.messages[0]?.html, '<html lang="ar" dir="rtl">');
  t.equal(
    await constraint(
      store.console.requestTestInvitation(bob.session, survey, { tokenId: token, kind: 'invitation', language: 'de!' }),
    ),
    'test_invitations_language_tag',
  );
  await store.setTokenTranslation(token, 'pt', { subject: '', message: '' });
  await store.setSurveyTranslation(survey, 'pt-BR', null);
});

t.test("a test reminder has the reminder's texts", async (t) => {
  const { id, messages, send } = await requestTest('reminder');
  await send(id, 1);
  t.equal(messages[0]?.subject, '[Test] Again');
});

t.test('a test email that may not have left is tried again unchanged; a rejected one is not', async (t) => {
  const { id, messages, send } = await requestTest('invitation', { kind: 'unknown', code: 'timeout', detail: 'bob@example.com' });
  for (const attempt of [1, 2])
    await t.rejects(send(id, attempt), { message: /^the test email may not have been sent: unknown$/ });
  t.equal(messages.length, 2);
  t.strictSame(messages[0], messages[1]);
  const rejected = await requestTest('invitation', { kind: 'rejected', code: 'no', detail: 'no' });
  await rejected.send(rejected.id, 1);
  const lines = await store.console.listTestInvitations(bob.session, survey);
  t.match(
    lines.find((line) => line.id === id),
    { state: 'retrying', code: 'timeout', attempts: 2 },
  );
  t.match(
    lines.find((line) => line.id === rejected.id),
    { state: 'rejected', code: 'no', attempts: 1 },
  );
  t.notMatch(JSON.stringify(await sql`select outcome, outcome_code from invite.test_invitations`), '@', "not the relay's text");
});

t.test('a test email that would be too large fails', async (t) => {
  await sql`update invite.trigger_tokens set default_message = ${'{{survey_link}}'.repeat(4300)} where id = ${token}`;
  const { id, messages, send } = await requestTest('invitation');
  await send(id, 1);
  await sql`update invite.trigger_tokens set default_message = 'Here: {{survey_link}}' where id = ${token}`;
  t.equal(messages.length, 0);
  t.match(await sql`select outcome, outcome_code from invite.test_invitations where id = ${id}`, [
    { outcome: 'rejected', outcome_code: 'message_too_large' },
  ]);
});

t.test('no test email is sent an hour late, for a deleted token, or to a former editor', async (t) => {
  const { id, messages, send } = await requestTest('invitation');
  await store.upsertMember(workspace, 'bob@example.com', 'viewer');
  await send(id, 1);
  await store.upsertMember(workspace, 'bob@example.com', 'editor');
  await sql`update invite.trigger_tokens set deleted_at = now() where id = ${token}`;
  await send(id, 1);
  await sql`update invite.trigger_tokens set deleted_at = null where id = ${token}`;
  await sql`update invite.test_invitations set requested_at = requested_at - interval '1 hour' where id = ${id}`;
  await send(id, 1);
  t.equal(messages.length, 0);
  await sql`update invite.test_invitations set requested_at = requested_at + interval '1 minute' where id = ${id}`;
  await send(id, 1);
  t.equal(messages.length, 1);
});

t.test('a new member is told who added them, where and as what, with an address that needs no secret', async (t) => {
  const owner = await createMember(store, workspace, 'owner', 'olga@example.com');
  await store.console.addMember(owner.session, workspace, 'New@example.com', 'editor');
  const jobs = await sql`select payload from graphile_worker._private_jobs where payload ->> 'invited_by' is not null`;
  t.same(
    jobs.map(({ payload }) => payload),
    [{ workspace_id: workspace, email: 'new@example.com', invited_by: 'olga@example.com' }],
  );
  const { messages, sender } = createKeeper({ kind: 'accepted' });
  const { sendMemberInvitation } = createMemberEmail({ store, sender, render, log: silent });
  await sendMemberInvitation(workspace, 'new@example.com', 'olga@example.com', '1');
  const next = `https://s.example/sign-in?next=%2Fworkspaces%2F${workspace}`;
  t.match(messages, [{ to: { email: 'new@example.com' }, subject: 'olga@example.com added you to Acme' }]);
  t.match(messages[0]?.text, `olga@example.com added you to Acme as an editor.`);
  t.match(messages[0]?.text, `\n${next}\n`);
  t.match(messages[0]?.html, `href="${next}"`);
  await store.removeMember(workspace, 'new@example.com');
  await sendMemberInvitation(workspace, 'new@example.com', 'olga@example.com', '1');
  t.equal(messages.length, 1, 'nobody who was removed again is told');
});

t.test('who is a member already, or the twenty-first in an hour, gets no email', async (t) => {
  const { workspace: other } = await createSurvey(store);
  const owner = await createMember(store, other, 'owner', 'otto@example.com');
  const add = (email: string) => store.console.addMember(owner.session, other, email, 'viewer');
  const jobs = async () =>
    (await sql`select from graphile_worker._private_jobs where payload ->> 'invited_by' = 'otto@example.com'`).length;
  await add('one@example.com');
  await add('one@example.com');
  t.equal(await jobs(), 1);
  for (let count = 2; count <= 20; count += 1) await add(`member${count}@example.com`);
  await sql`
    insert into invite.audit_log (workspace_id, actor, action, subject)
    select ${other}, 'otto@example.com', 'webhook_paused', 'hook' from generate_series(1, 2000)`;
  t.equal(await constraint(Promise.resolve(add('late@example.com'))), 'members_hourly', 'however much has been logged since');
  await store.upsertMember(other, 'late@example.com', 'viewer');
  t.equal(await jobs(), 20, 'commands are not limited, and tell nobody');
  await sql`update invite.audit_log set at = at - interval '61 minutes' where workspace_id = ${other}`;
  for (let count = 21; count <= 40; count += 1) await add(`member${count}@example.com`);
  await sql`update invite.audit_log set at = at - interval '61 minutes' where workspace_id = ${other}`;
  for (let count = 41; count <= 50; count += 1) await add(`member${count}@example.com`);
  t.equal(await constraint(Promise.resolve(add('later@example.com'))), 'members_daily');
  await sql`update invite.audit_log set at = at - interval '22 hours' where workspace_id = ${other}`;
  await add('later@example.com');
  t.equal(await jobs(), 51);
});

t.test('an address gets three of these emails a day, whoever adds it, and the addition says nothing of it', async (t) => {
  const jobs = async () =>
    (await sql`select from graphile_worker._private_jobs where payload ->> 'email' = 'wanted@example.com'`).length;
  const { workspace: own } = await createSurvey(store);
  const { session } = await createMember(store, own, 'owner', 'nora@example.com');
  for (let count = 0; count < 2; count += 1) {
    await store.console.addMember(session, own, 'Wanted@example.com', 'viewer');
    await store.console.removeMember(session, own, 'wanted@example.com');
  }
  t.equal(await jobs(), 2, 'whoever is added, removed and added again gets a second one');
  for (const expected of [3, 3, 3]) {
    const { workspace } = await createSurvey(store);
    const owner = await createMember(store, workspace, 'owner', `owner-${workspace}@example.com`);
    await store.console.addMember(owner.session, workspace, 'wanted@example.com', 'viewer');
    t.equal(await jobs(), expected);
    t.equal((await store.console.listMembers(owner.session, workspace)).length, 2);
  }
});

t.test('a workspace cannot write its own subject', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.upsertMember(workspace, 'new@example.com', 'viewer');
  const rename = (name: string) => sql`update invite.workspaces set name = ${name} where id = ${workspace}`;
  const { messages, sender } = createKeeper({ kind: 'accepted' });
  const { sendMemberInvitation } = createMemberEmail({ store, sender, render, log: silent });
  await rename('Your account is locked! Go to https://evil.example/login or call me@evil.example for your device');
  await sendMemberInvitation(workspace, 'new@example.com', 'olga@example.com', '1');
  await rename(`${'A very long name '.repeat(14)}`.trim());
  await sendMemberInvitation(workspace, 'new@example.com', 'olga@example.com', '2');
  await rename('://');
  await sendMemberInvitation(workspace, 'new@example.com', 'olga@example.com', '3');
  t.strictSame(
    messages.map(({ subject }) => subject),
    [
      'olga@example.com added you to Your account is locked! Go to https evil example login or c…',
      'olga@example.com added you to A very long name A very long name A very long name A very l…',
      'olga@example.com added you to a workspace',
    ],
  );
  for (const message of messages) t.notMatch(message.text.split('\n')[0]?.replace('olga@example.com', ''), /evil\.|:\/\/|@/);
});

t.test('owners are told of an endpoint that has failed for a day: which, since when, with what, and where to look', async (t) => {
  const fixture = await createSurvey(store);
  for (const [email, role] of [
    ['eve@example.com', 'owner'],
    ['fay@example.com', 'owner'],
    ['gil@example.com', 'admin'],
  ] as const)
    await store.upsertMember(fixture.workspace, email, role);
  const { id } = await createWebhook(store, fixture.workspace, 'https://hooks.example/in?key=hidden');
  const delivery = await store.sendTestWebhook(id);
  await sql`select from invite.claim_webhooks(10, 60)`;
  await store.settleWebhook({ id: delivery, attempts: 1 }, [10], { status: 503 });
  await sql`update invite.webhook_endpoints set failing_since = '2030-01-31T09:00:00Z' where id = ${id}`;
  const { messages, sender } = createKeeper({ kind: 'accepted' });
  const { sendWebhookWarning } = createMemberEmail({ store, sender, render, log: silent });
  await sendWebhookWarning(id, '7');
  t.same(
    messages.map(({ to, subject }) => [to.email, subject]),
    ['eve@example.com', 'fay@example.com'].map((owner) => [owner, 'A webhook of Acme has been failing for a day']),
  );
  t.equal(
    messages[0]?.text,
    `No event has reached hooks.example since 2030-01-31 09:00:00 UTC. Last result: 503.

We keep trying for some days. What is given up by then can be sent again once the endpoint works.

https://s.example/workspaces/${fixture.workspace}/webhooks/${id}

--
You get this email as an owner of Acme.
`,
  );
  t.match(messages[0]?.html, `href="https://s.example/workspaces/${fixture.workspace}/webhooks/${id}"`);
  t.notMatch(JSON.stringify(messages), 'hidden', 'its query may hold a secret');

  await store.settleWebhook({ id: await store.sendTestWebhook(id), attempts: 0 }, [10], { status: 200 });
  t.equal(messages.length, 2);
  await sendWebhookWarning(id, '8');
  t.equal(messages.length, 2, 'once it works, nobody is told');
});
