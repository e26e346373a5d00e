// The development outbox. It accepts emails by the same API as Mailpit and keeps them as files. Not for production: the emails contain
// invitation links.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import polka from 'polka';
import { html } from '../html/html.ts';
import { bodyMemory, readBody } from '../http/body.ts';
import { addressOf, listenError } from '../http/listen.ts';

export interface OutboxEmail {
  readonly id: string;
  readonly received_at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The .eml file. */
  readonly file: string;
}

export interface Outbox {
  readonly url: string;
  close(): Promise<void>;
}

interface Box {
  readonly Name?: string;
  readonly Email: string;
}
/** The body of Mailpit's POST /api/v1/send, with the fields that our adapter sends. */
interface SendBody {
  readonly From: Box;
  readonly To: readonly Box[];
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
  readonly Headers?: Readonly<Record<string, string>>;
}

const MAX_BYTES = 4 * 1024 * 1024;

const HOST = '127.0.0.1';

/**
 * Scripts in an email don't run, but its links work and its pictures show, as in an inbox. A logo that was uploaded comes from the service, which has
 * another port.
 */
const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const folderOf = (dataDir: string): string => join(dataDir, 'outbox');

/** Oldest first. */
export function readOutbox(dataDir: string): OutboxEmail[] {
  try {
    return readdirSync(folderOf(dataDir))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folderOf(dataDir), name), 'utf8')) as OutboxEmail);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @throws {OperatorError} The port can't be used. */
export async function startOutbox(dataDir: string, port: number): Promise<Outbox> {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer();
  const app = polka({ server });
  app.use((request, response, next) => {
    // Accept only this machine's usual names. A page of another site, or another name for this machine, must not be able to read emails and
    // their links.
    const { host = '', origin } = request.headers;
    const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${request.socket.localPort}`);
    if (own.includes(host) && origin === undefined) next();
    else response.writeHead(403).end();
  });
  app.post('/api/v1/send', async (request, response) => {
    const answer = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    try {
      const email = JSON.parse((await readBody(request, MAX_BYTES)).toString()) as SendBody;
      const [to] = email.To;
      if (to === undefined || !/^[^\s@]+@[^\s@]+$/.test(to.Email))
        return answer(400, { Error: `invalid To address: ${to?.Email}` });
      answer(200, { ID: await keep(folder, email) });
    } catch (error) {
      answer(400, { Error: (error as Error).message });
    } finally {
      bodyMemory.release(request);
    }
  });
  app.get('/mail/:id', (request, response) => {
    const email = readOutbox(dataDir).find((message) => message.id === request.params.id);
    response.writeHead(email ? 200 : 404, HTML_HEADERS).end(email?.html ?? 'No such email.');
  });
  app.get('/', (_, response) => {
    response.writeHead(200, HTML_HEADERS).end(listPage(readOutbox(dataDir).reverse()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, 'OUTBOX_PORT', port, HOST)));
    app.listen(port, HOST, () => resolve());
  });
  return {
    url: addressOf(server, HOST),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function keep(folder: string, { From, To, Subject, Text, HTML, Headers = {} }: SendBody): Promise<string> {
  const receivedAt = new Date().toISOString();
  const id = `${receivedAt.replace(/\W/g, '')}-${randomUUID().slice(0, 8)}`;
  const mailbox = (box: Box) => ({ name: box.Name ?? '', address: box.Email });
  const { 'Message-ID': messageId, ...headers } = Headers;
  const eml = await new MailComposer({
    from: mailbox(From),
    to: To.map(mailbox),
    subject: Subject,
    text: Text,
    html: HTML,
    messageId,
    // prepared: keeps each header on one line, as in smtp-sender.ts.
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }])),
  })
    .compile()
    .build();
  const file = join(folder, `${id}.eml`);
  writeFileSync(file, eml, { mode: 0o600 });
  const email: OutboxEmail = {
    id,
    received_at: receivedAt,
    from: From.Email,
    to: To.map((box) => box.Email).join(', '),
    subject: Subject,
    text: Text,
    html: HTML,
    headers: Headers,
    file,
  };
  // Write to another name and rename, so that readers never see half an email.
  writeFileSync(join(folder, `${id}.new`), JSON.stringify(email, null, 2), { mode: 0o600 });
  renameSync(join(folder, `${id}.new`), join(folder, `${id}.json`));
  return id;
}

const listPage = (emails: readonly OutboxEmail[]): string =>
  html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Development outbox</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:50em;margin:2em auto;padding:0 1em">
<h1>Development outbox</h1>
${emails.length === 0 && html`<p>No emails yet.</p>`}
<ul>${emails.map((email) => html`<li><a href="/mail/${email.id}">${email.subject}</a> to ${email.to}, ${email.received_at}</li>`)}</ul>
</body></html>`.toString();
