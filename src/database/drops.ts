// Drops functions, views and triggers that no file defines any more. So the database has those of the files and no others, and nobody has to
// write a drop.
import { readFileSync } from 'node:fs';
import type { Sql, TransactionSql } from './pool.ts';

export interface DefinitionFile {
  /** The path below sql/. */
  readonly name: string;
  readonly path: URL;
}

/** A function, view or trigger that the database has and no file defines. */
export interface Gone {
  readonly kind: 'function' | 'view' | 'trigger';
  /** As SQL writes it, with the types of parameters or the table. */
  readonly name: string;
  /** Whether a file defines a function of this name with other parameters. */
  readonly replaced: boolean;
}

/** Drops what no file defines. Runs in the caller's transaction. */
export async function dropGone(sql: TransactionSql, files: readonly DefinitionFile[]): Promise<void> {
  const gone = await findGone(sql, files);
  if (gone.length > 0) await drop(sql, gone);
  await sql`
    delete from invite.definitions as d
    where d.file ~ '^(functions|triggers|views)/' and d.file <> all (${files.map(({ name }) => name)})`;
}

/** Drops these, and our views that depend on them. If other views do, PostgreSQL refuses, and the migrate is undone. */
export async function drop(sql: TransactionSql, gone: readonly Pick<Gone, 'kind' | 'name'>[]): Promise<void> {
  // Its functions may return rows of a view. It has no state, and is created again afterwards.
  await dropConsole(sql);
  const named = (kind: Gone['kind']) => gone.filter((one) => one.kind === kind).map(({ name }) => name);
  for (const name of named('trigger')) await sql.unsafe(`drop trigger ${name}`);
  const views = await sql<{ name: string }[]>`
    with recursive used as (
      select 'pg_proc'::regclass as class, to_regprocedure(f.name)::oid as id from unnest(${named('function')}::text[]) as f (name)
      union
      select 'pg_class'::regclass, to_regclass(v.name)::oid from unnest(${named('view')}::text[]) as v (name)
      union
      select 'pg_class'::regclass, r.ev_class
      from used as u
      join pg_depend as d on d.refclassid = u.class and d.refobjid = u.id and d.classid = 'pg_rewrite'::regclass
      join pg_rewrite as r on r.oid = d.objid
      join pg_class as c on c.oid = r.ev_class and c.relnamespace = 'invite'::regnamespace
    )
    select u.id::regclass::text as name from used as u where u.class = 'pg_class'::regclass and u.id is not null`;
  if (views.length > 0) await sql.unsafe(`drop view ${views.map(({ name }) => name).join(', ')}`);
  if (named('function').length > 0) await sql.unsafe(`drop function if exists ${named('function').join(', ')}`);
}

/**
 * A function that has other parameters in its file is gone, too: if both were there, a call that leaves out defaults would be ambiguous.
 * What no file has ever defined is left alone.
 */
export async function findGone(
  sql: Sql | TransactionSql,
  files: readonly DefinitionFile[],
  schema: 'invite' | 'console' = 'invite',
): Promise<Gone[]> {
  const texts = files.map(({ path }) => readFileSync(path, 'utf8'));
  const named = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match.slice(1).join(' ')));
  return sql<Gone[]>`
    with defined as (
      select f.name, array_to_string(array(select coalesce(to_regtype(t.name)::oid, 0) from unnest(f.types) with ordinality as t (name, place) order by t.place), ' ') as types
      from jsonb_to_recordset(${sql.json(texts.flatMap(signaturesOf).map((one) => ({ ...one })))}) as f (name text, types text[])
    ),
    known as (
      select split_part(d.file, '/', 1) as folder, regexp_replace(d.file, '^.*/|\\.sql$', '', 'g') as name from invite.definitions as d
    )
    select 'trigger' as kind, format('%I on %s', g.tgname, g.tgrelid::regclass) as name, false as replaced
    from pg_trigger as g
    join pg_proc as p on p.oid = g.tgfoid
    join pg_class as c on c.oid = g.tgrelid
    where not g.tgisinternal and g.tgparentid = 0 and p.pronamespace = to_regnamespace(${schema}) and starts_with(p.proname, 'tg_')
      and concat_ws(' ', g.tgname, c.relname) <> all (${named(/^create or replace trigger (\w+)[^;]*? on invite\.(\w+)/gm)})
    union all
    select 'view', c.oid::regclass::text, false
    from pg_class as c
    where c.relnamespace = to_regnamespace(${schema}) and c.relkind = 'v'
      and c.relname in (select k.name from known as k where k.folder = 'views')
      and c.relname <> all (${named(/^create or replace view invite\.(\w+)/gm)})
    union all
    select 'function', p.oid::regprocedure::text, exists (select from defined as f where f.name = ${schema} || '.' || p.proname)
    from pg_proc as p
    where p.pronamespace = to_regnamespace(${schema}) and p.prokind = 'f'
      and (${schema} = 'console' or starts_with(p.proname, 'tg_') or p.proname in (select k.name from known as k where k.folder = 'functions'))
      and not exists (select from defined as f where f.name = ${schema} || '.' || p.proname and f.types = p.proargtypes::text)
    order by 1, 2`;
}

/** Reads the names of the functions that a file creates, and the types of their parameters. */
export function signaturesOf(text: string): { readonly name: string; readonly types: readonly string[] }[] {
  return [...text.matchAll(/^create (?:or replace )?function ([\w.]+)\(/gm)].map((match) => {
    const parameters = [''];
    let depth = 1;
    for (const [token] of text.slice(match.index + match[0].length).matchAll(/'(?:[^']|'')*'|[\s\S]/g)) {
      if ('([{'.includes(token)) depth += 1;
      if (')]}'.includes(token)) depth -= 1;
      if (depth === 0) break;
      if (token === ',' && depth === 1) parameters.push('');
      else parameters.push(parameters.pop() + token);
    }
    const given = parameters
      .map((parameter) => parameter.trim())
      .filter((parameter) => parameter !== '' && !parameter.startsWith('out '));
    return {
      name: match[1] ?? '',
      types: given.map((parameter) => parameter.replace(/^(?:variadic )?\w+ | default [\s\S]*$/g, '')),
    };
  });
}

/** Keeps the schema itself, because the owner may no longer have the right to create one. */
export const dropConsole = (transaction: TransactionSql): Promise<unknown> =>
  transaction.unsafe(`
    comment on schema console is null;
    do $$
    declare
      v_drop text;
    begin
      for v_drop in
        select 'drop function ' || string_agg(p.oid::regprocedure::text, ', ')
        from pg_proc as p where p.pronamespace = 'console'::regnamespace having count(*) > 0
      loop
        execute v_drop;
      end loop;
      for v_drop in
        select 'drop type ' || string_agg(c.reltype::regtype::text, ', ')
        from pg_class as c where c.relnamespace = 'console'::regnamespace and c.relkind = 'c' having count(*) > 0
      loop
        execute v_drop;
      end loop;
    end
    $$`);
