// Outcomes as they may be stored: without secrets, in one line.
import { toOneLine } from '../text.ts';
import type { Outcome } from './relay.ts';

/** Takes the key, and what PostgreSQL can't store, out of an outcome: a relay's error text may repeat what it was sent. */
export function redact(outcome: Outcome, apiKey: string | undefined): Outcome {
  // Of user:password, the password by itself too.
  const secrets = [apiKey, apiKey?.slice(apiKey.indexOf(':') + 1)].filter((secret) => secret);
  const clean = (text: string) => oneLine(secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text));
  if (outcome.kind === 'accepted') return { ...outcome, messageId: outcome.messageId && clean(outcome.messageId) };
  return { ...outcome, code: clean(outcome.code), detail: clean(outcome.detail) };
}

// Cut last: half a surrogate pair can't be stored.
const oneLine = (text: string): string => toOneLine(text).slice(0, 500).toWellFormed();
