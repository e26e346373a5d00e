// Reads from a migrated cell what a router needs: the functions that the web server may call, and the types that they name.
import type { Sql, TransactionSql } from '../database/pool.ts';

export interface Parameter {
  readonly name: string;
  /** As `format_type` writes it, such as `timestamp with time zone` or `invite.event_type[]`. */
  readonly type: string;
}

export interface CellFunction {
  readonly schema: string;
  readonly name: string;
  /** Whether it has the rights of its owner. Without them, the web server's role can read no table. */
  readonly isDefiner: boolean;
  /** What is passed. */
  readonly parameters: readonly Parameter[];
  /** The whole list of parameters as a definition has it, with defaults and with those that are returned. */
  readonly signature: string;
  /** What follows RETURNS. */
  readonly result: string;
  /** The columns of the result. Undefined: it is a single value. */
  readonly columns: readonly Parameter[] | undefined;
}

export interface CellType {
  readonly name: string;
  readonly definition: string;
}

export interface Catalog {
  readonly functions: readonly CellFunction[];
  /** In the order in which they can be created. */
  readonly types: readonly CellType[];
  readonly facts: { readonly schemaVersion: number; readonly timeZones: readonly string[] };
}

const WEB_ROLE = 'invite_web';

/** @param sql A connection of a role that may read the schema, and begin transactions. */
export async function readCatalog(sql: Sql): Promise<Catalog> {
  return sql.begin('isolation level repeatable read read only', async (cell) => {
    // So that names outside pg_catalog are written with their schemas.
    await cell`set local search_path = pg_catalog`;
    const functions = await cell<CellFunction[]>`
      select
        n.nspname as schema, p.proname as name, p.prosecdef as "isDefiner", pg_get_function_arguments(p.oid) as signature, pg_get_function_result(p.oid) as result,
        (
          select coalesce(jsonb_agg(jsonb_build_object('name', p.proargnames[a.place], 'type', format_type(a.type, null)) order by a.place), '[]')
          from unnest(p.proargtypes::oid[]) with ordinality as a (type, place)
        ) as parameters,
        coalesce(
          (
            select jsonb_agg(jsonb_build_object('name', p.proargnames[a.place], 'type', format_type(a.type, null)) order by a.place)
            from unnest(p.proallargtypes, p.proargmodes) with ordinality as a (type, mode, place) where a.mode in ('o', 't')
            having count(*) > 1
          ),
          (
            select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
            from pg_type as t join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
            where t.oid = p.prorettype
          )
        ) as columns
      from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname in ('invite', 'console') and p.prokind = 'f' and has_function_privilege(${WEB_ROLE}, p.oid, 'execute')
      order by n.nspname collate "C", p.proname collate "C", p.proargtypes::regtype[]::text collate "C"`;
    const [facts] = await cell`select invite.schema_version() as version, invite.time_zone_names() as zones`;
    return {
      functions: functions.map(({ columns, ...rest }) => ({ ...rest, columns: columns ?? undefined })),
      types: await readTypes(cell),
      facts: { schemaVersion: facts?.version, timeZones: [...(facts?.zones ?? [])].sort() },
    };
  }) as Promise<Catalog>;
}

interface TypeRow {
  readonly id: string;
  readonly name: string;
  readonly kind: 'b' | 'c' | 'd' | 'e' | 'r';
  readonly needs: readonly string[];
  readonly labels: readonly string[];
  readonly attributes: readonly string[];
  readonly base: string | null;
}

/** The enums, composites, domains, and rows of tables and views that the functions name, those of their columns included. */
async function readTypes(cell: TransactionSql): Promise<CellType[]> {
  const rows = await cell<TypeRow[]>`
    with recursive needed (id) as (
      select t.id
      from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
      cross join unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype) as t (id)
      where n.nspname in ('invite', 'console') and p.prokind = 'f' and has_function_privilege(${WEB_ROLE}, p.oid, 'execute')
      union
      select m.id
      from needed as d
      join pg_type as t on t.oid = d.id
      cross join lateral (
        select t.typelem where t.typelem <> 0 and t.typlen = -1
        union all select t.typbasetype where t.typtype = 'd'
        union all select a.atttypid from pg_attribute as a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      ) as m (id)
    )
    select
      t.oid::text as id, format_type(t.oid, null) as name, t.typtype as kind,
      array(
        select coalesce(nullif(case when e.typlen = -1 then e.typelem else 0 end, 0), e.oid)::text
        from pg_attribute as a join pg_type as e on e.oid = a.atttypid
        where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        order by a.attnum
      ) || case when t.typtype = 'd' then array[t.typbasetype::text] else '{}' end as needs,
      array(select e.enumlabel::text from pg_enum as e where e.enumtypid = t.oid order by e.enumsortorder) as labels,
      array(
        select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        from pg_attribute as a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        order by a.attnum
      ) as attributes,
      format_type(nullif(t.typbasetype, 0), t.typtypmod) as base
    from needed as d
    join pg_type as t on t.oid = d.id
    join pg_namespace as n on n.oid = t.typnamespace
    where n.nspname <> 'pg_catalog' and not (t.typelem <> 0 and t.typlen = -1)
    order by format_type(t.oid, null) collate "C"`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = new Map<string, CellType>();
  const add = (row: TypeRow): void => {
    if (sorted.has(row.id)) return;
    for (const id of row.needs) {
      const needed = byId.get(id);
      if (needed !== undefined) add(needed);
    }
    sorted.set(row.id, { name: row.name, definition: definitionOf(row) });
  };
  for (const row of rows) add(row);
  return [...sorted.values()];
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function definitionOf({ name, kind, labels, attributes, base }: TypeRow): string {
  switch (kind) {
    case 'e':
      return `create type ${name} as enum (${labels.map(quote).join(', ')});`;
    case 'c':
      return `create type ${name} as (\n  ${attributes.join(',\n  ')}\n);`;
    case 'd':
      // What its values must be is checked in the cell.
      return `create domain ${name} as ${base};`;
    default:
      throw new Error(`a router can't have a type such as ${name}`);
  }
}
