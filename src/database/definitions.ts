// Applies functions, triggers, views and grants. A file is applied again only if it has changed, or if what the database has under its
// names has changed. Everything else isn't touched, so a migrate with nothing to do takes no lock.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Sql, TransactionSql } from './pool.ts';

export interface DefinitionFile {
  /** The path below sql/. */
  readonly name: string;
  readonly path: URL;
}

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

/** Runs in the caller's transaction. */
export async function applyDefinitions(sql: TransactionSql, files: readonly DefinitionFile[]): Promise<void> {
  const changed = await findChanged(sql, files);
  for (const { path } of changed) await sql.unsafe(readFileSync(path, 'utf8'));
  const now = await readCatalog(sql);
  for (const file of changed) {
    await sql`
      insert into invite.definitions (file, digest) values (${file.name}, ${digestOf(file, now)})
      on conflict (file) do update set digest = excluded.digest`;
  }
}

export async function findChanged(sql: Sql | TransactionSql, files: readonly DefinitionFile[]): Promise<DefinitionFile[]> {
  const rows = await sql<{ file: string; digest: string }[]>`select file, digest from invite.definitions`;
  const known = new Map(rows.map(({ file, digest }) => [file, digest]));
  const now = await readCatalog(sql);
  return files.filter((file) => known.get(file.name) !== digestOf(file, now));
}

/** The digest of the file and of the objects in the database that it creates. */
function digestOf({ name, path }: DefinitionFile, catalog: ReadonlyMap<string, string>): string {
  const text = readFileSync(path, 'utf8');
  const statements = text.matchAll(/^create or replace (?:(function|view) invite\.(\w+)|(trigger) \w+[^;]*? on invite\.(\w+))/gm);
  const objects = [...statements].map(([, kind, object, trigger, table]) => `${kind ?? trigger} ${object ?? table}`);
  if (name === VIEW_COMMENTS) objects.push('comments');
  if (name === GRANTS) objects.push('grants');
  const found = objects.map((object) => catalog.get(object) ?? '');
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
