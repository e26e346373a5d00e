// Writes the definitions of a router's functions and types from a cell's catalog. The same catalog gives the same text.
import type { Catalog, CellFunction, Parameter } from './catalog.ts';
import { type Route, routeOf } from './routes.ts';

const quote = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** The schemas of a cell, as a router has them. A migrate of the cell must be followed by a new one. */
export function routerSql({ functions, types }: Pick<Catalog, 'functions' | 'types'>): string {
  const routed = functions.map((one) => [one, routeOf(one)] as const).filter(([, route]) => route.to !== 'none');
  return [
    'create schema invite;',
    'create schema console;',
    ...types.map(({ definition }) => definition),
    ...routed.flatMap(([one, route]) => definitionsOf(one, route)),
    '',
  ].join('\n\n');
}

/** Functions without a route aren't there, and so can't be called. */
function definitionsOf(one: CellFunction, route: Route): string[] {
  switch (route.to) {
    case 'cell':
      return [
        proxy(`${one.schema}.${one.name}(${one.signature})`, one.result, `cluster invite_router.${route.cluster}; run on 0;`),
      ];
    case 'each':
      return [inCell(one), block(one, each(one))];
    case 'named':
      return [inCell(one, `invite_router.${one.name}(`, 'invite_router.cluster($1)')];
    case 'first':
      return [inCell(one), block(one, first(one, route.token, route.known))];
    case 'events':
      return [inCell(one), block(one, events(one, route.argument))];
    case 'here':
      return [
        `create function ${one.schema}.${one.name}(${one.signature}) returns ${one.result}
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ ${route.answer(one)} $$;`,
      ];
    default:
      return [];
  }
}

const proxy = (head: string, result: string, body: string): string =>
  `create function ${head} returns ${result}\nlanguage plproxy security definer\nas $$ ${body} $$;`;

const helper = ({ schema, name }: CellFunction): string => `invite_router.${schema}_${name}`;

/** The same call, to a cell that the caller names. */
function inCell(one: CellFunction, head = `${helper(one)}(`, cluster = 'invite_router.itself($1)'): string {
  const declared = ['to_cluster text', ...one.parameters.map(({ name, type }) => `${quote(name)} ${type}`)];
  const passed = one.parameters.map((_, index) => `$${index + 2}`).join(', ');
  // With an alias before each, because a bare name would be taken for the parameter.
  const columns = one.columns?.map(({ name }: Parameter) => `r.${quote(name)}`).join(', ') ?? 'r';
  const select = `select ${columns} from ${one.schema}.${one.name}(${passed}) as r;`;
  return proxy(`${head}${declared.join(', ')})`, one.result, `cluster ${cluster}; run on 0; ${select}`);
}

/** The arguments of a call of inCell(). */
const call = (one: CellFunction, cluster: string, replaced: Readonly<Record<string, string>> = {}): string =>
  `${helper(one)}(${[cluster, ...one.parameters.map(({ name }) => replaced[name] ?? `${one.name}.${quote(name)}`)].join(', ')})`;

const block = (one: CellFunction, body: string): string =>
  `create function ${one.schema}.${one.name}(${one.signature}) returns ${one.result}
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
${body}
$$;`;

/** A cell that is down is logged, and nothing else: the answer is the same. */
const each = (one: CellFunction): string => `declare
  v_cluster text;
begin
  for v_cluster in
    select c.cluster from invite_router.clusters() as c
    where ${one.name}.home is null or c.cluster = invite_router.known_cluster(${one.name}.home)
  loop
    begin
      perform ${call(one, 'v_cluster')};
    exception when query_canceled or others then
      perform invite_router.log_failure(v_cluster, sqlstate, sqlerrm);
    end;
  end loop;
end`;

const first = (one: CellFunction, token: string, known: string): string => `declare
  v_cluster text := invite_router.known_cluster(${one.name}.${token});
  v_result ${one.result};
  v_failed boolean := false;
begin
  if v_cluster is not null then
    select * into v_result from ${call(one, 'v_cluster')};
    return v_result;
  end if;
  for v_cluster in select c.cluster from invite_router.clusters() as c
  loop
    begin
      select * into v_result from ${call(one, 'v_cluster')};
      if v_result.${known} then
        return v_result;
      end if;
    exception when query_canceled or others then
      perform invite_router.log_failure(v_cluster, sqlstate, sqlerrm);
      v_failed := true;
    end;
  end loop;
  -- The cell that didn't respond may be the one that knows it.
  if v_failed then
    raise exception 'a cell does not respond' using errcode = 'IT503';
  end if;
  return v_result;
end`;

const events = (one: CellFunction, argument: string): string => `declare
  v_cluster text;
  v_events jsonb;
  v_recorded integer := 0;
  v_failed boolean := false;
begin
  for v_cluster, v_events in select p.cluster, p.part from invite_router.split_events(${one.name}.${argument}) as p
  loop
    begin
      v_recorded := v_recorded + ${call(one, 'v_cluster', { [argument]: 'v_events' })};
    exception when query_canceled or others then
      perform invite_router.log_failure(v_cluster, sqlstate, sqlerrm);
      v_failed := true;
    end;
  end loop;
  -- The relay reports again. A report that is recorded already changes nothing.
  if v_failed then
    raise exception 'a cell does not respond' using errcode = 'IT503';
  end if;
  return v_recorded;
end`;
