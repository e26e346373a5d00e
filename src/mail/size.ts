// Limits the size of emails, both when texts are accepted and after the email is rendered. Pure.
import { escapeHtml } from '../html/html.ts';
import { expandPieces } from './template.ts';

/** Text and HTML together, in UTF-8. Gmail cuts off HTML after 102 KB, and every relay accepts at least this much. */
export const MAX_EMAIL_BYTES = 256 * 1024;
/** The longest encoded header line (RFC 5322 section 2.1.1). */
export const MAX_SUBJECT_BYTES = 998;

export class EmailTooLargeError extends Error {}

/** The size of the subject in the header: ASCII, or encoded words (RFC 2047) of at most 75 characters. */
export function subjectBytes(subject: string): number {
  if (/^[\x20-\x7e]*$/.test(subject)) return subject.length;
  // An encoded word holds 45 bytes. A character has up to four bytes and isn't split, so count only 42 bytes for each word.
  const bytes = Buffer.byteLength(subject);
  return Math.ceil(bytes / 42) * '=?UTF-8?B??= '.length + Math.ceil(bytes / 3) * 4;
}

/** @throws {EmailTooLargeError} */
export function checkEmail({ subject, text, html }: { subject: string; text: string; html: string }): void {
  if (subjectBytes(subject) > MAX_SUBJECT_BYTES)
    throw new EmailTooLargeError(`the subject has more than ${MAX_SUBJECT_BYTES} bytes`);
  checkBytes(Buffer.byteLength(text) + Buffer.byteLength(html));
}

/**
 * Checks the size before the pieces are joined, because a short text can have thousands of long links.
 * @throws {EmailTooLargeError}
 */
export const checkPieces = (pieces: readonly string[]): void =>
  checkBytes(pieces.reduce((length, piece) => length + piece.length, 0));

function checkBytes(bytes: number): void {
  if (bytes > MAX_EMAIL_BYTES) throw new EmailTooLargeError(`the email has more than ${MAX_EMAIL_BYTES} bytes`);
}

/**
 * Upper limits for one value in text and HTML together: a name of 255 characters, and a link of 2,000 that appears as text and as a button
 * with the title. FRAME_BYTES is the rest of the email.
 */
const MAX_NAME_BYTES = 8 * 255;
const MAX_LINK_BYTES = 10 * 1024;
const FRAME_BYTES = 16 * 1024;
/** The HTML of a line or paragraph break. */
const BREAK_BYTES = 10;

/** The size with the longest names and link. Only a link with hundreds of characters that HTML escapes can make the email larger. */
export function maxEmailBytes(message: string): number {
  const sizes = {
    recipient_name: MAX_NAME_BYTES,
    workspace_name: MAX_NAME_BYTES,
    survey_title: MAX_NAME_BYTES,
    survey_link: MAX_LINK_BYTES,
  };
  return expandPieces<number>(message, sizes).reduce<number>(
    (bytes, piece) => bytes + (typeof piece === 'number' ? piece : ownBytes(piece)),
    FRAME_BYTES + MAX_LINK_BYTES,
  );
}

const ownBytes = (text: string): number =>
  Buffer.byteLength(text) + Buffer.byteLength(escapeHtml(text)) + BREAK_BYTES * (text.split('\n').length - 1);

export const fitsEmail = (message: string): boolean => maxEmailBytes(message) <= MAX_EMAIL_BYTES;

/**
 * Checks the messages of a token.
 * @throws An error with a rule's name, as if the database had checked the size.
 */
export function checkMessages(texts: { defaultMessage?: string | undefined; defaultReminderMessage?: string | undefined }): void {
  const check = (message: string | undefined, rule: string) => {
    if (message !== undefined && !fitsEmail(message)) throw Object.assign(new Error(rule), { constraint_name: rule });
  };
  check(texts.defaultMessage, 'trigger_tokens_message_size');
  check(texts.defaultReminderMessage, 'trigger_tokens_reminder_message_size');
}
