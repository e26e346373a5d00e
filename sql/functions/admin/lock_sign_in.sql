/*
 * An advisory lock, so that concurrent calls together can't exceed a limit, and a person who is being signed out or removed doesn't get a
 * new session.
 */
create or replace function invite.lock_sign_in(email text) returns void
language sql volatile
as $$
  select pg_advisory_xact_lock(hashtextextended('invite.sign_in ' || lower(lock_sign_in.email collate "C"), 0))
$$;
comment on function invite.lock_sign_in(text) is 'Locks a person''s sign-in links and sessions until the transaction ends.';
