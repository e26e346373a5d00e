// What all commands share: --json, tables for people, one line for an error, and the database they work on.
import { type Command, Option } from 'commander';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { ruleOf } from '../constraint-messages.ts';
import { migrate } from '../database/migrate.ts';
import { errorCode, isNotReady, openDatabase } from '../database/pool.ts';
import { createStore, type Row, type Store } from '../database/store.ts';
import { startEmbedded } from '../dev/embedded.ts';
import { OperatorError } from '../errors.ts';

export interface Call {
  readonly config: Config;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Prints the answer: the value as one JSON document with --json, otherwise the text. */
  print(value: unknown, text: string): void;
}

/** What an option means, and which values it takes if they are few. */
export type Flag = string | { readonly meaning: string; readonly choices: readonly string[] };

/** States of a survey. */
export const STATES = ['draft', 'active', 'closed'] as const;

/**
 * Adds a command.
 * @param usage Its name and arguments, such as `set-state <survey> <state>`.
 * @param flags Options by their commander flags; a flag in capitals after `<` is its value. Required ones begin with `!`.
 */
export function addCommand(
  parent: Command,
  usage: string,
  description: string,
  flags: Readonly<Record<string, Flag>>,
  action: (call: Call) => Promise<void>,
): void {
  const command = parent.command(usage).description(description);
  for (const [flag, given] of Object.entries(flags)) {
    const { meaning, choices } = typeof given === 'string' ? { meaning: given, choices: undefined } : given;
    const option = new Option(flag.replace(/^!/, ''), meaning);
    if (choices !== undefined) option.choices([...choices]);
    command.addOption(flag.startsWith('!') ? option.makeOptionMandatory() : option);
  }
  command.option('--json', 'print one JSON document');
  command.action(async () => {
    const { json, ...options } = command.opts();
    const print = (value: unknown, text: string) => {
      process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
    };
    await action({ config: readConfig(process.env), arguments: command.args, options, print });
  });
}

/** The command of a noun; made here if no other file has made it. */
export const noun = (program: Command, name: string, description = ''): Command =>
  program.commands.find((command) => command.name() === name) ?? program.command(name).description(description);

/** Address under which recipients reach the service, as far as it is known without a running server. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Config): string => PUBLIC_URL ?? `http://${HOST}:${PORT}`;

/** publicUrl for links that are shown: if it is a guess, standard error says so. */
export function linkBase(config: Config): string {
  const base = publicUrl(config);
  if (config.PUBLIC_URL === undefined) {
    process.stderr.write(
      `PUBLIC_URL is not set: the address assumes a server at ${base} (HOST and PORT, as this command has them).\n`,
    );
  }
  return base;
}

/** A call to paste that invites somebody. */
export const curlLine = (base: string, secret: string): string =>
  [
    `curl -sS ${base}/api/invitation-trigger \\`,
    `  -H 'Authorization: Bearer ${secret}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "ada@example.com", "name": "Ada", "metadata": {"order_id": "A-1001"}}'`,
  ].join('\n');

/** The database to work on: DATABASE_URL, or the embedded one, which is brought up to date as well. */
export async function openTarget(config: Config): Promise<{ url: string; close: () => Promise<void> }> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, close: async () => {} };
  const embedded = await startEmbedded(config.DATA_DIR);
  try {
    await migrate(embedded.url);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.url, close: () => embedded.stop() };
}

/** Runs one command's work on the database, and closes it again. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const target = await openTarget(config);
  const sql = openDatabase(target.url, { applicationName: 'invitation-trigger cli' });
  try {
    return await work(createStore(sql));
  } finally {
    await sql.end({ timeout: 5 });
    await target.close();
  }
}

/** A table for people: the given columns of the rows; `none` if there are no rows. */
export function table(rows: readonly Row[], columns: readonly string[], none: string): string {
  if (rows.length === 0) return none;
  const cells = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\p{Cc}+/gu, ' ');
}

/** A whole number given as an option. */
export function integerOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new OperatorError(`--${name} must be a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** What the person at the terminal is told of an error; undefined for a fault of ours, which is shown with its stack. */
export function explain(error: unknown): string | undefined {
  const { message } = error as Error;
  if (error instanceof OperatorError || error instanceof ConfigError) return message;
  const code = errorCode(error) ?? '';
  const constraint = (error as { constraint_name?: string }).constraint_name;
  if (/^(3F000|42P01|42883|42704)$/.test(code)) {
    return 'The database is not migrated to this version: run `invitation-trigger migrate`.';
  }
  if (code === '42501') return `The database role may not do this: ${message}.`;
  if (code === 'P0002') return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  if (constraint !== undefined) return ruleOf(error) ?? `The database refuses this value: ${message}.`;
  if (/type uuid/.test(message)) return `This is not an id: ${/".*"/.exec(message)?.[0]}.`;
  if (/^(22|23)/.test(code)) return `The database refuses this value: ${message}.`;
  if (isNotReady(error)) return `The database cannot be used (${code}): ${message || 'no answer'}.`;
  return undefined;
}
