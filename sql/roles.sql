/*
 * The optional separate roles, made once per PostgreSQL cluster by a superuser, in the service's database:
 *
 *   psql -d invitations -f sql/roles.sql
 *
 * None can log in: grant them to your login roles (grant invite_web to survey_web), or alter role … login password '…'. Then migrate
 * as invite_owner.
 */
set search_path = pg_catalog, pg_temp;

do $$
declare
  v_role text;
  v_function regprocedure;
begin
  foreach v_role in array array['invite_owner', 'invite_web', 'invite_admin', 'invite_readonly'] loop
    if not exists (select from pg_roles as r where r.rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;

  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant connect on database %I to invite_owner, invite_web, invite_admin, invite_readonly', current_database());
  -- For the schemas invite, console and graphile_worker; can be revoked after the first migrate.
  execute format('grant create on database %I to invite_owner', current_database());

  -- What everybody may do by default, and fills the disk. If your product uses it in this database, grant it to its role.
  for v_function in
    select p.oid from pg_proc as p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname = any (array['lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lo_truncate', 'lo_truncate64', 'lowrite'])
        or p.proname = 'pg_logical_emit_message')
  loop
    execute format('revoke execute on function %s from public', v_function);
  end loop;

  -- The owner's functions take advisory locks. Anybody who took the lock of a workspace's quota would stop its requests. Left as it is where
  -- your product has tables, because its migrations may need them.
  if not exists (
    select
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('invite', 'console', 'graphile_worker', 'information_schema') and n.nspname !~ '^pg_'
  ) then
    for v_function in
      select p.oid from pg_proc as p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^pg_(try_)?advisory_(xact_)?lock(_shared)?$'
    loop
      execute format('revoke execute on function %s from public', v_function);
      execute format('grant execute on function %s to invite_owner', v_function);
    end loop;
  end if;
end
$$;

-- These hold for the role that logs in: repeat them for a login role that is granted invite_web.
alter role invite_web connection limit 100;
alter role invite_web set statement_timeout = '15s';
alter role invite_web set lock_timeout = '500ms';
alter role invite_web set idle_in_transaction_session_timeout = '30s';
alter role invite_web set temp_file_limit = '1GB';

-- Its queries are short, and compiling one of a large view takes seconds.
alter role invite_readonly set jit = off;

-- Not `in schema`, which would not revoke PostgreSQL's default: everybody may execute a new function.
alter default privileges for role invite_owner revoke execute on functions from public;

reset search_path;
