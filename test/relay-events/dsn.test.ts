// From an email by SMTP to the suppression that its bounce causes: by HTTP and by the command, once, and never by a forged report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import t from 'tap';
import { render } from '../../src/mail/render.ts';
import { createReturnPath } from '../../src/relay/return-path.ts';
import { createSmtpSender } from '../../src/relay/smtp-sender.ts';
import { createKeyring } from '../../src/sealed.ts';
import { REPORTS, vacation } from '../fixtures/dsn.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker, testConfig } from '../fixtures/setup.ts';
import { SECRET_KEYS } from '../fixtures/webhooks.ts';

const { sql, store, url: databaseUrl, urlAs } = await createTestDatabase(t);
const env = {
  RELAY: 'smtp',
  RELAY_URL: 'smtp://127.0.0.1:2525',
  PUBLIC_URL: 'https://i.example',
  MAIL_FROM: 'surveys@i.example',
  SMTP_RETURN_PATH: 'bounces@b.example',
};
const counted: string[] = [];
const recorder = { request: () => {}, report: (result: string) => counted.push(result) } as never;
const server = await startTestServer(t, urlAs('invite_web'), env, undefined, recorder);
const returnPath = createReturnPath('bounces@b.example', createKeyring(SECRET_KEYS.split(',')));
const options = { publicUrl: 'https://i.example', from: { name: '', email: 'surveys@i.example' } };

const envelopes: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, { envelope }, callback) {
    envelopes.push(envelope.mailFrom ? envelope.mailFrom.address : '');
    text(stream).then(() => callback(), callback);
  },
});
smtp.listen(0, '127.0.0.1');
await once(smtp.server, 'listening');
const { port } = smtp.server.address() as { port: number };
const sender = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, connections: 1, timeoutSeconds: 60, returnPath });
t.teardown(async () => {
  await sender.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

/** Sends an invitation by SMTP. Returns what its bounce would say. */
async function send(email: string) {
  const { survey, workspace } = await createBatch(store, { recipients: [{ email }] });
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  if (claimed === undefined) throw new Error('nothing was claimed');
  const message = render(claimed, options);
  const [outcome] = await sender.send([message], 1);
  const messageId = outcome?.kind === 'accepted' ? outcome.messageId : undefined;
  await store.settleInvitations([
    { id: claimed.id, claim_id: claimed.claimId, outcome: 'accepted', relay_message_id: messageId },
  ]);
  return { workspace, returnPath: envelopes.at(-1) ?? '', to: email, messageId: messageId ?? '', invitation: claimed.id };
}

const post = async (body: string) => {
  const response = await fetch(`${server.url}/relay-events/dsn`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body,
  });
  return { status: response.status, ...((await response.json()) as { result?: string }) };
};
const suppressed = async (email: string) => (await sql`select reason from invite.suppressions where email = ${email}`)[0]?.reason;
const GONE = REPORTS['Postfix: no such user']?.[1] ?? (() => '');

t.test('a bounce suppresses its recipient once; what came back counts', async (t) => {
  const sent = await send('gone@example.com');
  t.match(sent.returnPath, /^bounces\+[a-z0-9]{8}-[a-z0-9]+-0-[0-9a-f]{20}@b\.example$/);
  t.match(await post(GONE(sent)), { status: 200, result: 'recorded' });
  t.equal(await suppressed('gone@example.com'), 'hard_bounce');
  t.match(await post(GONE(sent)), { status: 200, result: 'repeated' });
  const outcomes = await sql`select outcome from invite.invitation_outcomes where invitation_id = ${sent.invitation}`;
  t.match(outcomes, [{ outcome: 'bounced' }]);
  t.match(await post(vacation(sent)), { status: 200, result: 'ignored' });
});

t.test('a soft bounce, a forged one and one for another installation suppress nobody', async (t) => {
  const sent = await send('full@example.com');
  t.match(await post(REPORTS['Postfix: the mailbox is full']?.[1](sent) ?? ''), { result: 'recorded' });
  const other = createReturnPath('bounces@b.example', createKeyring([Buffer.alloc(32, 7).toString('base64')]));
  const forged = other.addressFor({ home: sent.returnPath.slice(8, 16), id: sent.invitation, number: 0 } as never) ?? '';
  for (const path of [forged, 'bounces@b.example', `${sent.returnPath.replace(/-0-/, '-1-')}`])
    t.match(await post(GONE({ ...sent, returnPath: path })), { status: 200, result: 'unsigned' }, path);
  t.equal(await suppressed('full@example.com'), undefined);
  t.equal(counted.filter((result) => result === 'unsigned').length, 3, 'they are counted');
  const innocent = await send('innocent@example.com');
  await post(GONE({ ...sent, to: 'innocent@example.com', messageId: innocent.messageId }));
  t.equal(await suppressed('innocent@example.com'), undefined, "a report names its own email's recipient alone");
});

t.test('a forwarded email bounces by its Message-ID, and the address that was invited is suppressed', async (t) => {
  const sent = await send('forwards@example.com');
  t.match(await post(REPORTS['sendmail: for several, the failed one counts']?.[1](sent) ?? ''), { result: 'recorded' });
  t.equal(await suppressed('forwards@example.com'), 'hard_bounce');
  t.equal(await suppressed('gone@elsewhere.example'), undefined);
});

t.test(
  'the command reads a bounce from standard input, and asks the mail server to try again if it cannot record it',
  async (t) => {
    const sent = await send('piped@example.com');
    const dsn = async (input: string, more: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [new URL('../../src/cli.ts', import.meta.url).pathname, 'dsn'], {
        env: { PATH: process.env.PATH, SECRET_KEYS, DATABASE_URL: databaseUrl, ...env, ...more },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      return { code: child.exitCode, stdout, stderr };
    };
    t.match(await dsn(GONE(sent)), { code: 0, stdout: 'recorded: hard_bounce\n' });
    t.equal(await suppressed('piped@example.com'), 'hard_bounce');
    t.match(await dsn('Subject: spam\r\n\r\nbuy'), { code: 0, stdout: 'unsigned\n' }, 'it is taken and ignored');
    t.match(await dsn(GONE(sent), { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }), { code: 75, stdout: '' });
    t.match(await dsn(GONE(sent), { SMTP_RETURN_PATH: '' }), { code: 75, stderr: /SMTP_RETURN_PATH must be set/ });
  },
);

t.test('without a return path there is no such address, and a wrong one is refused at the start', async (t) => {
  const { url } = await startTestServer(t, urlAs('invite_web'));
  t.equal((await fetch(`${url}/relay-events/dsn`, { method: 'POST', body: 'x' })).status, 404);
  const wrong = (more: Record<string, string>) => () => testConfig({ ...env, ...more });
  for (const address of ['bounces', 'a+b@c.example', `${'x'.repeat(17)}@c.example`, 'a@b@c.example', 'a b@c.example'])
    t.throws(wrong({ SMTP_RETURN_PATH: address }), /SMTP_RETURN_PATH must be an address|must be a domain name/, address);
  t.throws(wrong({ RELAY: 'resend', RELAY_URL: '', RELAY_API_KEY: 'x' }), /only for RELAY=smtp/);
  t.throws(wrong({ SECRET_KEYS: '', DATABASE_URL: 'postgres://a@b/c' }), /SMTP_RETURN_PATH needs SECRET_KEYS/);
});
