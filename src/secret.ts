// Trigger secrets. Imports nothing of ours.
import { createHash, randomBytes } from 'node:crypto';

export interface TriggerSecret {
  /** `sit_` and 43 base64url characters: 256 random bits, and a prefix by which secret scanners find it. */
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

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
