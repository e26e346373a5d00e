/*
 * Gives the service's schemas to invite_owner, in a database that another role has migrated:
 *
 *   psql -d invitations -f sql/hand_over.sql
 *
 * As a superuser, after sql/roles.sql. Not `reassign owned`, which would give away your product's tables too.
 */
set search_path = pg_catalog, pg_temp;

do $$
declare
  v_schemas constant oid[] := array(
    select n.oid from pg_namespace as n where n.nspname = any (array['invite', 'console', 'graphile_worker'])
  );
  v_object text;
begin
  for v_object in
    select format('schema %s', n.oid::regnamespace) from pg_namespace as n where n.oid = any (v_schemas)
    union all
    select format('%s %s', case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class as c
    where c.relnamespace = any (v_schemas) and c.relkind = any (array['r', 'p', 'v', 'S']::"char"[])
      -- A column's sequence follows its table.
      and (c.relkind <> 'S' or not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = any (array['a', 'i']::"char"[])))
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc as p where p.pronamespace = any (v_schemas)
    union all
    select format('type %s', t.oid::regtype)
    from pg_type as t left join pg_class as c on c.oid = t.typrelid
    where t.typnamespace = any (v_schemas) and (t.typtype = any (array['e', 'd']::"char"[]) or c.relkind = 'c')
  loop
    execute format('alter %s owner to invite_owner', v_object);
  end loop;
end
$$;

reset search_path;
