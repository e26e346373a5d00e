/*
 * The separate roles, made once per PostgreSQL cluster by a superuser, in the service's database:
 *
 *   psql -d invitations -f sql/roles.sql
 *
 * Optional: the service works just as well with one role that owns everything. None of these can log in: grant them to your login
 * roles (grant invite_web to survey_web), or alter role … login password '…'. Migrate as invite_owner afterwards.
 */
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
  -- To create the schemas invite, console and graphile_worker; they can be revoked again after the first migrate.
  execute format('grant create on database %I to invite_owner', current_database());

  -- What everybody may do in a new database, and fills the disk: large objects, and messages in the write-ahead log. If your product uses them
  -- in this database, grant them to its role.
  for v_function in
    select p.oid from pg_proc as p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname = any (array['lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lo_truncate', 'lo_truncate64', 'lowrite'])
        or p.proname = 'pg_logical_emit_message')
  loop
    execute format('revoke execute on function %s from public', v_function);
  end loop;
end
$$;

-- Bounds of the web server. They hold for the role that logs in: repeat them for a login role that is granted invite_web.
alter role invite_web connection limit 100;
alter role invite_web set statement_timeout = '15s';
alter role invite_web set idle_in_transaction_session_timeout = '30s';
alter role invite_web set temp_file_limit = '1GB';

-- PostgreSQL lets everybody execute a new function by default; the form with `in schema` would not take that away.
alter default privileges for role invite_owner revoke execute on functions from public;
