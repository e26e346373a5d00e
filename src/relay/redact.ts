// Makes outcomes fit to store: without secrets, in one line.
import { toOneLine } from '../text.ts';
import type { Outcome } from './relay.ts';

/** A relay's error may repeat the key it was sent. */
export function redact(outcome: Outcome, apiKey: string | undefined): Outcome {
  // For user:password, the password on its own is removed too.
  const secrets = [apiKey, apiKey?.slice(apiKey.indexOf(':') + 1)].filter((secret) => secret);
  const clean = (text: string) => oneLine(secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text));
  if (outcome.kind === 'accepted') return { ...outcome, messageId: outcome.messageId && clean(outcome.messageId) };
  return { ...outcome, code: clean(outcome.code), detail: clean(outcome.detail) };
}

/** For the log, which must not contain recipients' addresses or links. */
export const withoutAddresses = (text: string): string =>
  oneLine(text.replace(/https?:\/\/\S+/gi, '(link)').replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)'));

// toWellFormed comes after slice, which may cut a surrogate pair in half: PostgreSQL can't store half of one.
const oneLine = (text: string): string => toOneLine(text).slice(0, 500).toWellFormed();
