// Secrets that the service must read back, such as those of webhooks: they are stored encrypted ("sealed"). The keys are in SECRET_KEYS, which
// the database never sees. A sealed secret is a text, `sealed.<id of its key>.<base64url of nonce, ciphertext and tag>` (AES-256-GCM).
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './errors.ts';

/** What a sealed secret belongs to. It can't be opened for anything else, so exchanging two rows' secrets gains nothing. */
export interface SecretOwner {
  readonly kind: 'webhook';
  readonly id: string;
}

/** `unknown_secret_key`: none of our keys sealed it. `damaged_secret`: it was changed, or belongs to another owner. */
export class SealedSecretError extends Error {
  override readonly name = 'SealedSecretError';
  readonly code: 'unknown_secret_key' | 'damaged_secret';

  constructor(code: SealedSecretError['code'], { kind, id }: SecretOwner) {
    super(`${code}: the secret of ${kind} ${id} can't be read with SECRET_KEYS`);
    this.code = code;
  }
}

export const NO_SECRET_KEY = 'This installation has no key to store secrets with. Its operator has to set SECRET_KEYS.';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const derive = (key: string, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', `invitation-trigger secrets: ${purpose}`, length));

const MAC_LENGTH = 20;
const macOf = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, MAC_LENGTH);

const dataOf = ({ kind, id }: SecretOwner): Buffer => Buffer.from(`${kind} ${id.toLowerCase()}`);

export type Keyring = ReturnType<typeof createKeyring>;

/** @param keys Each 32 bytes as base64. The first one seals, and each opens what it has sealed. */
export function createKeyring(keys: readonly string[]) {
  const known: Key[] = keys.map((key) => ({ id: derive(key, 'id', 4).toString('hex'), bytes: derive(key, 'seal', 32) }));
  const [current] = known;
  const signing = keys.map((key) => derive(key, 'sign', 32));
  return {
    /** The ids of the keys, the current one first. */
    keyIds: known.map(({ id }) => id),

    /** @throws {OperatorError} There is no key. */
    seal(secret: string, owner: SecretOwner): string {
      if (current === undefined) throw new OperatorError(NO_SECRET_KEY);
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce).setAAD(dataOf(owner));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `sealed.${current.id}.${sealed.toString('base64url')}`;
    },

    /** The MAC of a text that leaves and comes back: 80 bits as 20 characters. @throws {OperatorError} There is no key. */
    sign(text: string): string {
      const [key] = signing;
      if (key === undefined) throw new OperatorError(NO_SECRET_KEY);
      return macOf(key, text);
    },

    /** Whether one of the keys has made the MAC. */
    isSigned: (text: string, mac: string): boolean =>
      signing.some(
        (key) => mac.length === MAC_LENGTH && timingSafeEqual(Buffer.from(macOf(key, text)), Buffer.from(mac, 'latin1')),
      ),

    /** @throws {SealedSecretError} */
    open(sealed: string, owner: SecretOwner): string {
      const [, id, text = ''] = sealed.split('.');
      const key = known.find((candidate) => candidate.id === id);
      if (key === undefined) throw new SealedSecretError('unknown_secret_key', owner);
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE), { authTagLength: TAG });
        decipher.setAAD(dataOf(owner)).setAuthTag(bytes.subarray(-TAG));
        return decipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new SealedSecretError('damaged_secret', owner);
      }
    },
  };
}

interface KeySettings {
  readonly SECRET_KEYS: readonly string[] | undefined;
  readonly DATABASE_URL: string | undefined;
  readonly DATA_DIR: string;
}

/** The keys of the settings. The embedded PostgreSQL has a key of its own beside its data, which the first call makes. */
export function keyringOf({ SECRET_KEYS: keys, DATABASE_URL: url, DATA_DIR: folder }: KeySettings): Keyring {
  return createKeyring(keys ?? (url === undefined ? [ownKey(folder)] : []));
}

function ownKey(folder: string): string {
  const file = join(folder, 'secret-key');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
