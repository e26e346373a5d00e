// Makes outcomes fit to store: without secrets, in one line.
import { toPlainLine } from '../text.ts';
import type { Outcome } from './relay.ts';

/** The secret of a link, also in quoted-printable. */
const LINK_SECRET = /(?<=invitation=(?:3D)?|\/u\/|\/sign-in\/)[\w-]{20,}/gi;

/** A relay's error may repeat the key it was sent, and a mail server's reply a link that its filter dislikes. */
export function redact(outcome: Outcome, apiKey: string | undefined): Outcome {
  // For user:password, the password on its own is removed too.
  const secrets = [apiKey, apiKey?.slice(apiKey.indexOf(':') + 1)].filter((secret) => secret);
  const clean = (text: string) =>
    oneLine(secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text.replace(LINK_SECRET, '***')));
  if (outcome.kind === 'accepted') return { ...outcome, messageId: outcome.messageId && clean(outcome.messageId) };
  return { ...outcome, code: clean(outcome.code), detail: clean(outcome.detail) };
}

/** For the log, which must not contain recipients' addresses or links. */
export const withoutAddresses = (text: string): string =>
  oneLine(text.replace(/https?:\/\/\S+/gi, '(link)').replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)'));

// toWellFormed comes after slice, which may cut a surrogate pair in half: PostgreSQL can't store half of one.
const oneLine = (text: string): string => toPlainLine(text).slice(0, 500).toWellFormed();
