// Turns rows into objects, for the files that name SQL functions and views.
import { camelCase, type Sql, snakeCase } from './pool.ts';

export type Row = Record<string, unknown>;
type Rows = PromiseLike<readonly Row[]>;
export type Queries = ReturnType<typeof createQueries>;

export function createQueries(sql: Sql) {
  /** A row with its columns' names in camel case. */
  const record = <T>(row: Row | undefined): T =>
    Object.fromEntries(Object.entries(row ?? {}).map(([column, content]) => [camelCase(column), content])) as T;
  return {
    sql,
    record,
    /** The first column of the first row. */
    value: async <T>(query: Rows): Promise<T> => {
      const [row] = await query;
      return Object.values(row ?? {})[0] as T;
    },
    /** The first row. */
    one: async <T>(query: Rows): Promise<T> => record<T>((await query)[0]),
    /** All rows. */
    records: async <T>(query: Rows): Promise<T[]> => (await query).map((row) => record<T>(row)),
    /** An argument that is JSON; undefined is null. */
    json: (content: unknown) => (content === undefined ? null : sql.json(content as never)),
    /** An argument that is JSON with columns by name: an object whose names are in camel case. */
    jsonRecord: (content: object) =>
      sql.json(Object.fromEntries(Object.entries(content).map(([name, value]) => [snakeCase(name), value])) as never),
  };
}
