// The development outbox responds as Mailpit does. An independent parser reads from the stored file the email that was sent.
import { readFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import PostalMime from 'postal-mime';
import t, { type Test } from 'tap';
import { readOutbox, startOutbox } from '../../src/dev/outbox.ts';
import { OperatorError } from '../../src/errors.ts';
import { render } from '../../src/mail/render.ts';
import { createSender } from '../../src/relay/http-sender.ts';
import { mailpit } from '../../src/relay/mailpit.ts';
import { claimedInvitation, outgoingMessage } from '../fixtures/mail.ts';

async function open(t: Test) {
  const dataDir = t.testdir({});
  const outbox = await startOutbox(dataDir, 0);
  const sender = createSender({ adapter: mailpit, url: outbox.url, connections: 1, timeoutSeconds: 60 });
  t.teardown(async () => {
    await sender.close();
    await outbox.close();
  });
  return { dataDir, outbox, sender };
}

const post = async (url: string, body: string) => {
  const response = await fetch(`${url}/api/v1/send`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

t.test('an email gets an ID and is listed, oldest first', async (t) => {
  const { dataDir, sender } = await open(t);
  t.same(readOutbox(dataDir), []);
  const [first] = await sender.send([outgoingMessage({ subject: 'First' })], 1);
  await sender.send([outgoingMessage({ subject: 'Second' })], 1);
  const emails = readOutbox(dataDir);
  t.same(new Set(emails.map(({ subject }) => subject)), new Set(['First', 'Second']));
  t.same(
    [...emails].sort((a, b) => a.received_at.localeCompare(b.received_at)),
    emails,
  );
  const kept = emails.find(({ subject }) => subject === 'First');
  t.same(first, { kind: 'accepted', messageId: kept?.id });
  t.match(kept, { from: 'surveys@example.org', to: 'ada@example.com', text: 'Hello', html: '<p>Hello</p>' });
});

t.test('a folder without an outbox has no emails', async (t) => {
  t.same(readOutbox(t.testdir({})), []);
});

t.test('what Mailpit would refuse is refused, and nothing is kept', async (t) => {
  const { dataDir, outbox, sender } = await open(t);
  t.match(await sender.send([outgoingMessage({ to: { name: '', email: 'ada example.com' } })], 1), [
    {
      kind: 'rejected',
      code: 'invalid_recipient',
      detail: 'invalid To address: ada example.com',
    },
  ]);
  for (const body of ['', '{', 'null', '{}', '{"To":[]}', '{"To":{}}']) {
    const answer = await post(outbox.url, body);
    t.equal(answer.status, 400, body);
    t.type(answer.body.Error, 'string');
  }
  t.same(readOutbox(dataDir), []);
});

t.test('another parser reads the .eml as the message that was rendered', async (t) => {
  const { dataDir, sender } = await open(t);
  const invitation = claimedInvitation({
    name: 'Müller, Jörg "JM"',
    subject: '🎉 {{recipient_name}}: Wie war’s? – a subject that is rather long, so that it must be folded',
    message: 'Grüß Gott {{recipient_name}},\n\n.\nFrom here: {{survey_link}}',
  });
  const from = { name: 'Umfragen für alle', email: 'surveys@example.org' };
  const message = render(invitation, { publicUrl: `https://${'surveys.'.repeat(9)}example.org`, from });
  await sender.send([message], 1);
  const eml = readFileSync(readOutbox(dataDir)[0]?.file ?? '');
  const parsed = await PostalMime.parse(eml);
  t.equal(parsed.subject, message.subject);
  t.match(parsed.from, { name: from.name, address: from.email });
  t.match(parsed.to, [{ name: 'Müller, Jörg "JM"', address: 'ada@example.com' }]);
  t.equal(parsed.text?.replaceAll('\r\n', '\n').trimEnd(), message.text.trimEnd());
  t.equal(parsed.html?.replaceAll('\r\n', '\n').trimEnd(), message.html.trimEnd());
  t.equal(parsed.messageId, message.headers['Message-ID']);

  // Nodemailer folds a long Message-ID after its name, which every parser reads: the whole of it stays on the next line.
  const head = eml
    .toString('latin1')
    .split('\r\n\r\n')[0]
    ?.replace(/^Message-ID:\r\n /m, 'Message-ID: ');
  const lines = head?.split('\r\n') ?? [];
  for (const name of ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Message-ID', 'Auto-Submitted', 'Feedback-ID']) {
    t.same(
      lines.filter((line) => line.startsWith(`${name}: `)),
      [`${name}: ${message.headers[name]}`],
      'once, in one line',
    );
  }
});

t.test('the list and the email are shown, and nothing of an email gets into the list unescaped', async (t) => {
  const { dataDir, outbox, sender } = await open(t);
  t.match(await (await fetch(outbox.url)).text(), 'No emails yet.');
  const evil = '<script>alert("1")</script>';
  await sender.send([outgoingMessage({ subject: evil, to: { name: evil, email: '"<i>"@example.com' } })], 1);
  const list = await (await fetch(outbox.url)).text();
  t.notMatch(list, '<script');
  t.notMatch(list, '<i>');
  t.match(list, '&#60;script&#62;');
  const id = readOutbox(dataDir)[0]?.id;
  t.match(list, `href="/mail/${id}"`);
  t.equal(await (await fetch(`${outbox.url}/mail/${id}`)).text(), '<p>Hello</p>');
  t.equal((await fetch(`${outbox.url}/mail/none`)).status, 404);
});

t.test('an email runs nothing, and only this machine by its own name reaches it', async (t) => {
  const { dataDir, outbox, sender } = await open(t);
  await sender.send([outgoingMessage()], 1);
  const { port } = new URL(outbox.url);
  const path = `/mail/${readOutbox(dataDir)[0]?.id}`;
  const policy = (await fetch(outbox.url + path)).headers.get('content-security-policy') ?? '';
  t.match(policy, "default-src 'none'");
  t.match(policy, 'sandbox');
  t.match(policy, 'img-src http: https:', 'a logo shows');
  t.notMatch(policy, /script|allow-same-origin/);
  const status = (headers: OutgoingHttpHeaders, method = 'GET', to = path) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: to, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
  t.equal(await status({ host: `localhost:${port}` }), 200);
  for (const host of ['attacker.example', `attacker.example:${port}`, 'localhost', `127.0.0.1:1${port}`]) {
    t.equal(await status({ host }), 403, host);
  }
  t.equal(await status({ origin: 'https://attacker.example' }, 'POST', '/api/v1/send'), 403, "another site's form");
});

t.test('a taken port is reported in one line that says what to do', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  await t.rejects(
    startOutbox(t.testdir({}), port),
    new OperatorError(`Port ${port} on 127.0.0.1 is taken: stop what listens there, or set OUTBOX_PORT to another port.`),
  );
});
