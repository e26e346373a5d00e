// Sends mails by SMTP, for those who have no relay with an API: one mail a transaction, no retry of its own.
import { createTransport } from 'nodemailer';
import { BAD_CERTIFICATE, NOT_CONNECTED } from './http-sender.ts';
import { tidy } from './redact.ts';
import type { MailSender, Outcome, OutgoingMail } from './relay.ts';

export interface SmtpOptions {
  /** smtp://user:password@host:port (STARTTLS), or smtps:// (TLS from the first byte). */
  readonly url: string;
  /** Connections at the most. */
  readonly connections: number;
  /** Longest silence of the server. */
  readonly timeoutSeconds: number;
}

/** The connection was never ready for a mail. Source: nodemailer@10.6.0, src of smtp-connection. */
const BEFORE_MAIL = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);
/** Authentication is wanted, or failed for good (RFC 4954 section 6). */
const AUTHENTICATION = new Set([530, 534, 535, 538]);

/** Opens a sender. Close it when nothing is in flight any more. */
export function createSmtpSender({ url, connections, timeoutSeconds }: SmtpOptions): MailSender {
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
    // A password never crosses a network in the clear.
    requireTLS: !secure && user !== '' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    maxConnections: connections,
    // Whether to try again is ours to say: a mail that is put back in the queue could leave twice.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    // Sooner than socketTimeout, which cannot tell that no mail was on its way yet.
    greetingTimeout: timeoutSeconds * 500,
    socketTimeout: timeoutSeconds * 1000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    maxBatch: 1,
    async send([mail]) {
      try {
        const { messageId } = await transport.sendMail(message(mail));
        return [{ kind: 'accepted', messageId }];
      } catch (error) {
        return [tidy(classifySmtp(error), pass || undefined)];
      }
    },
    close: async () => transport.close(),
  };
}

function message({ from, to, subject, text, html, headers }: OutgoingMail) {
  const { 'Message-ID': messageId, ...others } = headers;
  return {
    from: { name: from.name, address: from.email },
    to: { name: to.name, address: to.email },
    subject,
    text,
    html,
    messageId,
    // Prepared: in one line. Folded over two, List-Unsubscribe breaks with some receivers.
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, { prepared: true, value }])),
  };
}

/** What nodemailer's errors say. */
interface SmtpFault {
  readonly code?: string;
  /** Of the system error behind it. */
  readonly originalCode?: string;
  readonly timeoutType?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

/** What a failed transaction means: by the server's reply (RFC 5321 section 4.2) and the command that it answers, or by the fault. */
export function classifySmtp(error: unknown): Outcome {
  const fault = error as SmtpFault;
  const { responseCode: reply, command = '', response } = fault;
  if (typeof reply === 'number') {
    const code = `smtp_${reply}`;
    const detail = response ?? `The relay answered ${reply}.`;
    if (reply < 500) return { kind: 'retry', code, detail };
    if (AUTHENTICATION.has(reply) || fault.code === 'EAUTH') return { kind: 'config', code, detail };
    if (/relay(ing)? (access )?(is )?(denied|not (permitted|allowed))/i.test(detail)) return { kind: 'config', code, detail };
    if (command === 'RCPT TO' && [550, 551, 553].includes(reply)) return { kind: 'rejected', code: 'invalid_recipient', detail };
    if (command === 'RCPT TO' || command === 'DATA') return { kind: 'rejected', code, detail };
    // Size and parameters are the mail's; whatever else is refused before a recipient is named, no mail would fare better.
    if (command === 'MAIL FROM' && [552, 555].includes(reply)) return { kind: 'rejected', code, detail };
    return { kind: 'config', code, detail };
  }
  const code = fault.originalCode ?? fault.timeoutType ?? fault.code ?? 'Error';
  if (NOT_CONNECTED.has(code) || BEFORE_MAIL.has(code) || fault.code === 'EDNS') {
    return { kind: 'retry', code, detail: 'The relay cannot be reached.' };
  }
  if (BAD_CERTIFICATE.test(code)) return { kind: 'config', code, detail: "The relay's certificate is not valid." };
  if (fault.code === 'ETLS') return { kind: 'config', code, detail: 'No TLS with the relay.' };
  if (fault.code === 'EAUTH') return { kind: 'config', code, detail: 'The relay offers no way to log in.' };
  if (fault.code === 'EENVELOPE') return { kind: 'rejected', code, detail: 'The envelope could not be built.' };
  if (fault.code === 'ETIMEDOUT') return { kind: 'unknown', code: 'timeout', detail: 'The relay did not answer in time.' };
  return { kind: 'unknown', code, detail: 'The connection to the relay broke before it had answered.' };
}
