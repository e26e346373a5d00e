// Turns rows into objects.
import { camelCase, type Sql, snakeCase } from './pool.ts';

export type Row = Record<string, unknown>;
type Rows = PromiseLike<readonly Row[]>;
export type Queries = ReturnType<typeof createQueries>;

export function createQueries(sql: Sql) {
  // Uses loops: fromEntries takes five times as long, enough to slow down requests and emails.
  const record = <T>(row: Row | undefined): T => {
    const object: Row = {};
    for (const column in row) object[camelCase(column)] = row[column];
    return object as T;
  };
  return {
    sql,
    record,
    value: async <T>(query: Rows): Promise<T> => {
      const [row] = await query;
      return Object.values(row ?? {})[0] as T;
    },
    one: async <T>(query: Rows): Promise<T> => record<T>((await query)[0]),
    /** Converts each column's name once, because a claim can have 17 columns and 100 rows. */
    records: async <T>(query: Rows): Promise<T[]> => {
      const rows = await query;
      const names = Object.keys(rows[0] ?? {}).map((column) => [column, camelCase(column)] as const);
      return rows.map((row) => {
        const object: Row = {};
        for (const [column, name] of names) object[name] = row[column];
        return object as T;
      });
    },
    /** A value as JSON. Undefined becomes null. */
    json: (content: unknown) => (content === undefined ? null : sql.json(content as never)),
    /** An object as JSON, with its names in snake case. */
    jsonRecord: (content: object) =>
      sql.json(Object.fromEntries(Object.entries(content).map(([name, value]) => [snakeCase(name), value])) as never),
  };
}
