// Secrets that are stored encrypted, when SECRET_KEYS has a new key.
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { keyringOf, NO_SECRET_KEY, SealedSecretError } from '../sealed.ts';
import { plural } from '../text.ts';
import type { Context } from './command.ts';

export function addSecretsCommands(program: Command, { config, print, withStore }: Context): void {
  const secrets = program.command('secrets').description('secrets that are stored encrypted, such as those of webhooks');
  secrets
    .command('renew')
    .description('encrypt all with the first key of SECRET_KEYS, so that older keys can be removed')
    .action(async () => {
      const keys = keyringOf(config());
      const [current] = keys.keyIds;
      if (current === undefined) throw new OperatorError(NO_SECRET_KEY);
      const unreadable: string[] = [];
      const renewed = await withStore(async (store) => {
        let count = 0;
        for (const { kind, id, secret } of await store.sealedSecrets()) {
          if (secret.startsWith(`sealed.${current}.`)) continue;
          try {
            const sealed = keys.seal(keys.open(secret, { kind, id }), { kind, id });
            if (await store.replaceSealedSecret({ kind, id }, secret, sealed)) count += 1;
          } catch (error) {
            if (!(error instanceof SealedSecretError)) throw error;
            unreadable.push(`${kind} ${id}: ${error.code}`);
          }
        }
        return count;
      });
      const words = `${plural(renewed, 'secret')} encrypted again.`;
      print({ renewed, unreadable }, [words, ...unreadable].join('\n'));
      if (unreadable.length > 0) {
        throw new OperatorError(
          `${plural(unreadable.length, 'secret')} can't be read. Add the missing key to SECRET_KEYS, or replace the secrets.`,
        );
      }
    });
}
