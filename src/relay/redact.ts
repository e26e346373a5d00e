// Outcomes as they may be kept: without secrets, and storable.
import type { Outcome } from './relay.ts';

/** A relay's error text may repeat what it was sent: the key never gets into the database, nor what PostgreSQL cannot store. */
export function tidy(outcome: Outcome, apiKey: string | undefined): Outcome {
  // Of user:password, the password alone as well.
  const secrets = [apiKey, apiKey?.slice(apiKey.indexOf(':') + 1)].filter((secret) => secret);
  const tidied = (text: string) => storable(secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text));
  if (outcome.kind === 'accepted') return { ...outcome, messageId: outcome.messageId && tidied(outcome.messageId) };
  return { ...outcome, code: tidied(outcome.code), detail: tidied(outcome.detail) };
}

const storable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 500);
