// Lists what a migrate would do, and which locks its statements would take. For migrate --plan, which changes nothing.

export interface PlannedStatement {
  /** The start of the statement, on one line. */
  readonly statement: string;
  /** PostgreSQL's name of the table lock, and the table. Null: the statement takes no lock that others wait for. */
  readonly lock: { readonly mode: string; readonly table: string } | null;
  /** What has to wait while the lock is held. */
  readonly blocks: 'reads and writes' | 'writes' | 'nothing' | 'unknown';
  /** Whether it takes something away. Processes that still use it fail. */
  readonly removes: boolean;
}

const BLOCKS: Readonly<Record<string, PlannedStatement['blocks']>> = {
  'access exclusive': 'reads and writes',
  'share row exclusive': 'writes',
  share: 'writes',
};

/** The first pattern that matches decides. Source: PostgreSQL documentation, Explicit Locking. A test compares each with pg_locks. */
const LOCKS: readonly (readonly [pattern: RegExp, mode: string | undefined])[] = [
  [/^alter table (?:only )?([\w.]+) validate constraint/, 'share update exclusive'],
  [/^alter table (?:only )?([\w.]+) (?:alter column )?\w+ set (?:statistics|\()/, 'share update exclusive'],
  [/^alter table (?:only )?([\w.]+)/, 'access exclusive'],
  [/^create (?:unique )?index concurrently [^;]*? on ([\w.]+)/, 'share update exclusive'],
  [/^create (?:unique )?index [^;]*? on ([\w.]+)/, 'share'],
  [/^create (?:or replace )?trigger [^;]*? on ([\w.]+)/, 'share row exclusive'],
  [/^create or replace view ([\w.]+)/, 'access exclusive'],
  [/^drop index concurrently ([\w.]+)/, 'share update exclusive'],
  [/^drop trigger [^;]*? on ([\w.]+)/, 'access exclusive'],
  [/^drop (?:table|view|index) (?:if exists )?([\w.]+)/, 'access exclusive'],
  [/^comment on (?:table|view) ([\w.]+)/, 'share update exclusive'],
  [/^comment on column ([\w.]+)\.\w+/, 'share update exclusive'],
  [/^comment on trigger \w+ on ([\w.]+)/, 'share update exclusive'],
  [/^(?:update|insert into|delete from) (?:only )?([\w.]+)/, 'row exclusive'],
  [/^(?:create|drop|alter|comment on) (?:or replace )?(?:function|type|table|view|schema|sequence|domain)/, undefined],
];

/** Indexes, constraints and triggers aren't called. */
const REMOVES =
  /^drop (?!index|trigger)|^alter (?:table|type|view|function|sequence|schema) .*?\b(?:drop (?:column|attribute)|rename|set schema)\b/;

export function planStatement(text: string): PlannedStatement {
  const line = text.replace(/\s+/g, ' ').trim();
  const statement = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  const removes = REMOVES.test(line.toLowerCase());
  for (const [pattern, mode] of LOCKS) {
    const match = pattern.exec(line.toLowerCase());
    if (match === null) continue;
    if (mode === undefined) return { statement, lock: null, blocks: 'nothing', removes };
    return { statement, lock: { mode, table: match[1] ?? '' }, blocks: BLOCKS[mode] ?? 'nothing', removes };
  }
  return { statement, lock: null, blocks: 'unknown', removes };
}

/** Splits a file into its statements, without comments. */
export function splitStatements(text: string): string[] {
  const statements = [''];
  for (const [token] of text.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|[\s\S]/g)) {
    if (token === ';') statements.push('');
    else if (!/^(--|\/\*)/.test(token)) statements.push(statements.pop() + token);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
