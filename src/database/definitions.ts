// Applies functions, triggers, views and grants, and drops those that no file has any more. A file is applied again only if it has changed,
// or if what the database has under its names has changed. Everything else isn't touched, so a migrate with nothing to do takes no lock.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type DefinitionFile, drop, dropConsole, signaturesOf } from './drops.ts';
import { errorCode, type Sql, type TransactionSql } from './pool.ts';

/** These files refer to objects of other files, so they are applied after them. */
export const VIEW_COMMENTS = 'view_comments.sql';
export const GRANTS = 'grants.sql';

/**
 * The files in an order in which they can be applied: after a view or a function, everything that names it. PL/pgSQL functions may name each
 * other, because they look names up when they run. The file of a trigger has its table's name, and is used by nobody.
 */
export function inOrderOfUse(files: readonly DefinitionFile[]): DefinitionFile[] {
  const nameable = files.filter(({ name }) => !name.startsWith('triggers/'));
  const byName = new Map(nameable.map((file) => [basename(file.name, '.sql'), file]));
  const ordered = new Set<DefinitionFile>();
  const visited = new Set<DefinitionFile>();
  const add = (file: DefinitionFile): void => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const [, name] of readFileSync(file.path, 'utf8').matchAll(/\binvite\.(\w+)/g)) {
      const used = byName.get(name ?? '');
      if (used !== undefined) add(used);
    }
    ordered.add(file);
  };
  for (const file of files) add(file);
  return [...ordered];
}

/** Changed files, views that they dropped, comments, grants; and one that finds nothing to do. */
const PASSES = 5;

/**
 * Runs in the caller's transaction, whose locks others wait for: so it asks for little, and sends much at once.
 * @param files With VIEW_COMMENTS and GRANTS.
 */
export async function applyDefinitions(
  sql: TransactionSql,
  files: readonly DefinitionFile[],
  consoleFiles: readonly DefinitionFile[],
): Promise<void> {
  let catalog = await readCatalog(sql);
  // A pass applies what the one before has dropped: views, then their comments, then the grants, which come when all else is there.
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const changed = await differing(sql, files, catalog);
    const others = changed.filter(({ name }) => name !== GRANTS);
    const now = others.length > 0 ? others : changed;
    await apply(sql, now);
    const replaced = await replaceConsole(sql, consoleFiles);
    if (now.length === 0 && !replaced) return;
    catalog = await readCatalog(sql);
    if (now.length === 0) continue;
    await sql`
      insert into invite.definitions ${sql(now.map((file) => ({ file: file.name, digest: digestOf(file, catalog) })))}
      on conflict (file) do update set digest = excluded.digest`;
  }
  throw new Error('the definitions undo each other');
}

/** A function would return something else, or a parameter would have another name; a view would lose or change a column. */
const IRREPLACEABLE = ['42P13', '42P16'];

/** Applies the files: all at once, or if one of them has what PostgreSQL can't replace, one after the other. */
async function apply(sql: TransactionSql, files: readonly DefinitionFile[]): Promise<void> {
  const texts = files.map(({ path }) => readFileSync(path, 'utf8'));
  if (await replace(sql, texts.join('\n'))) return;
  for (const text of texts) {
    if (await replace(sql, text)) continue;
    const views = [...text.matchAll(/^create or replace view ([\w.]+)/gm)].map(([, name = '']) => ({
      kind: 'view' as const,
      name,
    }));
    const functions = signaturesOf(text).map(({ name, types }) => ({ kind: 'function' as const, name: `${name}(${types})` }));
    await drop(sql, [...views, ...functions]);
    await sql.unsafe(text);
  }
}

/** Returns whether it could. */
async function replace(sql: TransactionSql, text: string): Promise<boolean> {
  try {
    await sql.savepoint((inner) => inner.unsafe(text));
    return true;
  } catch (error) {
    if (IRREPLACEABLE.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Runs only if a definition has changed (the schema's comment has their digest), so that running sessions can keep their plans. Returns whether
 * it has run.
 */
async function replaceConsole(transaction: TransactionSql, files: readonly DefinitionFile[]): Promise<boolean> {
  const definitions = files.map(({ path }) => readFileSync(path, 'utf8'));
  const comment = `The functions of the pages that members see. Definitions: ${createHash('sha256').update(definitions.join()).digest('hex')}`;
  const [row] = await transaction`select obj_description('console'::regnamespace, 'pg_namespace') as comment`;
  if (row?.comment === comment) return false;
  await dropConsole(transaction);
  await transaction.unsafe(`${definitions.join('\n')}\ncomment on schema console is '${comment}'`);
  return true;
}

export const findChanged = async (sql: Sql, files: readonly DefinitionFile[]): Promise<DefinitionFile[]> =>
  differing(sql, files, await readCatalog(sql));

async function differing(
  sql: Sql | TransactionSql,
  files: readonly DefinitionFile[],
  catalog: ReadonlyMap<string, string>,
): Promise<DefinitionFile[]> {
  const rows = await sql<{ file: string; digest: string }[]>`select file, digest from invite.definitions`;
  const known = new Map(rows.map(({ file, digest }) => [file, digest]));
  return files.filter((file) => {
    const digest = digestOf(file, catalog);
    return digest === '' || known.get(file.name) !== digest;
  });
}

/** The digest of the file and of the objects in the database that it creates. Empty if one of these doesn't exist. */
function digestOf({ name, path }: DefinitionFile, catalog: ReadonlyMap<string, string>): string {
  const text = readFileSync(path, 'utf8');
  const statements = text.matchAll(/^create or replace (?:(function|view) invite\.(\w+)|(trigger) \w+[^;]*? on invite\.(\w+))/gm);
  const objects = [...statements].map(([, kind, object, trigger, table]) => `${kind ?? trigger} ${object ?? table}`);
  if (name === VIEW_COMMENTS) objects.push('comments');
  if (name === GRANTS) objects.push('grants');
  const found = objects.map((object) => catalog.get(object));
  if (found.includes(undefined)) return '';
  return createHash('sha256')
    .update([text, ...found].join('\0'))
    .digest('hex');
}

/** Reads a digest of each function and view, of each table's triggers, of all comments on views, and of all permissions. */
async function readCatalog(sql: Sql | TransactionSql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; digest: string }[]>`
    with parts as (
      select 'function ' || p.proname as name, pg_get_functiondef(p.oid) as part, obj_description(p.oid, 'pg_proc') as comment
      from pg_proc as p where p.pronamespace = 'invite'::regnamespace and p.prokind = 'f'
      union all
      select 'view ' || c.relname, pg_get_viewdef(c.oid), null
      from pg_class as c where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v'
      union all
      select 'comments', concat_ws(' ', c.relname, d.objsubid), d.description
      from pg_class as c join pg_description as d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass
      where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v'
      union all
      select 'trigger ' || c.relname, pg_get_triggerdef(t.oid) || t.tgenabled::text, obj_description(t.oid, 'pg_trigger')
      from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
      where c.relnamespace = 'invite'::regnamespace and not t.tgisinternal
      union all
      select 'grants', concat_ws(' ', a.name, a.acl), null
      from (
        select n.nspname::text as name, n.nspacl::text as acl from pg_namespace as n where n.nspname in ('invite', 'console')
        union all
        select c.oid::regclass::text, c.relacl::text from pg_class as c
        where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
        union all
        select p.oid::regprocedure::text, p.proacl::text from pg_proc as p
        where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace)
        union all
        select r.rolname, null from pg_roles as r where r.rolname in ('invite_web', 'invite_admin', 'invite_readonly')
      ) as a
    )
    select name, md5(string_agg(concat_ws(' ', part, comment), '' order by part)) as digest from parts group by name`;
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}
