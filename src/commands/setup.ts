// Creates the first workspace and its owner, and says how long answers are kept. If it is called again, it changes nothing and creates another
// link.
import { isEmailValid } from '@hapi/address';
import type { Command } from 'commander';
import { SIGN_IN_MINUTES } from '../database/sessions.ts';
import { OperatorError } from '../errors.ts';
import { signInLink } from '../mail/links.ts';
import { SUGGESTION, suggestedRules as suggested } from '../rules.ts';
import { createKey } from '../secret.ts';
import { foldEmail, plural } from '../text.ts';
import type { Context } from './command.ts';
import { days } from './retention.ts';

interface SetupOptions {
  readonly name: string;
  readonly email: string;
  readonly id?: string;
  readonly suggestedRules?: true;
  readonly keepAnswers?: number | 'never';
}

/** In days: what a person at the terminal is offered. */
const KEEP_ANSWERS = 730;

export function addSetupCommand(program: Command, { config, print, linkBase, withStore, ask }: Context): void {
  program
    .command('setup')
    .description('create the first workspace and its owner, and say what comes next')
    .requiredOption('--name <NAME>', "the workspace's name, which recipients read")
    .requiredOption('--email <ADDRESS>', 'its owner')
    .option('--id <ID>', 'the id of the workspace; made from its name if omitted')
    .option(
      '--keep-answers <DAYS>',
      'after how many days answers are deleted, or never; the first workspace asks for it, and needs it where there is no terminal',
      // The parser would take null for an empty text.
      (text) => days(text) ?? 'never',
    )
    .option('--suggested-rules', `set when emails may leave: ${SUGGESTION}`)
    .action(async ({ name, email, id = idOf(name), suggestedRules, keepAnswers }: SetupOptions) => {
      if (!isEmailValid(email)) throw new OperatorError('Enter a valid email address.', { kind: 'usage' });
      const { created, keptDays, key } = await withStore(async (store) => {
        const found = await store.findWorkspace(id);
        // It holds for all workspaces, so only the first one asks.
        const isFirst = (await store.listWorkspaces()).length === 0;
        const kept = keepAnswers ?? (isFirst ? await askDays(ask) : undefined);
        if (found !== undefined) {
          const owners = (await store.listMembers(id)).filter(({ role }) => role === 'owner').map((member) => member.email);
          if (owners.length > 0 && !owners.includes(foldEmail(email))) {
            throw new OperatorError(
              `Workspace ${id} has an owner already. Choose another --id, or use \`invitation-trigger member add\`.`,
              { kind: 'rejected' },
            );
          }
        }
        // Before the workspace: if this is stopped in between, the next call is still the first.
        if (kept !== undefined) await store.setRetention('responses', kept === 'never' ? null : kept);
        if (found === undefined) {
          await store.upsertWorkspace({ id, name });
          if (suggestedRules) await store.setWorkspaceRules(id, suggested(config().RETENTION_DAYS));
        }
        await store.upsertMember(id, email, 'owner');
        const { key, hash } = createKey(await store.home());
        await store.createSignInLink(email, hash);
        return { key, created: found === undefined, keptDays: await store.findRetention('responses') };
      });
      const base = linkBase();
      const link = signInLink(base, key);
      print(
        { workspace_id: id, email, created, link, answers_kept_days: keptDays },
        inWords({ id, email, created, base, link, rules: suggestedRules === true, keptDays }),
      );
    });
}

/**
 * Answers are neither deleted nor kept for good because a script said nothing: somebody has to decide it.
 * @throws {OperatorError} There is no terminal, or what was typed is no number of days.
 */
async function askDays(ask: Context['ask']): Promise<number | 'never'> {
  if (ask === undefined) {
    throw new OperatorError(
      `Say how long people's answers are kept: add --keep-answers with a number of days, such as ${KEEP_ANSWERS}, or never. Without a terminal nobody can be asked.`,
      { kind: 'usage' },
    );
  }
  const typed = await ask(`After how many days are people's answers deleted? A number, or never [${KEEP_ANSWERS}]: `);
  if (typed.trim() === '') return KEEP_ANSWERS;
  try {
    return days(typed.trim()) ?? 'never';
  } catch (error) {
    throw new OperatorError((error as Error).message, { kind: 'usage' });
  }
}

/** `Acme GmbH` → `acme-gmbh`. */
function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
  if (id === '') throw new OperatorError('No id can be made from this name: give --id.', { kind: 'usage' });
  return id;
}

interface Done {
  readonly id: string;
  readonly email: string;
  readonly created: boolean;
  readonly base: string;
  readonly link: string;
  /** Whether the suggested rules were asked for. */
  readonly rules: boolean;
  /** Null: for good. */
  readonly keptDays: number | null;
}

const inWords = ({
  id,
  email,
  created,
  base,
  link,
  rules,
  keptDays,
}: Done): string => `Workspace ${id} ${created ? 'created' : 'exists'}. Its owner is ${email}.
Answers are ${keptDays === null ? 'kept for good' : `deleted after ${plural(keptDays, 'day')}`}, in all workspaces. To change that: invitation-trigger retention set responses DAYS

Next:
1. Sign in with this link. It works once and expires in ${SIGN_IN_MINUTES} minutes:
   ${link}
   The page leads from there to a survey, a test email and the first invitation. Later links come by email from ${base}/sign-in.
2. Run \`invitation-trigger check\`: it says whether emails can be sent and will arrive.
3. Register the relay's webhook, so that bounces and complaints are known: docs/relays.md.${
  rules
    ? ''
    : `
4. Choose when emails may leave: now nothing holds them back. To set what we suggest (${SUGGESTION}):
   invitation-trigger workspace rules ${id} --suggested`
}`;
