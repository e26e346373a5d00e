// Records a bounce that a mail server pipes into it.
import { buffer } from 'node:stream/consumers';
import { type Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { createReturnPath } from '../relay/return-path.ts';
import { recordReport } from '../relay-events/dsn.ts';
import { keyringOf } from '../sealed.ts';
import type { Context } from './command.ts';

/** EX_TEMPFAIL of sysexits.h: the mail server keeps the message, and tries again. */
const EX_TEMPFAIL = 75;

export function addDsnCommand(program: Command, { config, note, print, withStore }: Context): void {
  program
    .command('dsn')
    .description('record a bounce: a message that arrived at SMTP_RETURN_PATH, from standard input')
    .action(async () => {
      try {
        const settings = config();
        if (settings.SMTP_RETURN_PATH === undefined) throw new ConfigError('SMTP_RETURN_PATH must be set.');
        const returnPath = createReturnPath(settings.SMTP_RETURN_PATH, keyringOf(settings));
        const raw = await buffer(process.stdin);
        const report = await withStore((store) => recordReport(store, returnPath, raw));
        print(report, [report.result, report.type].filter(Boolean).join(': '));
      } catch (error) {
        // Any other exit code would make Postfix return the bounce to its sender.
        note((error as Error).message);
        throw new CommanderError(EX_TEMPFAIL, 'dsn.failed', (error as Error).message);
      }
    });
}
