// Secrets of tokens, sign-in links and sessions.
import { hash, randomBytes } from 'node:crypto';

export interface TriggerSecret {
  /** `sit_`, for secret scanners, and 256 random bits as 43 base64url characters. */
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

export const hashSecret = sha256;

/** For a sign-in link or a session: 256 random bits as 43 base64url characters. */
export function createKey(): { key: string; hash: Buffer } {
  const key = randomBytes(32).toString('base64url');
  return { key, hash: hashSecret(key) };
}

/** Anything else needs no lookup. */
export const isKey = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What an Authorization header carries. Undefined: no bearer token. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
