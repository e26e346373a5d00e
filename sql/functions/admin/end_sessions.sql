/*
 * Also uses up the person's unused sign-in links. Locks: the person (lock_sign_in).
 */
create or replace function invite.end_sessions(email text) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform invite.lock_sign_in(end_sessions.email);
  update invite.sign_in_links as l set used_at = invite.clock() where l.email = lower(end_sessions.email collate "C") and l.used_at is null;
  delete from invite.sessions as s where s.email = lower(end_sessions.email collate "C");
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;
comment on function invite.end_sessions(text) is 'Signs a person out everywhere. Returns how many sessions there were.';
