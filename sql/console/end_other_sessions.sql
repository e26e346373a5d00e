/*
 * Also uses up the person's unused sign-in links. Locks: the person (lock_sign_in).
 */
create function console.end_other_sessions(session_hash bytea) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := console.session_email(end_other_sessions.session_hash);
  v_ended integer;
begin
  if v_email is null then
    return 0;
  end if;
  perform invite.lock_sign_in(v_email);
  update invite.sign_in_links as l set used_at = invite.clock() where l.email = v_email and l.used_at is null;
  delete from invite.sessions as s where s.email = v_email and s.secret_hash <> end_other_sessions.session_hash;
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;
comment on function console.end_other_sessions(bytea) is 'Ends all sessions of the person who uses this one, except this one. Returns how many.';
