// Turns rows into objects.
import { camelCase, type Sql, snakeCase } from './pool.ts';

export type Row = Record<string, unknown>;
type Rows = PromiseLike<readonly Row[]>;
export type Queries = ReturnType<typeof createQueries>;

export function createQueries(sql: Sql) {
  // Loops: fromEntries takes five times as long, which a request and an email would notice.
  const record = <T>(row: Row | undefined): T => {
    const made: Row = {};
    for (const column in row) made[camelCase(column)] = row[column];
    return made as T;
  };
  return {
    sql,
    record,
    value: async <T>(query: Rows): Promise<T> => {
      const [row] = await query;
      return Object.values(row ?? {})[0] as T;
    },
    one: async <T>(query: Rows): Promise<T> => record<T>((await query)[0]),
    /** Each name is converted once: a claim has 17 columns and 100 rows. */
    records: async <T>(query: Rows): Promise<T[]> => {
      const rows = await query;
      const names = Object.keys(rows[0] ?? {}).map((column) => [column, camelCase(column)] as const);
      return rows.map((row) => {
        const made: Row = {};
        for (const [column, name] of names) made[name] = row[column];
        return made as T;
      });
    },
    /** JSON; undefined becomes null. */
    json: (content: unknown) => (content === undefined ? null : sql.json(content as never)),
    /** JSON with an object's names in snake case. */
    jsonRecord: (content: object) =>
      sql.json(Object.fromEntries(Object.entries(content).map(([name, value]) => [snakeCase(name), value])) as never),
  };
}
