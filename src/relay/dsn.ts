// Reads a delivery status notification (RFC 3464), as mail servers send it to an email's return path. Pure.
import PostalMime from 'postal-mime';
import { detailOf, emailOf, eventIdOf, type RelayEvent, type RelayEventType, timeOf } from './event.ts';
import type { ReturnPath, SentEmail } from './return-path.ts';

/**
 * event: what happened to an email. unsigned: no address in it has a valid MAC, so it isn't about an email of ours, or is forged. other: it
 * is about an email of ours but reports no end, such as a delay or an out-of-office note.
 */
export type Report =
  | { readonly kind: 'event'; readonly event: RelayEvent }
  | { readonly kind: 'unsigned' | 'other'; readonly event?: undefined };

/** In bytes: it may return the whole email. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024;

/** Never throws: what can't be read reports nothing. */
export async function readReport(raw: Buffer, returnPath: ReturnPath, now: Date): Promise<Report> {
  const text = raw.toString('latin1');
  // First, because reading MIME costs more than any check of a MAC.
  const sent = returnPath.find(text);
  if (sent === undefined) return { kind: 'unsigned' };
  const status = await statusOf(raw);
  const type = status && typeOf(status);
  if (!status || type === undefined) return { kind: 'other' };
  const at = timeOf(status['last-attempt-date'] ?? '');
  return {
    kind: 'event',
    event: {
      eventId: eventIdOf('dsn', sent.home, sent.invitationId, sent.number, type, status.status),
      ...{ home: sent.home, invitationId: sent.invitationId, type },
      relayMessageId: messageIdIn(text, sent),
      email: addressOf(status['original-recipient']) ?? addressOf(status['final-recipient']),
      at: at !== undefined && at < now ? at : now,
      detail: detailOf([status.status, withoutType(status['diagnostic-code'])].filter(Boolean).join(' ')),
    },
  };
}

/** The Message-ID of the email, if the report returns its headers. emailHeaders makes it. */
const messageIdIn = (text: string, { home, invitationId }: SentEmail): string | undefined =>
  new RegExp(`<${home}\\.[0-9a-f-]{36}\\.${invitationId}\\.[a-z0-9]{1,12}@[^<>\\s]{1,255}>`, 'i').exec(text)?.[0];

type Fields = Readonly<Record<string, string>>;

/** The fields about the recipient who was not reached, or else about the first (RFC 3464 section 2.3). Undefined: it is no such report. */
async function statusOf(raw: Buffer): Promise<Fields | undefined> {
  const options = { forceRfc822Attachments: true, attachmentEncoding: 'utf8' } as const;
  const { attachments } = await PostalMime.parse(raw, options).catch(() => ({ attachments: [] }));
  // global: of internationalized addresses (RFC 6533).
  const part = attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/i.test(mimeType));
  if (part === undefined || typeof part.content !== 'string') return undefined;
  const recipients = part.content
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsIn)
    .filter(({ action }) => action !== undefined);
  return recipients.find(({ action }) => /^failed\b/i.test(action ?? '')) ?? recipients[0];
}

function fieldsIn(group: string): Fields {
  const fields: Record<string, string> = Object.create(null);
  for (const line of group.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields[line.slice(0, colon).trim().toLowerCase()] ??= line.slice(colon + 1).trim();
  }
  return fields;
}

/** Without its type, such as `smtp;` or `rfc822;`. */
const withoutType = (field: string | undefined): string => (field ?? '').replace(/^\s*[\w-]+\s*;\s*/, '');

const addressOf = (field: string | undefined): string | undefined => {
  const address = emailOf(withoutType(field));
  return address?.includes('@') ? address : undefined;
};

/** Undefined: delayed, or nothing that we use. */
function typeOf({ action = '', status = '', 'diagnostic-code': diagnostic = '' }: Fields): RelayEventType | undefined {
  if (/^delivered\b/i.test(action)) return 'delivered';
  if (!/^failed\b/i.test(action)) return undefined;
  return isNoMailbox(status, diagnostic) ? 'hard_bounce' : 'soft_bounce';
}

/**
 * Enhanced status codes that say that the address doesn't exist (RFC 3463, RFC 7505): mailbox, domain, syntax, moved, null MX, disabled. Others
 * are about a full mailbox, a policy or a route, which say nothing about tomorrow.
 */
const NO_MAILBOX = /\b5\.(1\.(1|2|3|6|10)|2\.1)\b/;
/** Where the code is general, the words of Exim, Postfix, sendmail, Google, Microsoft and Yahoo. */
const IN_WORDS =
  /(user|mailbox|recipient|address|account)( is)? (unknown|not found|disabled)|unknown (user|recipient|address)|no such (user|mailbox|recipient|address|account)|does(n['’]t| not) (exist|have (an?|this) )|unrouteable address|domain not found|no mailbox here/i;

function isNoMailbox(status: string, diagnostic: string): boolean {
  if (NO_MAILBOX.test(status)) return true;
  // Exim and some gateways write 5.0.0 for all, and the server's own code after it.
  if (!/^5\.0\.\d+/.test(status)) return false;
  const [code] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(diagnostic) ?? [];
  if (code !== undefined && !code.startsWith('5.0.')) return NO_MAILBOX.test(code);
  return !/\b4\d\d\b/.test(diagnostic) && IN_WORDS.test(diagnostic);
}
