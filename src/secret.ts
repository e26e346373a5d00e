// The secrets of tokens, sign-in links and sessions.
import { hash, randomBytes } from 'node:crypto';

export interface TriggerSecret {
  /**
   * `sit_`, by which secret scanners recognize it, four characters of the installation, and 256 random bits as 43 base64url characters. Those
   * of test workspaces begin with `sit_test_`.
   */
  readonly secret: string;
  /** The SHA-256 hash. Nothing else is stored. */
  readonly hash: Buffer;
  /** The last four characters, so that people can tell tokens apart. */
  readonly hint: string;
}

const TEST = 'sit_test_';

/**
 * @param home The name of the installation, so that several can stand behind one address.
 * @param isTest Whether its workspace is a test.
 */
export function createSecret(home: string, isTest = false): TriggerSecret {
  const secret = `${isTest ? TEST : 'sit_'}${home}${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: secret.slice(-4) };
}

/** Whether the secret is of a test workspace. */
export const isTestSecret = (secret: string): boolean => secret.startsWith(TEST);

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

export const hashSecret = sha256;

/** A secret for a sign-in link or a session: 256 random bits as 43 base64url characters. */
export function createKey(): { key: string; hash: Buffer } {
  const key = randomBytes(32).toString('base64url');
  return { key, hash: hashSecret(key) };
}

/** A secret of a webhook: 32 random bytes as Standard Webhooks writes them. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A text of any other form can't be a secret and needs no lookup. */
export const isKey = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The token in an Authorization header. Undefined: there is no bearer token. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
