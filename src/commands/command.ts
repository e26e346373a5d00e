// What all commands share.
import { InvalidArgumentError } from 'commander';
import { misspelt } from '../check/misspelt.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/pool.ts';
import { createStore, patient, type Row, type Store } from '../database/store.ts';
import { startEmbedded } from '../dev/embedded.ts';
import { OperatorError } from '../errors.ts';
import { formatUtc } from '../text.ts';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly isTerminal?: boolean;
  /** Asks the person at the terminal. Undefined: there is no terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

export type Context = ReturnType<typeof createContext>;

/** @param json Whether --json was given. */
export function createContext({ env, stdout, stderr, isTerminal = false, ask }: Terminal, json: () => boolean) {
  let warned = false;
  return {
    env,
    isTerminal,
    ask,
    /** Prints a line that isn't part of the command's output. */
    note: (text: string) => stderr(`${text}\n`),
    config(use: { sends?: boolean } = {}): Config {
      try {
        return readConfig(env, use);
      } catch (error) {
        if (error instanceof ConfigError) throw new ConfigError([error.message, ...misspelt(env)].join('\n'));
        throw error;
      }
    },

    /** Prints one JSON document with --json, and otherwise the text. */
    print: (value: unknown, text: string) => stdout(`${json() ? JSON.stringify(value, null, 2) : text}\n`),

    /** The base of links that are shown. If it is a guess, standard error says so once. */
    linkBase(): string {
      const config = readConfig(env);
      const base = publicUrl(config);
      if (config.PUBLIC_URL === undefined && !warned) {
        stderr(`PUBLIC_URL is not set, so links point to ${base} (from HOST and PORT).\n`);
        warned = true;
      }
      return base;
    },

    /** Opens the store for the work, and closes the database after it. */
    async withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
      const target = await openTarget(readConfig(env));
      const sql = openDatabase(target.url, { applicationName: 'invitation-trigger cli' });
      try {
        return await work(patient(createStore(sql)));
      } finally {
        await sql.end({ timeout: 5 });
        await target.close();
      }
    },
  };
}

export const noSuch = (noun: string, id: string) => new OperatorError(`There is no ${noun} ${id}.`, { kind: 'not_found' });

/** One row as people read it, with a line for each column. */
export function sheet(row: Row): string {
  const width = Math.max(...Object.keys(row).map((column) => column.length));
  return Object.entries(row)
    .map(([column, value]) => `${column.padEnd(width)}  ${cell(value)}`)
    .join('\n');
}

/** A row like that of sheet(), without the columns that have no value. */
export const shortSheet = (row: Row): string =>
  sheet(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));

/** Its text is indented below its title. */
export const section = (title: string, text: string): string => `${title}\n\n${text.replace(/^/gm, '  ')}`;

/** What recipients chose instead of unsubscribing. */
export const choicesTable = (choices: readonly Row[]): string => table(choices, ['choice', 'survey_id', 'chosen_at'], 'Nothing.');

/** The address where recipients reach the service, as far as it is known without a running server. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Config): string => PUBLIC_URL ?? `http://${HOST}:${PORT}`;

/** DATABASE_URL, or the embedded database, which is then also migrated. */
export async function openTarget(
  config: Config,
  { migrated = true }: { migrated?: boolean } = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, close: async () => {} };
  const embedded = await startEmbedded(config.DATA_DIR);
  try {
    if (migrated) await migrate(embedded.url);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.url, close: () => embedded.stop() };
}

export function score(text: string): number {
  if (!/^-?\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function time(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('It must be a time such as 2030-01-31T09:00:00Z.');
  return at;
}

export const curlLine = (base: string, secret: string): string =>
  [
    `curl -sS ${base}/api/invitation-trigger \\`,
    `  -H 'Authorization: Bearer ${secret}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "ada@example.com", "name": "Ada", "metadata": {"order_id": "A-1001"}}'`,
  ].join('\n');

/** The rows as people read them. Without rows, the text is `none`. */
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
  if (value instanceof Date) return `${formatUtc(value)} UTC`;
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\p{Cc}+/gu, ' ');
}
