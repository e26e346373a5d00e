/*
 * In functions of console, the actor is the member who uses the session (session_email); everywhere else it is cli. A database user can set
 * any actor, so the audit log also records the database user.
 */
create or replace function invite.current_actor() returns text
language sql stable
as $$
  select coalesce(nullif(current_setting('invite.actor', true), ''), 'cli')
$$;
comment on function invite.current_actor() is 'The actor that the audit log names: a member''s email, or cli.';
