// Secrets of trigger tokens, sign-in links and sessions, and the hash. Imports nothing of ours.
import { hash, randomBytes } from 'node:crypto';

export interface TriggerSecret {
  /** `sit_`, by which secret scanners find it, and 256 random bits as 43 base64url characters. */
  readonly secret: string;
  /** SHA-256, all that is stored. */
  readonly hash: Buffer;
  /** The last four characters, to tell tokens apart. */
  readonly hint: string;
}

export function createSecret(): TriggerSecret {
  const secret = `sit_${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: secret.slice(-4) };
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** What is stored of a secret. */
export const hashSecret = sha256;

/** The secret of a sign-in link or of a session: 256 random bits as 43 base64url characters, and the hash that is stored. */
export function createKey(): { key: string; hash: Buffer } {
  const key = randomBytes(32).toString('base64url');
  return { key, hash: hashSecret(key) };
}

/** Whether a text has the form of such a secret; anything else needs no lookup. */
export const isKey = (text: string): boolean => /^[\w-]{43}$/.test(text);
