// Which rows belong to a workspace, said by the catalogs: a table added later moves too if it names what it belongs to, as all tables do.
import type { Sql, TransactionSql } from '../database/pool.ts';

/** What a workspace has. The ids stand in the statements, since COPY takes no parameters. */
export interface Scope {
  /** The workspace and its test workspaces. */
  readonly workspaces: readonly string[];
  readonly surveys: readonly string[];
  readonly tokens: readonly string[];
  readonly endpoints: readonly string[];
  /** Of the rows in the other database: the cell that has the workspace. Null: that cell itself. */
  readonly movedTo: string | null;
}

/** Columns by which rows are found, the most exact last: one with an index of its own is preferred. */
const KEYS = ['workspace_id', 'survey_id', 'trigger_token_id', 'endpoint_id', 'batch_id', 'invitation_id'] as const;
type Key = (typeof KEYS)[number] | 'id' | 'foreign';

/** A foreign key to a table whose rows move. */
interface Parent {
  readonly column: string;
  readonly table: MovedTable;
  readonly referenced: string;
}

export interface MovedTable {
  readonly name: string;
  readonly key: Key;
  /** Of `foreign`. */
  readonly parent?: Parent;
  /** What is copied. Generated columns aren't, nor ids that the other database gives itself. */
  readonly columns: readonly string[];
  /** Types of the columns, so that two databases can be compared. */
  readonly types: readonly string[];
  /** Columns by which a row is the same row in both databases. None: the other database gives it an id of its own. */
  readonly identity: readonly string[];
}

/** Tables of which no row moves, each with the reason. */
export const STAYS: Readonly<Record<string, string>> = {
  plans: 'what a plan allows is the same in each cell, which cell move checks',
  time_zones: "PostgreSQL's own",
  languages: "the service's own",
  service_words: "the service's own",
  settings: "the cell's own",
  guard_limits: "the cell's own",
  shared_caps: "the cell's own",
  retention: "the cell's own",
  migrations: "the cell's own",
  definitions: "the cell's own",
  workers: 'they work in their cell',
  relays: 'workers of each cell see a relay themselves',
  sign_in_links: 'a person signs in to a cell',
  sessions: 'a person signs in to a cell',
  event_consumers: 'a consumer reads all events of a cell',
  event_progress: "a cell's numbering: reach_position raises it",
  queue_progress: "the cell's own",
  search_progress: "the cell's own",
  search_terms: 'found by term only, so index_workspace makes them again',
  persons: 'written after the invitations, so index_workspace makes them again',
  new_events: 'published before the rows are copied',
  moved_workspaces: 'where workspaces went from this cell',
};

/** Columns whose values are others in the other database. `t` is the row. `workspaces.moved_to` is another, too: see Scope. */
const CHANGED: Readonly<Record<string, string>> = {
  'workspaces.epoch': 'coalesce(t.epoch, (select g.epoch from invite.settings as g))',
  'events.is_moved': 'true',
};

/** Read in the order of their ids, so they get the next ones. */
const NEW_IDS: readonly string[] = ['result_changes', 'cap_releases'];

interface TableRow {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly indexed: readonly string[];
  readonly identity: readonly string[];
  readonly parents: readonly { readonly column: string; readonly table: string; readonly referenced: string }[];
}

/** @throws A table names nothing of a workspace, and isn't in STAYS. */
export async function movedTables(sql: Sql | TransactionSql): Promise<MovedTable[]> {
  const rows = await sql<TableRow[]>`
    select
      c.relname as name,
      (
        select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attname)
        from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      array(
        select a.attname::text
        from pg_index as i
        join pg_attribute as a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisvalid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))
      ) as indexed,
      array(
        select a.attname::text
        from pg_index as i
        cross join unnest(i.indkey) with ordinality as k (attnum, place)
        join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary
        order by k.place
      ) as identity,
      (
        select coalesce(jsonb_agg(jsonb_build_object('column', a.attname, 'table', p.relname, 'referenced', r.attname) order by k.conname), '[]')
        from pg_constraint as k
        join pg_class as p on p.oid = k.confrelid
        join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.conkey[1]
        join pg_attribute as r on r.attrelid = p.oid and r.attnum = k.confkey[1]
        where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1 and a.attnotnull and p.oid <> c.oid
      ) as parents
    from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname !~ '^events_[0-9]{8}$'
    order by c.relname collate "C"`;
  const found = new Map<string, MovedTable>();
  const visit = (row: TableRow): MovedTable | undefined => {
    if (row.name in STAYS) return undefined;
    const table = found.get(row.name) ?? movedTable(row, (name) => rows.filter((one) => one.name === name).map(visit)[0]);
    found.set(row.name, table);
    return table;
  };
  return rows.flatMap((row) => visit(row) ?? []);
}

/** @param other The table of this name, if its rows move. */
function movedTable(
  { name, columns, indexed, identity, parents }: TableRow,
  other: (name: string) => MovedTable | undefined,
): MovedTable {
  const has = (key: string) => columns.some((column) => column.name === key);
  const isNumberedAgain = NEW_IDS.includes(name);
  const copied = columns.filter((column) => !(isNumberedAgain && column.name === 'id'));
  const rest = {
    name,
    columns: copied.map((column) => column.name),
    types: copied.map(({ type }) => type),
    identity: isNumberedAgain ? [] : identity,
  };
  const key = name === 'workspaces' ? 'id' : (KEYS.find((one) => has(one) && indexed.includes(one)) ?? KEYS.find(has));
  if (key !== undefined) return { ...rest, key };
  for (const { column, table, referenced } of parents) {
    const parent = other(table);
    if (parent !== undefined) return { ...rest, key: 'foreign', parent: { column, table: parent, referenced } };
  }
  throw new Error(
    `invite.${name}: which of its rows move with a workspace? Give it one of the columns ${KEYS.join(', ')} or a foreign key to a table whose rows move; or list it in STAYS of src/cells/tables.ts with the reason`,
  );
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const anyOf = (ids: readonly string[], type: string) => `any (array[${ids.map(quoted).join(', ')}]::${type}[])`;
const name = (column: string) => `"${column}"`;

/** FROM and WHERE of the rows of a workspace, by lookups. */
function rowsOf({ name: table, key, parent }: MovedTable, scope: Scope): string {
  const batches = `invite.batches as b join`;
  const ofSurvey = `b.survey_id = ${anyOf(scope.surveys, 'text')}`;
  if (parent !== undefined) {
    const ofParent = `select t.${name(parent.referenced)} from ${rowsOf(parent.table, scope)}`;
    return `invite.${table} as t where t.${name(parent.column)} = any (array(${ofParent}))`;
  }
  switch (key) {
    case 'id':
      return `invite.${table} as t where t.id = ${anyOf(scope.workspaces, 'text')}`;
    case 'workspace_id':
      return `invite.${table} as t where t.workspace_id = ${anyOf(scope.workspaces, 'text')}`;
    case 'survey_id':
      return `invite.${table} as t where t.survey_id = ${anyOf(scope.surveys, 'text')}`;
    case 'trigger_token_id':
      return `invite.${table} as t where t.trigger_token_id = ${anyOf(scope.tokens, 'uuid')}`;
    case 'endpoint_id':
      return `invite.${table} as t where t.endpoint_id = ${anyOf(scope.endpoints, 'uuid')}`;
    case 'batch_id':
      return `${batches} invite.${table} as t on t.batch_id = b.id where ${ofSurvey}`;
    default:
      return `${batches} invite.invitations as i on i.batch_id = b.id join invite.${table} as t on t.invitation_id = i.id where ${ofSurvey}`;
  }
}

/** What a row has in its columns. @param scope Of rows as they are to be in the other database. Undefined: as they are. */
const valuesOf = ({ name: table, columns }: MovedTable, scope?: Scope): string =>
  columns
    .map((column) => {
      if (scope === undefined) return `t.${name(column)}`;
      if (`${table}.${column}` === 'workspaces.moved_to')
        return `${scope.movedTo === null ? 'null' : quoted(scope.movedTo)}::text`;
      return CHANGED[`${table}.${column}`] ?? `t.${name(column)}`;
    })
    .join(', ');

const identityOf = ({ identity }: MovedTable, alias: string): string =>
  identity.map((column) => `${alias}.${name(column)}`).join(', ');

/** The rows as they are to be in the other database. @param among A table that has the identities of those that are wanted. */
export const selectRows = (table: MovedTable, scope: Scope, among?: string): string =>
  `select ${valuesOf(table, scope)} from ${
    among === undefined
      ? rowsOf(table, scope)
      : `${among} as a join invite.${table.name} as t on (${identityOf(table, 't')}) = (${identityOf(table, 'a')})`
  }`;

/** Each row's identity, and a digest of all that it has. @param changed Whether of the rows as they are to be, or as they are. */
export const selectDigests = (table: MovedTable, scope: Scope, changed: boolean): string =>
  `select ${identityOf(table, 't')}, ${digestOf(table, changed ? scope : undefined)} as digest from ${rowsOf(table, scope)}`;

const digestOf = (table: MovedTable, scope?: Scope): string => `md5(row(${valuesOf(table, scope)})::text)::uuid`;

/**
 * Finds which rows of here differ from those that are to be there, in `pg_temp.differing`: their identity, the digest that they are to have (null: the row is to
 * go), and whether there is such a row.
 *
 * @param there A table of selectDigests.
 * @param here A table of selectDigests.
 */
export const findDiffering = ({ identity }: MovedTable, there: string, here: string): string => {
  const keys = identity.map(name).join(', ');
  return `
    create temporary table differing on commit drop as
    select ${keys}, t.digest, h.digest is not null as is_here
    from ${there} as t full join ${here} as h using (${keys})
    where t.digest is distinct from h.digest`;
};

/** All cells get a report that names none, and where it found no invitation it may be now the workspace's. */
export const deleteDiffering = (table: MovedTable): string => `
  delete from invite.${table.name} as t using pg_temp.differing as d
  where ${table.name === 'relay_events' ? '(d.is_here or t.invitation_id is null)' : 'd.is_here'} and (${identityOf(table, 't')}) = (${identityOf(table, 'd')})`;

/** How many rows still aren't as they are to be. */
export const countDiffering = (table: MovedTable): string => `
  select count(*)::integer as rows
  from pg_temp.differing as d
  left join invite.${table.name} as t on (${identityOf(table, 't')}) = (${identityOf(table, 'd')})
  where (case when t.${name(table.identity[0] ?? '')} is not null then ${digestOf(table)} end) is distinct from d.digest`;

export const countRows = (table: MovedTable, scope: Scope): string =>
  `select count(*)::text as rows from ${rowsOf(table, scope)}`;

/** @param changed Whether of the rows as they are to be, or as they are. */
export const digestRows = (table: MovedTable, scope: Scope, changed: boolean): string => `
  select count(*)::text as rows, coalesce(sum(('x' || left(md5(row(${valuesOf(table, changed ? scope : undefined)})::text), 15))::bit(60)::bigint), 0)::text as digest
  from ${rowsOf(table, scope)}`;

export const columnList = (table: MovedTable): string => table.columns.map(name).join(', ');

/** @param sql Where the workspace is. */
export async function scopeOf(sql: Sql | TransactionSql, workspace: string, movedTo: string | null = null): Promise<Scope> {
  const [row] = await sql`
    select w.workspaces, s.surveys,
      array(select t.id::text from invite.trigger_tokens as t where t.survey_id = any (s.surveys)) as tokens,
      array(select e.id::text from invite.webhook_endpoints as e where e.workspace_id = any (w.workspaces)) as endpoints
    from (select array(select x.id from invite.workspaces_with(${workspace}) as x order by x.id) as workspaces) as w
    cross join lateral (select array(select x.id from invite.surveys as x where x.workspace_id = any (w.workspaces)) as surveys) as s`;
  return { ...row, movedTo } as unknown as Scope;
}
