// The SMTP sender against smtp-server: what arrives, and the meaning of each rejection and fault.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import t, { type Test } from 'tap';
import { classifySmtp, createSmtpSender } from '../../src/relay/smtp-sender.ts';
import { outgoingMessage } from '../fixtures/mail.ts';
import { until } from '../fixtures/setup.ts';

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** Starts a server that keeps what it receives. Returns it with a sender to it. */
async function open(
  t: Test,
  options: SMTPServerOptions = {},
  credentials = '',
  timeoutSeconds = 60,
  host = '127.0.0.1',
  scheme = 'smtp',
) {
  const messages: { raw: string; from: string; to: string[] }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      text(stream).then((raw) => {
        messages.push({ raw, from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) });
        callback();
      }, callback);
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  const sender = createSmtpSender({ url: `${scheme}://${credentials}${host}:${port}`, connections: 2, timeoutSeconds });
  t.teardown(async () => {
    await sender.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return { sender, messages };
}

t.test('a message arrives as rendered, only to its recipient, with its List-Unsubscribe in one line', async (t) => {
  const { sender, messages } = await open(t);
  const long = `https://surveys.example.org/u/${'x'.repeat(100)}`;
  const message = outgoingMessage({
    to: { name: 'Müller, Jörg', email: 'joerg@example.com' },
    subject: '🎉 Ça va?',
    headers: { ...outgoingMessage().headers, 'List-Unsubscribe': `<${long}>` },
  });
  t.same(await sender.send([message], 1), [{ kind: 'accepted', messageId: '<batch.7.invitation@example.org>' }]);
  const [{ raw, from, to } = { raw: '', from: '', to: [] }] = messages;
  t.same([from, to], ['surveys@example.org', ['joerg@example.com']]);
  const parsed = await PostalMime.parse(raw);
  t.match(parsed, {
    subject: '🎉 Ça va?',
    messageId: '<batch.7.invitation@example.org>',
    from: { name: 'Surveys', address: 'surveys@example.org' },
    to: [{ name: 'Müller, Jörg', address: 'joerg@example.com' }],
    html: '<p>Hello</p>',
  });
  t.equal(parsed.text?.trim(), 'Hello');
  const lines = raw.split('\r\n');
  t.ok(lines.includes(`List-Unsubscribe: <${long}>`));
  t.ok(lines.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click'));
  t.ok(lines.includes('Auto-Submitted: auto-generated'));
  t.ok(lines.includes('Feedback-ID: batch:survey:invitation:invitations'));
});

t.test('several messages share the connections, and each has its own outcome', async (t) => {
  const { sender, messages } = await open(t, {
    onRcptTo: ({ address }, _session, callback) => callback(address.startsWith('no') ? refusal(550, 'No such user') : undefined),
  });
  const sends = ['a', 'no', 'b', 'no2'].map((name) =>
    sender.send([outgoingMessage({ to: { name, email: `${name}@example.com` } })], 1),
  );
  t.same(
    (await Promise.all(sends)).flat().map(({ kind }) => kind),
    ['accepted', 'rejected', 'accepted', 'rejected'],
  );
  t.same(messages.map(({ to }) => to[0]).sort(), ['a@example.com', 'b@example.com']);
});

const replies: [what: string, at: 'onMailFrom' | 'onRcptTo' | 'onConnect', reply: number, text: string, outcome: object][] = [
  ['an unknown recipient', 'onRcptTo', 550, 'No such user', { kind: 'rejected', code: 'invalid_recipient' }],
  ['a recipient elsewhere', 'onRcptTo', 551, 'User not local', { kind: 'rejected', code: 'invalid_recipient' }],
  ['a malformed recipient', 'onRcptTo', 553, 'Mailbox name not allowed', { kind: 'rejected', code: 'invalid_recipient' }],
  ['another refusal of the recipient', 'onRcptTo', 554, 'Policy', { kind: 'rejected', code: 'smtp_554' }],
  ['a relay that is not ours', 'onRcptTo', 554, 'Relay access denied', { kind: 'config', code: 'smtp_554' }],
  ['greylisting', 'onRcptTo', 451, 'Try again later', { kind: 'retry', code: 'smtp_451' }],
  ['a full mailbox', 'onRcptTo', 452, 'Mailbox full', { kind: 'retry', code: 'smtp_452' }],
  ['a sender that wants a login', 'onMailFrom', 530, 'Authentication required', { kind: 'config', code: 'smtp_530' }],
  ['a sender that is refused', 'onMailFrom', 550, 'Not your domain', { kind: 'config', code: 'smtp_550' }],
  ['a message that is too large', 'onMailFrom', 552, 'Too large', { kind: 'rejected', code: 'smtp_552' }],
  ['a server that closes', 'onConnect', 421, 'Come back later', { kind: 'retry', code: 'smtp_421' }],
];

for (const [what, at, reply, explanation, outcome] of replies) {
  t.test(`a reply means what RFC 5321 says: ${what}`, async (t) => {
    const refuse = (...all: unknown[]) => (all.at(-1) as (error: Error) => void)(refusal(reply, explanation));
    const { sender, messages } = await open(t, { [at]: refuse });
    const [given] = await sender.send([outgoingMessage()], 1);
    t.match(given, outcome);
    t.match((given as { detail: string }).detail, explanation);
    t.same(messages, []);
  });
}

for (const [reply, outcome] of [
  [452, { kind: 'retry', code: 'smtp_452' }],
  [554, { kind: 'rejected', code: 'smtp_554' }],
] as const) {
  t.test(`the reply to the message itself is its outcome: ${reply}`, async (t) => {
    const { sender } = await open(t, {
      onData: (stream, _session, callback) => void stream.resume().once('end', () => callback(refusal(reply, 'No'))),
    });
    t.match(await sender.send([outgoingMessage()], 1), [outcome]);
  });
}

t.test("after silence or a lost connection at the end, a message may have been sent, and isn't sent again", async (t) => {
  let received = 0;
  const silent = await open(t, { onData: (stream) => void stream.resume().once('end', () => (received += 1)) }, '', 5);
  t.match(await silent.sender.send([outgoingMessage()], 1), [{ kind: 'unknown', code: 'timeout' }]);
  t.equal(received, 1);

  let transactions = 0;
  const server = createServer((socket) => {
    let mail: string | undefined;
    socket.write('220 here\r\n');
    socket
      .on('error', () => {})
      .on('data', (data) => {
        if (mail !== undefined) {
          mail += data.toString();
          if (mail.endsWith('\r\n.\r\n')) socket.destroy();
          return;
        }
        if (data.toString().startsWith('DATA')) {
          mail = '';
          transactions += 1;
        }
        socket.write(mail === undefined ? '250 ok\r\n' : '354 go\r\n');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const sender = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, connections: 1, timeoutSeconds: 60 });
  t.teardown(async () => {
    await sender.close();
    server.close();
  });
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'unknown' }]);
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'unknown' }]);
  t.equal(transactions, 2, 'each message was one transaction');
});

t.test('a refused connection is a retry: nothing was sent', async (t) => {
  // Port 1 is reserved (tcpmux): nobody listens there.
  const sender = createSmtpSender({ url: 'smtp://127.0.0.1:1', connections: 1, timeoutSeconds: 60 });
  t.teardown(() => sender.close());
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'retry', code: 'ECONNREFUSED' }]);
});

t.test("user and password come from the address; a wrong one is a configuration fault and isn't repeated", async (t) => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, callback) =>
    username === 'us@er' && password === 'p:ss/wörd'
      ? callback(null, { user: username })
      : callback(refusal(535, `No: ${password}`));
  const options: SMTPServerOptions = { authOptional: false, allowInsecureAuth: true, onAuth };
  const right = await open(t, options, 'us%40er:p%3Ass%2Fw%C3%B6rd@');
  t.match(await right.sender.send([outgoingMessage()], 1), [{ kind: 'accepted' }]);
  const wrong = await open(t, options, 'us%40er:s3cret@');
  const outcome = await wrong.sender.send([outgoingMessage()], 1);
  t.match(outcome, [{ kind: 'config', code: 'smtp_535' }]);
  t.notMatch(JSON.stringify(outcome), 's3cret');
});

t.test('without TLS nothing is sent to another machine, password or not, unless the address says so', async (t) => {
  const passwords: unknown[] = [];
  const options: SMTPServerOptions = {
    allowInsecureAuth: true,
    onAuth({ password }, _session, callback) {
      passwords.push(password);
      callback(null, { user: 'user' });
    },
  };
  // 0.0.0.0 also leads to this machine, but the sender doesn't treat it as local.
  const remote = await open(t, options, 'user:s3cret@', 60, '0.0.0.0');
  t.match(await remote.sender.send([outgoingMessage()], 1), [{ kind: 'config' }]);
  const plain = await open(t, { allowInsecureAuth: true }, '', 60, '0.0.0.0');
  t.match(await plain.sender.send([outgoingMessage()], 1), [{ kind: 'config' }]);
  t.same([passwords, plain.messages], [[], []]);
  const told = await open(t, {}, '', 60, '0.0.0.0', 'smtp+insecure');
  t.match(await told.sender.send([outgoingMessage()], 1), [{ kind: 'accepted' }]);
  const local = await open(t, options, 'user:s3cret@');
  t.match(await local.sender.send([outgoingMessage()], 1), [{ kind: 'accepted' }]);
  t.same(passwords, ['s3cret']);
});

t.test('a self-signed certificate is a configuration fault', async (t) => {
  const { sender, messages } = await open(t, { disabledCommands: [] });
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'config' }]);
  t.same(messages, []);
});

t.test('a name that is not found, or a timeout before the greeting, is a retry', async (t) => {
  t.match(classifySmtp({ code: 'EDNS', originalCode: 'ENOTFOUND' }), { kind: 'retry' });
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let opened = 0;
  server.on('connection', (socket) => {
    opened += 1;
    t.teardown(() => socket.destroy());
  });
  const { port } = server.address() as { port: number };
  const sender = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, connections: 1, timeoutSeconds: 1 });
  t.teardown(async () => {
    await sender.close();
    server.close();
  });
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'retry' }]);
  await until('the connection was there', () => opened > 0);
});
