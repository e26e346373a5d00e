/*
 * The role that migrates and runs the worker. Some arguments are the owner's alone, for tests and for processes that have every right
 * anyway; from the separate roles they are ignored.
 */
create or replace function invite.is_owner() returns boolean
language sql stable
as $$
  select pg_has_role(session_user, current_user, 'member')
$$;
comment on function invite.is_owner() is 'Whether the caller of a security definer function is its owner, or one of its members.';
