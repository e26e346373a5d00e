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
end
$$;

-- PostgreSQL lets everybody execute a new function by default; the form with `in schema` would not take that away.
alter default privileges for role invite_owner revoke execute on functions from public;
