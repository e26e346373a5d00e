// The mail that signs in: its secret is made when it is sent, and is nowhere but in the mail.
import t from 'tap';
import { createLog } from '../../src/log.ts';
import type { Outcome, OutgoingMessage } from '../../src/relay/relay.ts';
import { hashSecret } from '../../src/secret.ts';
import { createSignInMailer } from '../../src/worker/sign-in-email.ts';
import { createKeeper } from '../fixtures/mail.ts';
import { createSurvey, createTestDatabase, silent } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const { workspace } = await createSurvey(store);
await store.upsertMember(workspace, 'ada@example.com', 'owner');

/** A request for a link; its row's id, the mails that come of it, and the mailer. */
async function setup(email: string, outcome: Outcome = { kind: 'accepted' }) {
  await store.console.requestSignInLink(email, undefined);
  const [row] = await sql`select id from invite.sign_in_links where email = ${email} order by requested_at desc limit 1`;
  const { mails, sender } = createKeeper(outcome);
  const render = { publicUrl: 'https://s.example', from: { name: 'Acme', email: 'surveys@example.com' } };
  return { id: row?.id as string, mails, send: createSignInMailer(store, sender, render, silent) };
}
const keyOf = (mail: OutgoingMessage | undefined) => /\/sign-in\/([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';

t.test('a member gets a link that signs in, in both parts of the mail', async (t) => {
  const { id, mails, send } = await setup('ada@example.com');
  await send(id, 1);
  t.match(mails, [
    { to: { email: 'ada@example.com' }, subject: 'Your sign-in link', headers: { 'Message-ID': /@example\.com>$/ } },
  ]);
  const key = keyOf(mails[0]);
  t.match(mails[0]?.html, `href="https://s.example/sign-in/${key}"`);
  t.notMatch(mails[0]?.headers, { 'List-Unsubscribe': String });
  t.equal(await store.console.isSignInLink(hashSecret(key)), true);
  t.notOk(JSON.stringify(await sql`select * from invite.sign_in_links`).includes(key), 'the table has its hash only');
});

t.test('nobody else gets a mail', async (t) => {
  const { id, mails, send } = await setup('nobody@example.com');
  await send(id, 1);
  t.equal(mails.length, 0);
});

t.test('a mail that did not surely leave is tried again, with a new secret; one that the relay refuses is not', async (t) => {
  const { id, mails, send } = await setup('ada@example.com', { kind: 'unknown', code: 'timeout', detail: 'ada@example.com' });
  for (const attempt of [1, 2])
    await t.rejects(send(id, attempt), { message: /^the sign-in mail did not surely leave: unknown$/ });
  const [first, second] = mails.map(keyOf);
  t.not(first, second);
  t.not(mails[0]?.idempotencyKey, mails[1]?.idempotencyKey);
  t.equal(await store.console.isSignInLink(hashSecret(second ?? '')), true, 'the last one counts');
  const refused = await setup('ada@example.com', { kind: 'rejected', code: 'no', detail: 'no' });
  await refused.send(refused.id, 1);
});

t.test('the log has neither address nor link', async (t) => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => lines.push(line) });
  const { id } = await setup('ada@example.com');
  const mails: OutgoingMessage[] = [];
  const sender = {
    maxBatch: 1,
    close: async () => {},
    send: async (batch: readonly OutgoingMessage[]) => {
      mails.push(...batch);
      return [{ kind: 'accepted' } as const];
    },
  };
  await createSignInMailer(
    store,
    sender,
    { publicUrl: 'https://s.example', from: { name: '', email: 'a@b.example' } },
    log,
  )(id, 1);
  t.match(lines.join(''), 'sign-in mail tried');
  for (const secret of ['ada@example.com', keyOf(mails[0])]) t.notOk(lines.join('').includes(secret));
});
