// Sends messages by SMTP, one per transaction, without retries.
import { createTransport } from 'nodemailer';
import { BAD_CERTIFICATE, NOT_CONNECTED } from './http-sender.ts';
import { redact } from './redact.ts';
import type { MessageSender, Outcome, OutgoingMessage } from './relay.ts';
import type { ReturnPath } from './return-path.ts';

export interface SmtpOptions {
  /**
   * smtp://user:password@host:port (STARTTLS, required unless the host is this machine), smtps:// (TLS from the first byte), or
   * smtp+insecure://.
   */
  readonly url: string;
  readonly connections: number;
  readonly timeoutSeconds: number;
  /** Undefined: bounces go to the sender's address. */
  readonly returnPath?: ReturnPath | undefined;
}

/** Timeouts before the connection was ready for a message. Source: nodemailer@10.6.0, src of smtp-connection. */
const BEFORE_MAIL = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);
/** Replies that mean authentication is required, or has failed for good (RFC 4954 section 6). */
const AUTHENTICATION = new Set([530, 534, 535, 538]);

function createPool({ url, connections, timeoutSeconds }: SmtpOptions) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  const pass = decodeURIComponent(password);
  const transport = createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(user !== '' && { auth: { user, pass } }),
    // Links and passwords must not cross a network unencrypted, unless the operator allows it.
    requireTLS: protocol === 'smtp:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    maxConnections: connections,
    // nodemailer's own retries could send a message twice.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    // Half of socketTimeout, so that it ends first: a socket timeout doesn't tell whether a message was on its way.
    greetingTimeout: timeoutSeconds * 500,
    socketTimeout: timeoutSeconds * 1000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { transport, pass };
}

/** Connects and logs in without sending anything. @returns Undefined: the server would accept messages. */
export async function verifySmtp(options: SmtpOptions): Promise<Exclude<Outcome, { kind: 'accepted' }> | undefined> {
  const { transport, pass } = createPool(options);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return redact(classifySmtp(error), pass || undefined) as Exclude<Outcome, { kind: 'accepted' }>;
  } finally {
    transport.close();
  }
}

export function createSmtpSender(options: SmtpOptions): MessageSender {
  const { transport, pass } = createPool(options);
  const { timeoutSeconds, returnPath } = options;
  return {
    maxBatch: 1,
    // The server may pause more than once, each time for less than the timeout.
    maxSeconds: 2 * timeoutSeconds,
    async send([message]) {
      try {
        const { messageId } = await transport.sendMail(toNodemailer(message, returnPath));
        return [{ kind: 'accepted', messageId }];
      } catch (error) {
        return [redact(classifySmtp(error), pass || undefined)];
      }
    },
    close: async () => transport.close(),
  };
}

function toNodemailer(message: OutgoingMessage, returnPath: ReturnPath | undefined) {
  const { from, replyTo, to, subject, text, html, headers } = message;
  const sender = returnPath?.addressFor(message);
  const { 'Message-ID': messageId, ...others } = headers;
  return {
    from: { name: from.name, address: from.email },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    to: { name: to.name, address: to.email },
    ...(sender !== undefined && { envelope: { from: sender, to: to.email } }),
    subject,
    text,
    html,
    messageId,
    // A prepared header stays on one line. Some receivers can't read a folded List-Unsubscribe.
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, { prepared: true, value }])),
  };
}

interface SmtpFault {
  readonly code?: string;
  readonly originalCode?: string;
  readonly timeoutType?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

/** The outcome, from the server's reply (RFC 5321 section 4.2) and the command that it refused, or from a connection error. */
export function classifySmtp(error: unknown): Outcome {
  const fault = error as SmtpFault;
  const { responseCode: reply, command = '', response } = fault;
  if (typeof reply === 'number') {
    const code = `smtp_${reply}`;
    const detail = response ?? `The relay returned ${reply}.`;
    if (reply < 500) return { kind: 'retry', code, detail };
    if (AUTHENTICATION.has(reply) || fault.code === 'EAUTH') return { kind: 'config', code, detail };
    if (/relay(ing)? (access )?(is )?(denied|not (permitted|allowed))/i.test(detail)) return { kind: 'config', code, detail };
    if (command === 'RCPT TO' && [550, 551, 553].includes(reply)) return { kind: 'rejected', code: 'invalid_recipient', detail };
    if (command === 'RCPT TO' || command === 'DATA') return { kind: 'rejected', code, detail };
    // These replies are about the message's size and parameters. Any other refusal before RCPT TO would meet every message.
    if (command === 'MAIL FROM' && [552, 555].includes(reply)) return { kind: 'rejected', code, detail };
    return { kind: 'config', code, detail };
  }
  const code = fault.originalCode ?? fault.timeoutType ?? fault.code ?? 'Error';
  if (NOT_CONNECTED.has(code) || BEFORE_MAIL.has(code) || fault.code === 'EDNS') {
    return { kind: 'retry', code, detail: 'The relay cannot be reached.' };
  }
  if (BAD_CERTIFICATE.test(code)) return { kind: 'config', code, detail: "The relay's certificate is not valid." };
  if (fault.code === 'ETLS')
    return { kind: 'config', code, detail: 'No TLS with the relay; only smtp+insecure:// does without.' };
  if (fault.code === 'EAUTH') return { kind: 'config', code, detail: 'The relay offers no way to log in.' };
  if (fault.code === 'EENVELOPE') return { kind: 'rejected', code, detail: 'The envelope could not be built.' };
  if (fault.code === 'ETIMEDOUT') return { kind: 'unknown', code: 'timeout', detail: 'The relay did not respond in time.' };
  return { kind: 'unknown', code, detail: 'The connection to the relay broke before it responded.' };
}
