// The development outbox: takes mails as Mailpit does and keeps them as files, so that nothing leaves the machine. Not for production:
// the files hold invitation links.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import polka from 'polka';
import { OperatorError } from '../errors.ts';
import { html } from '../html/html.ts';
import { readBody } from '../http/body.ts';

/** A mail in the outbox. */
export interface OutboxMail {
  readonly id: string;
  readonly received_at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Path of the mail as an .eml file. */
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
/** Body of Mailpit's POST /api/v1/send, as far as our adapter uses it. */
interface SendBody {
  readonly From: Box;
  readonly To: readonly Box[];
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
  readonly Headers?: Readonly<Record<string, string>>;
}

const MAX_MAIL = 4 * 1024 * 1024;

const folderOf = (dataDir: string): string => join(dataDir, 'outbox');

/** The mails in the outbox of a data folder, oldest first. */
export function readOutbox(dataDir: string): OutboxMail[] {
  try {
    return readdirSync(folderOf(dataDir))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folderOf(dataDir), name), 'utf8')) as OutboxMail);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Starts the outbox on 127.0.0.1.
 * @throws {OperatorError} If the port is taken.
 */
export async function startOutbox(dataDir: string, port: number): Promise<Outbox> {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer();
  const app = polka({ server });
  app.post('/api/v1/send', async (request, response) => {
    const answer = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    try {
      const mail = JSON.parse((await readBody(request, MAX_MAIL)).toString()) as SendBody;
      const [to] = mail.To;
      if (to === undefined || !/^[^\s@]+@[^\s@]+$/.test(to.Email))
        return answer(400, { Error: `invalid To address: ${to?.Email}` });
      answer(200, { ID: await keep(folder, mail) });
    } catch (error) {
      answer(400, { Error: (error as Error).message });
    }
  });
  app.get('/mail/:id', (request, response) => {
    const mail = readOutbox(dataDir).find((one) => one.id === request.params.id);
    response
      .writeHead(mail ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(mail?.html ?? 'There is no such mail.');
  });
  app.get('/', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(listPage(readOutbox(dataDir).reverse()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new OperatorError(`Port ${port} on 127.0.0.1 is taken: stop what listens there, or set OUTBOX_PORT to another port.`)
          : error,
      ),
    );
    app.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
    // Prepared: in one line. Folded over two, List-Unsubscribe breaks with some receivers.
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }])),
  })
    .compile()
    .build();
  const file = join(folder, `${id}.eml`);
  writeFileSync(file, eml, { mode: 0o600 });
  const mail: OutboxMail = {
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
  // Renamed into its place: a reader sees the whole of it or nothing.
  writeFileSync(join(folder, `${id}.new`), JSON.stringify(mail, null, 2), { mode: 0o600 });
  renameSync(join(folder, `${id}.new`), join(folder, `${id}.json`));
  return id;
}

const listPage = (mails: readonly OutboxMail[]): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Development outbox</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:50em;margin:2em auto;padding:0 1em">
<h1>Development outbox</h1>
${mails.length === 0 && html`<p>No mails yet.</p>`}
<ul>${mails.map((mail) => html`<li><a href="/mail/${mail.id}">${mail.subject}</a> to ${mail.to}, ${mail.received_at}</li>`)}</ul>
</body></html>`.toString();
