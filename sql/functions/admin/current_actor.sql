/*
 * The member on whose behalf a function of console runs (require_role); cli for everyone else. Anyone can pretend, so the audit log has the
 * database user beside it.
 */
create or replace function invite.current_actor() returns text
language sql stable
as $$
  select coalesce(nullif(current_setting('invite.actor', true), ''), 'cli')
$$;
comment on function invite.current_actor() is 'Who the audit log names: a member''s email, or cli.';
