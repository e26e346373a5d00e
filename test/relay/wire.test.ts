// What reaches each relay when a workspace has set its sender: name and address, the reply address, and the headers that email programs act
// on. It is read from the bytes that a server on loopback receives.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import type { Sender } from '../../src/database/store.ts';
import { render } from '../../src/mail/render.ts';
import { createSender } from '../../src/relay/http-sender.ts';
import { RELAYS, type RelayName } from '../../src/relay/registry.ts';
import type { OutgoingMessage } from '../../src/relay/relay.ts';
import { createSmtpSender } from '../../src/relay/smtp-sender.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

interface Arrived {
  readonly from: { readonly name: string; readonly email: string };
  readonly replyTo: string | undefined;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const NAMES = ['Blåbær & Søn, AS', 'مقهى الياسمين', 'O\'Neil "The Shop"'];
const OPTIONS = {
  publicUrl: 'https://i.example',
  from: { name: 'Surveys', email: 'surveys@example.org' },
  senderDomains: ['fjord.example'],
};
const messageFrom = (sender: Sender | null): OutgoingMessage => render(claimedInvitation({ sender }), OPTIONS);

const lowerCase = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));

const inMime = async (head: string): Promise<Arrived> => {
  const { from, replyTo, headers } = await PostalMime.parse(head);
  const [reply] = replyTo ?? [];
  return {
    from: { name: from?.name ?? '', email: from?.address ?? '' },
    replyTo: reply?.address,
    headers: lowerCase(headers.map(({ key, value }) => [key, value] as const)),
  };
};
const inMailbox = async (mailbox: string) => (await inMime(`From: ${mailbox}\r\n\r\n`)).from;

// biome-ignore lint/suspicious/noExplicitAny: bodies as each relay's API has them
type Body = any;

const READ: Readonly<Record<RelayName, (body: Body) => Promise<Arrived> | Arrived>> = {
  mailpit: ({ From, ReplyTo, Headers }) => ({
    from: { name: From.Name, email: From.Email },
    replyTo: ReplyTo?.[0].Email,
    headers: lowerCase(Object.entries(Headers)),
  }),
  resend: async ({ from, reply_to, headers }) => ({
    from: await inMailbox(from),
    replyTo: reply_to,
    headers: lowerCase(Object.entries(headers)),
  }),
  postmark: async ({ From, ReplyTo, Headers }) => ({
    from: await inMailbox(From),
    replyTo: ReplyTo,
    headers: lowerCase(Headers.map((header: { Name: string; Value: string }) => [header.Name, header.Value])),
  }),
  sendgrid: ({ from, reply_to, headers }) => ({ from, replyTo: reply_to?.email, headers: lowerCase(Object.entries(headers)) }),
  mailgun: async (form: URLSearchParams) => {
    const { 'h:Reply-To': replyTo, ...fields } = Object.fromEntries(form);
    const headers = Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith('h:') ? [[name.slice(2), value] as const] : [],
    );
    return { from: await inMailbox(form.get('from') ?? ''), replyTo, headers: lowerCase(headers) };
  },
  brevo: ({ sender, replyTo, headers }) => ({
    from: sender,
    replyTo: replyTo?.email,
    headers: lowerCase(Object.entries(headers)),
  }),
  ses: async ({ FromEmailAddress, ReplyToAddresses, Content }) => ({
    from: await inMailbox(FromEmailAddress),
    replyTo: ReplyToAddresses?.[0],
    headers: lowerCase(Content.Simple.Headers.map((header: { Name: string; Value: string }) => [header.Name, header.Value])),
  }),
};

async function openHttp(t: Test, name: RelayName) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = createSender({ adapter: RELAYS[name].adapter, url, apiKey: 'key:secret', connections: 1, timeoutSeconds: 60 });
  t.teardown(async () => {
    await sender.close();
    server.close();
  });
  return async (message: OutgoingMessage): Promise<Arrived> => {
    await sender.send([message], 1);
    const body = bodies.pop() ?? '';
    return READ[name](body.startsWith('{') ? JSON.parse(body) : new URLSearchParams(body));
  };
}

async function openSmtp(t: Test) {
  const arrived: { raw: string; envelope: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope: { mailFrom } }, done) =>
      void text(stream).then((raw) => {
        arrived.push({ raw, envelope: mailFrom ? mailFrom.address : '' });
        done();
      }, done),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const sender = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, connections: 1, timeoutSeconds: 60 });
  t.teardown(async () => {
    await sender.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return async (message: OutgoingMessage): Promise<Arrived> => {
    await sender.send([message], 1);
    const { raw, envelope } = arrived.pop() ?? { raw: '', envelope: '' };
    t.equal(envelope, message.from.email, 'bounces and absence notes come back to the sender');
    return inMime(raw);
  };
}

/** Headers that the relay sets itself. */
const OWN: Readonly<Partial<Record<RelayName | 'smtp', readonly string[]>>> = {
  brevo: ['auto-submitted', 'list-unsubscribe', 'list-unsubscribe-post'],
};

for (const name of [...(Object.keys(RELAYS) as RelayName[]), 'smtp'] as const) {
  t.test(`${name} gets the sender, the address for replies and the headers of an automatic email`, async (t) => {
    const deliver = name === 'smtp' ? await openSmtp(t) : await openHttp(t, name);
    for (const senderName of NAMES) {
      const { from } = await deliver(
        messageFrom({ name: senderName, email: 'hello@fjord.example', reply_to: 'care+nps@fjord.example' }),
      );
      // Brevo drops a name that has both a comma and letters beyond ASCII, so its adapter removes the comma.
      t.same(from, { name: name === 'brevo' ? senderName.replace(',', '') : senderName, email: 'hello@fjord.example' });
    }
    const message = messageFrom({ reply_to: 'care+nps@fjord.example' });
    const { from, replyTo, headers } = await deliver(message);
    t.same(from, OPTIONS.from);
    t.equal(replyTo, 'care+nps@fjord.example');
    const expected = {
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': `<${/https:\S+\/u\/\S+/.exec(message.text)}>, <mailto:care%2Bnps@fjord.example?subject=unsubscribe>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    };
    for (const [header, value] of Object.entries(expected))
      t.equal(headers[header], OWN[name]?.includes(header) ? undefined : value, header);
    t.notOk(
      ['from', 'sender', 'reply-to'].some((header) => name !== 'smtp' && header in headers),
      'none twice',
    );

    const plain = await deliver(messageFrom(null));
    t.equal(plain.replyTo, undefined);
    t.notMatch(plain.headers['list-unsubscribe'] ?? '', 'mailto', 'nobody reads the address of the service');
  });
}
