// The test mail: what recipients would get, to the member who asked, with links that record nothing.
import t from 'tap';
import type { Outcome } from '../../src/relay/relay.ts';
import { createTestInvitationMailer } from '../../src/worker/test-email.ts';
import { createKeeper } from '../fixtures/mail.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, silent } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const { workspace, survey } = await createSurvey(store, { state: 'draft', publicUrl: 'https://acme.example/survey' });
const { token } = await createToken(store, survey, {
  defaultSubject: 'A question, {{recipient_name}}',
  defaultMessage: 'Here: {{survey_link}}',
  defaultReminderSubject: 'Again',
});
const ada = await createMember(store, workspace, 'editor', 'ada@example.com');

/** Asks for a test mail; its id, the mails that come of it, and the mailer. */
async function setup(mail: 'invitation' | 'reminder', outcome: Outcome = { kind: 'accepted' }) {
  await store.console.requestTestInvitation(ada.session, survey, token, mail);
  const [row] = await sql`select id from invite.test_invitations order by requested_at desc limit 1`;
  const { mails, sender } = createKeeper(outcome);
  const options = { publicUrl: 'https://s.example', from: { name: 'Acme', email: 'surveys@example.com' } };
  return { id: row?.id as string, mails, send: createTestInvitationMailer(store, sender, options, silent) };
}

t.test('it has the texts of the token, and its links lead to the preview alone', async (t) => {
  const { id, mails, send } = await setup('invitation');
  await send(id, 1);
  const [mail] = mails;
  t.match(mail, { to: { email: 'ada@example.com' }, subject: '[Test] A question, ada@example.com' });
  t.same(Object.keys(mail?.headers ?? {}), ['Message-ID'], 'no mail client unsubscribes anybody by it');
  const preview = `https://s.example/surveys/${survey}/preview`;
  t.strictSame(mail?.text.match(/https?:\S+/g), [preview, `${preview}#unsubscribe`]);
  t.strictSame(
    [...new Set(mail?.html.match(/https?:[^"<\s]+/g))].sort(),
    [preview, `${preview}&#35;unsubscribe`].map((link) => link.replace('&#35;', '#')),
  );
});

t.test('a reminder has the texts of the reminder', async (t) => {
  const { id, mails, send } = await setup('reminder');
  await send(id, 1);
  t.equal(mails[0]?.subject, '[Test] Again');
});

t.test('one that did not surely leave is tried again as the same mail; one that the relay refuses is not', async (t) => {
  const { id, mails, send } = await setup('invitation', { kind: 'unknown', code: 'timeout', detail: 'ada@example.com' });
  for (const attempt of [1, 2]) await t.rejects(send(id, attempt), { message: /^the test mail did not surely leave: unknown$/ });
  t.strictSame(mails[0], mails[1]);
  const refused = await setup('invitation', { kind: 'rejected', code: 'no', detail: 'no' });
  await refused.send(refused.id, 1);
  const lines = await store.console.listTestInvitations(ada.session, survey);
  t.match(
    lines.find((line) => line.id === id),
    { state: 'retrying', code: 'timeout', attempts: 2 },
  );
  t.match(
    lines.find((line) => line.id === refused.id),
    { state: 'refused', code: 'no', attempts: 1 },
  );
  t.notMatch(JSON.stringify(await sql`select outcome, outcome_code from invite.test_invitations`), '@', 'no words of the relay');
});

t.test('nothing is sent an hour late, of a deleted token, or to who is no editor any more', async (t) => {
  const { id, mails, send } = await setup('invitation');
  await store.upsertMember(workspace, 'ada@example.com', 'viewer');
  await send(id, 1);
  await store.upsertMember(workspace, 'ada@example.com', 'editor');
  await sql`update invite.trigger_tokens set deleted_at = now() where id = ${token}`;
  await send(id, 1);
  await sql`update invite.trigger_tokens set deleted_at = null where id = ${token}`;
  await sql`update invite.test_invitations set requested_at = requested_at - interval '1 hour' where id = ${id}`;
  await send(id, 1);
  t.equal(mails.length, 0);
  await sql`update invite.test_invitations set requested_at = requested_at + interval '1 minute' where id = ${id}`;
  await send(id, 1);
  t.equal(mails.length, 1);
});
