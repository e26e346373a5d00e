// Secrets that are stored encrypted.
import type { Queries } from './mapping.ts';

export interface SealedSecret {
  readonly kind: 'webhook';
  readonly id: string;
  readonly secret: string;
}

export function secretsCalls({ sql, value, records }: Queries) {
  return {
    sealedSecrets: () => records<SealedSecret>(sql`select * from invite.sealed_secrets()`),

    /** Returns whether the secret was still the stored one. */
    replaceSealedSecret: ({ kind, id }: Pick<SealedSecret, 'kind' | 'id'>, secret: string, sealed: string) =>
      value<boolean>(sql`select invite.replace_sealed_secret(${kind}, ${id}, ${secret}, ${sealed})`),
  };
}
