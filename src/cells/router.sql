/*
 * What a router knows itself: its cells, which workspaces have moved, and which cell a call belongs to. It keeps nothing else, so it can be made
 * again from a cell. src/cells/router.ts applies this file, and then the functions that it writes from a cell's catalog.
 *
 * The functions of schemas invite and console run with the rights of invite_router, whose user mappings have the cells' passwords. invite_web may
 * execute them, and reads neither.
 */
create schema if not exists invite_router;

create table if not exists invite_router.cells (
  home text constraint cells_pkey primary key constraint cells_home_form check (home ~ '^[a-z0-9]{4}$' and home <> 'test'),
  draining boolean not null default false,
  added_at timestamptz not null default clock_timestamp()
);
comment on table invite_router.cells is 'The cells. The connection of each is the foreign server of its name: see cluster.';
comment on column invite_router.cells.home is 'The first four characters of the homes of all workspaces that were created in it.';
comment on column invite_router.cells.draining is 'Its workspaces are being moved away. It gets no calls that any cell could answer.';
comment on column invite_router.cells.added_at is 'When it was added.';

create sequence if not exists invite_router.moves;
comment on sequence invite_router.moves is 'Numbers the changes of moved.';

create table if not exists invite_router.moved (
  home text constraint moved_pkey primary key constraint moved_home_form check (home ~ '^[a-z0-9]{8}$'),
  cell text not null constraint moved_cell_fkey references invite_router.cells (home),
  is_moving boolean not null default false,
  change bigint not null default nextval('invite_router.moves')
);
comment on table invite_router.moved is
  'Workspaces that are in another cell than the one that their home names. One that comes back keeps its row, by which servers learn of it.';
comment on column invite_router.moved.home is 'All eight characters of the workspace''s home, which it keeps.';
comment on column invite_router.moved.cell is 'The cell in which it is.';
comment on column invite_router.moved.is_moving is 'Its calls are refused for now, and are to be tried again.';
comment on column invite_router.moved.change is 'Each change of the row gets the next number.';

create table if not exists invite_router.facts (
  name text constraint facts_pkey primary key,
  value jsonb not null
);
comment on table invite_router.facts is 'What was read from a cell when the functions were written: schema_version, time_zones, and a digest of their text.';
comment on column invite_router.facts.name is 'Its name.';
comment on column invite_router.facts.value is 'Its value.';

create or replace function invite_router.tg_moved__changed() returns trigger
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  new.change := nextval('invite_router.moves');
  return new;
end
$$;
comment on function invite_router.tg_moved__changed() is 'Numbers a change of moved.';
create or replace trigger _100_changed before update on invite_router.moved for each row execute function invite_router.tg_moved__changed();

create or replace function invite_router.cluster(cell text) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$ select 'invite_cell_' || cluster.cell $$;
comment on function invite_router.cluster(text) is 'The name of a cell''s foreign server, and so of its cluster in PL/Proxy.';

create or replace function invite_router.itself(cluster text) returns text
language sql immutable
as $$ select cluster $$;
comment on function invite_router.itself(text) is 'PL/Proxy takes a cluster from a function only.';

create or replace function invite_router.clusters() returns table (cluster text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$ select invite_router.cluster(c.home) from invite_router.cells as c order by c.draining, c.home $$;
comment on function invite_router.clusters() is 'Every cell''s cluster, in the order in which they are asked.';

/*
 * The cluster of the cell in which a workspace is, or null if no cell has that name. Raises IT503 while the workspace is moving. home: what begins
 * with a home, such as a token.
 */
create or replace function invite_router.known_cluster(home text) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_moved invite_router.moved;
begin
  select m.* into v_moved from invite_router.moved as m where m.home = left(known_cluster.home, 8);
  if v_moved.is_moving then
    raise exception 'the workspace is being moved to another cell' using errcode = 'IT503';
  end if;
  return invite_router.cluster(coalesce(v_moved.cell, (select c.home from invite_router.cells as c where c.home = left(known_cluster.home, 4))));
end
$$;
comment on function invite_router.known_cluster(text) is 'The cluster of the cell in which a workspace is. Null: no cell has that name.';

/*
 * As known_cluster. If no cell has that name, any cell is asked: it says what it says about every unknown secret or link, so nobody learns which
 * cells there are.
 */
create or replace function invite_router.of_token(home text) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_cluster text := invite_router.known_cluster(of_token.home);
begin
  if v_cluster is null then
    select invite_router.cluster(c.home) into v_cluster
    from invite_router.cells as c
    order by c.draining, hashtext(c.home || coalesce(of_token.home, ''))
    limit 1;
  end if;
  if v_cluster is null then
    raise exception 'the router has no cells' using errcode = 'IT503';
  end if;
  return v_cluster;
end
$$;
comment on function invite_router.of_token(text) is 'The cluster for what begins with this home.';

create or replace function invite_router.of_hash(hash bytea) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$ select invite_router.of_token(encode(substr(of_hash.hash, 1, 8), 'escape')) $$;
comment on function invite_router.of_hash(bytea) is 'The cluster for a hash, whose first eight bytes are its home.';

create or replace function invite_router.hash_home(hash text) returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$ select encode(substr(hash_home.hash::bytea, 1, 8), 'escape') $$;
comment on function invite_router.hash_home(text) is 'The home of a hash as JSON has it: \x and hexadecimal digits.';

create or replace function invite_router.of_request(request jsonb) returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$ select invite_router.of_token(invite_router.hash_home(of_request.request ->> 'secret_hash')) $$;
comment on function invite_router.of_request(jsonb) is 'The cluster for a request, by its secret_hash.';

/*
 * The requests must all be of one cell: what one cell has accepted can't be taken back if another one fails. So if they aren't, or if one is of a
 * workspace that is being moved, this raises IT409 before anything is sent, and the server sends each alone. A home that no cell has goes anywhere.
 */
create or replace function invite_router.of_requests(requests jsonb) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_homes constant text[] := array(
    select distinct invite_router.hash_home(r ->> 'secret_hash') from jsonb_array_elements(of_requests.requests) as r);
  v_clusters text[];
begin
  if cardinality(v_homes) < 2 then
    return invite_router.of_token(v_homes[1]);
  end if;
  v_clusters := array(select distinct c from unnest(v_homes) as h cross join lateral invite_router.known_cluster(h) as c where c is not null);
  if cardinality(v_clusters) > 1 then
    raise exception 'the requests are of several cells' using errcode = 'IT409';
  end if;
  return coalesce(v_clusters[1], invite_router.of_token(v_homes[1]));
exception when sqlstate 'IT503' then
  if cardinality(v_homes) < 2 then
    raise;
  end if;
  raise exception 'one of the requests has to wait' using errcode = 'IT409';
end
$$;
comment on function invite_router.of_requests(jsonb) is 'The cluster for requests that are all of one cell, by their secret_hash.';

create or replace function invite_router.split_events(events jsonb) returns table (cluster text, part jsonb)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select c.cluster, jsonb_agg(e.event order by e.place)
  from jsonb_array_elements(split_events.events) with ordinality as e (event, place)
  cross join lateral (select invite_router.known_cluster(e.event ->> 'home') as cluster) as k
  join invite_router.clusters() as c on c.cluster = k.cluster or k.cluster is null
  group by c.cluster
  order by c.cluster
$$;
comment on function invite_router.split_events(jsonb) is 'A relay''s reports by cell. A report that names none goes to all.';

create or replace function invite_router.log_failure(cluster text, code text, message text) returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  raise log 'cell % did not respond: % %', log_failure.cluster, log_failure.code, log_failure.message;
end
$$;
comment on function invite_router.log_failure(text, text, text) is 'Writes into PostgreSQL''s log why a cell is left out.';

create or replace function invite_router.routes(after bigint, out cells text[], out moved jsonb, out last bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    array(select c.home from invite_router.cells as c order by c.home),
    coalesce((select jsonb_object_agg(m.home, m.cell) from invite_router.moved as m where m.change > routes.after), '{}'),
    coalesce((select max(m.change) from invite_router.moved as m), 0)
$$;
comment on function invite_router.routes(bigint, out text[], out jsonb, out bigint) is
  'For the server, so that a slow cell delays no other''s requests: the cells, and the moves since a change.';
