/*
 * The owner is the role that migrates and runs the worker. Only the owner can use some arguments, which are for tests and for processes
 * that have all rights anyway. The functions ignore these arguments when one of the separate roles passes them.
 */
create or replace function invite.is_owner() returns boolean
language sql stable
as $$
  select pg_has_role(session_user, current_user, 'member')
$$;
comment on function invite.is_owner() is 'Whether the caller of a security definer function is its owner, or a role that is a member of the owner.';
