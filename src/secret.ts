// The secrets of tokens, sign-in links and sessions.
import { hash, randomBytes } from 'node:crypto';

export interface TriggerSecret {
  /**
   * `sit_`, by which secret scanners recognize it, the home of its workspace, and 256 random bits as 43 base64url characters. Those of test
   * workspaces begin with `sit_test_`.
   */
  readonly secret: string;
  /** See hashSecret. Nothing else is stored. */
  readonly hash: Buffer;
  /** The last four characters, so that people can tell tokens apart. */
  readonly hint: string;
}

const TEST = 'sit_test_';

/** After the four characters of a database: what is no workspace's. */
export const NO_WORKSPACE = '0000';

/**
 * @param home The workspace's, eight characters: it says in which database the workspace is.
 * @param isTest Whether its workspace is a test.
 */
export function createSecret(home: string, isTest = false): TriggerSecret {
  const secret = `${isTest ? TEST : 'sit_'}${home}${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: secret.slice(-4) };
}

/** Whether the secret is of a test workspace. */
export const isTestSecret = (secret: string): boolean => secret.startsWith(TEST);

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** A text that no home begins with. */
const NOWHERE = '--------';

/** The home of a secret: that of its workspace, or of the database for what is no workspace's. Of any other text: what no home is. */
const homeOf = (secret: string): string => /^(?:sit_(?:test_)?)?([a-z0-9]{8})[\w-]{43}$/.exec(secret)?.[1] ?? NOWHERE;

/** What is stored of a secret, and looks it up: its home (8 bytes), which says in which database, and its SHA-256 hash. */
export const hashSecret = (secret: string): Buffer => Buffer.concat([Buffer.from(homeOf(secret), 'latin1'), sha256(secret)]);

/**
 * A secret for a sign-in link or a session: the home of what is no workspace's, and 256 random bits as 43 base64url characters.
 * @param cell The name of the database.
 */
export function createKey(cell: string): { key: string; hash: Buffer } {
  const key = `${cell}${NO_WORKSPACE}${createNonce()}`;
  return { key, hash: hashSecret(key) };
}

/** The database of a sign-in link or a session. */
export const cellOfKey = (key: string): string => key.slice(0, 4);

/** 256 random bits as 43 base64url characters. */
export const createNonce = (): string => randomBytes(32).toString('base64url');

/** The home that a hash begins with. */
export const homeOfHash = (hash: Buffer): string => hash.toString('latin1', 0, 8);

/** A secret of a webhook: 32 random bytes as Standard Webhooks writes them. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A text of any other form can't be a secret and needs no lookup. */
export const isKey = (text: string): boolean => /^[a-z0-9]{4}0000[\w-]{43}$/.test(text);

export const isNonce = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The token in an Authorization header. Undefined: there is no bearer token. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
